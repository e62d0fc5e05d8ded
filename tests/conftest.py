"""What is set before SciPy is imported, the seeds of statistics, and slow tests."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import re
from collections import Counter

import pytest

# Without it scikit-learn skips its array API checks.
os.environ["SCIPY_ARRAY_API"] = "1"

# After scikit-learn's SKLEARN_TESTS_GLOBAL_RANDOM_SEED.
SEEDS_VARIABLE = "SKLEARN_DNFWINNOW_TESTS_SEEDS"
ALL_SEEDS, A_FEW = range(100), range(3)
SEED, SLOW = "global_random_seed", [pytest.mark.slow]


def seeds_of(text):
    """The seeds that a text means: "all", a range such as "3-7", or one number."""
    if not text:
        return A_FEW
    if text == "all":
        return ALL_SEEDS
    if match := re.fullmatch(r"(\d+)(?:-(\d+))?", text):
        first, last = int(match[1]), int(match[2] or match[1])
        if first <= last and last in ALL_SEEDS:
            return range(first, last + 1)
    raise pytest.UsageError(
        f"{SEEDS_VARIABLE} must be 'all', a number or a range of numbers from 0 to "
        f"{ALL_SEEDS[-1]}, such as '3-7'; got {text!r}."
    )


def pytest_configure(config):
    config.global_random_seeds = seeds_of(os.environ.get(SEEDS_VARIABLE))


def pytest_generate_tests(metafunc):
    if SEED in metafunc.fixturenames:
        first, *others = metafunc.config.global_random_seeds
        marks = [] if is_paired(metafunc.config, metafunc.definition) else SLOW
        others = [pytest.param(seed, marks=marks) for seed in others]
        metafunc.parametrize(SEED, [first, *others])


def is_paired(config, definition):
    """Whether each case of a test has one of a few seeds, in turn, and not all."""
    is_of_cases = any(definition.iter_markers("parametrize"))
    return is_of_cases and config.global_random_seeds == A_FEW


def has_its_seed(item, n_cases):
    """Whether an item has the seed of its case; counts the cases of each test."""
    if SEED not in item.fixturenames or not is_paired(item.config, item):
        return True
    case = {**item.callspec.params}
    seed = case.pop(SEED)
    known = n_cases.setdefault(item.nodeid.partition("[")[0], {})
    number = known.setdefault(tuple(map(id, case.values())), len(known))
    return seed == A_FEW[number % len(A_FEW)]


# Pages of the documentation with cross-validations.
SLOW_PAGES = "index.rst", "quick_start.rst"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark slow pages, and what families have beyond their quick tests, as slow.

    Of a test with cases, each case keeps one seed, unless seeds were asked for.
    """
    n_items, n_cases = Counter(), {}
    items[:] = [item for item in items if has_its_seed(item, n_cases)]
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
