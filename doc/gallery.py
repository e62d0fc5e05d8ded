"""Gallery: the examples in the order in which they are met."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

ORDER = (
    # Data as people have them.
    *("house_votes", "mixed_data", "discretization"),
    # What is chosen, and among what.
    *("choosing", "from_kernel_to_winnow"),
    # What was learned, and how good it is.
    *("rules", "edited_formula", "monotone_credit", "explanations"),
    *("probabilities", "compare_classifiers"),
    # A sibling with intervals.
    *("probability_intervals", "english_letters", "representative_draws"),
    # More rows than there is room for.
    *("stream", "dask_stream"),
    # The paper's sums and samplers.
    *("weighted_sums", "grid_search"),
)


def place(filename):
    """The place of an example; a new one has to be given one above."""
    return ORDER.index(filename.removeprefix("plot_").removesuffix(".py"))
