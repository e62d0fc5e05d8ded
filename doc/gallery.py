"""The order of the sections and of the examples in the gallery."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from pathlib import Path

# The folders of `examples`, and the examples in each: all of them have to be here.
SECTIONS = {
    "first_steps": ("mixed_data", "report"),
    "rules": ("rules", "edited_formula"),
    "numbers": ("discretization", "feature_effects"),
    "probabilities": ("rare_class",),
    "parameters": ("choosing",),
    "use": ("deployment", "stream", "dask_merge"),
    "bayesian": ("probability_intervals", "representative_draws"),
    "sums": ("sampler_search", "weighted_sums"),
}
ORDER = [name for names in SECTIONS.values() for name in names]


def section(folder):
    """Return the position of a section, by the path of its folder."""
    return [*SECTIONS].index(Path(folder).name)


def place(filename):
    """Return the position of an example, by the name of its file."""
    return ORDER.index(filename.removeprefix("plot_").removesuffix(".py"))
