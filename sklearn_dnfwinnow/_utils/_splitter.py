"""Splitter: the folds or the splitter in the parameter `cv` of a classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral

import numpy as np
from sklearn.model_selection import StratifiedKFold, check_cv
from sklearn.utils.metadata_routing import UNUSED, MetadataRouter, MethodMapping


class SplitterMixin:
    """Mixin of classifiers whose `cv` may be a splitter, which may need groups."""

    # Groups are for the splitter, see `get_metadata_routing`.
    __metadata_request__fit = {"groups": UNUSED}

    def get_metadata_routing(self):
        """Return the metadata that methods take, with those of a splitter in `cv`.

        Returns
        -------
        routing : MetadataRequest, or MetadataRouter with a splitter
            See :mod:`sklearn.utils.metadata_routing`.
        """
        if not hasattr(self.cv, "split"):
            return super().get_metadata_routing()
        return (
            MetadataRouter(owner=self)
            .add_self_request(self)
            .add(
                splitter=self.cv,
                method_mapping=MethodMapping().add(caller="fit", callee="split"),
            )
        )


def has_splits(cv):
    """Return whether `cv` is a splitter or an iterable of splits."""
    return not isinstance(cv, Integral | str | None)


def masks_of_splits(cv, X, y, groups=None):
    """Yield masks of the training samples and the held-out samples of each split.

    Parameters
    ----------
    cv : splitter or iterable of (train, test)
    X, y : as given
    groups : array-like of shape (n_samples,), default=None
        For splitters that need them.

    Yields
    ------
    masks : ndarray of shape (2, n_samples), bool

    Raises
    ------
    ValueError
        If a split is not a pair of arrays of indices.
    """
    for number, split in enumerate(check_cv(cv, y).split(X, y, groups)):
        masks = np.zeros((2, len(y)), dtype=bool)
        try:
            for mask, indices in zip(masks, split, strict=True):
                mask[indices] = True
        except (IndexError, TypeError, ValueError) as error:
            raise ValueError(
                "Each split of cv must be a pair of arrays: the indices of training "
                f"samples, and those of held-out samples, from 0 to {len(y) - 1}. "
                f"Split {number} of a {type(cv).__name__} is not: {error}."
            ) from error
        yield masks


def check_groups(cv, groups):
    """Raise an error if there are groups without a splitter in `cv` for them.

    Raises
    ------
    ValueError
    """
    if groups is not None and not has_splits(cv):
        raise ValueError(
            "groups requires a splitter that uses them in the parameter cv, such as "
            f"GroupKFold(5); got cv={cv!r}."
        )


def check_fold_count(cv, labels):
    """Raise the error, or give the warning, of scikit-learn for too many folds.

    Parameters
    ----------
    cv : int, splitter, iterable, str or None
        Anything but an int is left to others.
    labels : ndarray of shape (n_samples,), int
        Classes of the samples with a positive weight.

    Raises
    ------
    ValueError
        If there are more folds than samples, or than samples of each class.

    Warns
    -----
    UserWarning
        If a class has fewer samples than there are folds.
    """
    if isinstance(cv, Integral):
        next(StratifiedKFold(int(cv)).split(labels, labels))
