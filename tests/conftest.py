"""What is set before NumPy is imported, the seeds of statistics, and slow tests."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import re
from collections import Counter

import pytest

# Without it scikit-learn skips its array API checks.
os.environ["SCIPY_ARRAY_API"] = "1"
# Workers take all cores already: threads of BLAS and OpenMP would wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# After scikit-learn's SKLEARN_TESTS_GLOBAL_RANDOM_SEED.
SEEDS_VARIABLE = "SKLEARN_DNFWINNOW_TESTS_SEEDS"


def seeds_of(text):
    """The seeds that a text means: "all", a range such as "3-7", or one number."""
    if text == "all":
        return range(100)
    if match := re.fullmatch(r"(\d+)(?:-(\d+))?", text):
        first, last = int(match[1]), int(match[2] or match[1])
        if first <= last < 100:
            return range(first, last + 1)
    raise pytest.UsageError(
        f"{SEEDS_VARIABLE} must be 'all', a number or a range of numbers from 0 to 99, "
        f"such as '3-7'; got {text!r}."
    )


def pytest_configure(config):
    config.global_random_seeds = seeds_of(os.environ.get(SEEDS_VARIABLE, "0"))


def pytest_generate_tests(metafunc):
    if "global_random_seed" in metafunc.fixturenames:
        metafunc.parametrize("global_random_seed", metafunc.config.global_random_seeds)


# Pages of the documentation with cross-validations.
SLOW_PAGES = "index.rst", "get_started.rst"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark slow pages, and what families have beyond their quick tests, as slow."""
    n_items = Counter()
    for item in items:
        if item.path.name in SLOW_PAGES:
            item.add_marker(pytest.mark.slow)
        for mark in item.iter_markers("slow_beyond"):
            family = item.nodeid.partition("[")[0]
            n_items[family] += 1
            if n_items[family] > mark.args[0]:
                item.add_marker(pytest.mark.slow)


@pytest.fixture
def global_random_seeds(pytestconfig):
    """All seeds of this run, for what is judged over them together.

    A test that holds for each of them asks for `global_random_seed`, and runs so often.
    """
    return pytestconfig.global_random_seeds
