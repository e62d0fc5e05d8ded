"""Inference data: draws and log likelihoods in the form of ArviZ."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

_DIMS = {"sums": ["group", "set"], "log_sigma": ["order"], "y": ["row"]}


def inference_data(model, rows, inverse, labels):
    """Return the object of ArviZ for a model and some samples.

    Parameters
    ----------
    model : BayesianModel
    rows : ndarray of shape (n_rows, n_columns), int32
        Distinct codes.
    inverse : ndarray of shape (n_samples,), int
        Row of each sample.
    labels : ndarray of shape (n_samples,), int
        Indices of the classes of the samples.

    Returns
    -------
    inference_data : xarray.DataTree, or arviz.InferenceData before ArviZ 1.0

    Raises
    ------
    ImportError
        If ArviZ is not installed.
    """
    try:
        import arviz
    except ImportError as error:
        raise ImportError(
            "to_inference_data requires ArviZ: install it with `pip install arviz`."
        ) from error
    draws = model.draws
    chains = draws.log_likelihood.shape
    log_probabilities = model.sample_log_probabilities(rows)
    classes = model.sample_classes(rows, inverse)
    groups = {
        "posterior": {
            "log_sigma": draws.log_sigma[..., model.prior.first :],
            "sums": draws.sums,
        },
        "log_likelihood": {
            "y": log_probabilities[:, inverse, labels].reshape(*chains, -1)
        },
        "posterior_predictive": {"y": classes.reshape(*chains, -1)},
        "observed_data": {"y": labels},
    }
    orders = np.arange(model.prior.first, draws.log_sigma.shape[-1])
    names = {"dims": _DIMS, "coords": {"order": orders}}
    if int(arviz.__version__.split(".")[0]) >= 1:
        return arviz.from_dict(groups, **names)
    return arviz.from_dict(**groups, **names)
