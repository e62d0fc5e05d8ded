"""The order of the examples in the gallery."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

ORDER = (
    # First steps: data, interpretation, probabilities, comparison.
    *("mixed_data", "rules", "explanations", "probabilities", "compare_classifiers"),
    # Discretization, model selection and the main parameters.
    *("discretization", "feature_effects", "choosing", "from_kernel_to_winnow"),
    # Domain knowledge: constraints and edited formulas.
    *("monotone_credit", "edited_formula"),
    # Data streams and data sets that do not fit into memory.
    *("stream", "dask_stream"),
    # Bayesian classifiers.
    *("probability_intervals", "english_letters", "representative_draws"),
    # The learner and the samplers of the paper.
    *("house_votes", "weighted_sums", "grid_search"),
)


def place(filename):
    """Return the position of an example; `ORDER` has to list every example."""
    return ORDER.index(filename.removeprefix("plot_").removesuffix(".py"))
