"""The protocol of the paper's section 6: sets, folds, samplers, and the learner.

What the paper does not say is chosen here: alpha = 3/2 and theta = the number of all
terms, which its constants stand for; 20 rounds, as on Voting; stratified folds; an
order shuffled in each round; up to 5 intervals to a measurement; and '?' of annealing
as a value, for only so are its sums too long for brute force, as the paper says. What
is simulated is learned by one Winnow, for class 1: "not f" is no DNF without negation.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from functools import cache

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.sets import LOADERS
from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier, samplers
from sklearn_dnfwinnow.datasets import make_monotone_dnf

#: Label: sampler and tempering. BF of the paper is any exact engine here.
SAMPLERS = {
    "M": ("metropolis", False),
    "G": ("gibbs", False),
    "MG": ("metropolized_gibbs", False),
    "M+PT": ("metropolis", True),
    "G+PT": ("gibbs", True),
    "MG+PT": ("metropolized_gibbs", True),
}
EXACT = "exact"

#: annealing once more, its '?' being gaps: rows of some 10 attributes, and as few steps
#: as that takes. As a value, each sampler would take hours.
GAPS = "annealing, gaps"
MISSING = {"annealing": "category"}
ARITY = 5
# Examples of a simulated set to train with; as many are to test with.
_N_SIMULATED = 50
#: Laws of simulated sets, by the length of their terms, which the paper does not have:
#: n / 2 literals, as if each attribute was in a term or not by the toss of a coin, with
#: which errors and savings come out nearest to the paper's; and about 3, the default of
#: the generator, with which the distance to theta and the number of chains do. Half of
#: the rows are of either class. With uniform rows, few of them positive, and terms of 6
#: literals errors come out as with long terms, but savings are 60 to 80 %.
LAWS = ("long", "short")


@cache
def load(name):
    """X and y of a set of the UCI repository; X of objects, None where missing."""
    loader = LOADERS[name.removesuffix(", gaps")]
    X, y = loader(return_X_y=True, as_frame=False)
    return np.asarray(X), np.asarray(y)


def n_attributes(name):
    """n of the paper, from which the number of steps follows."""
    return load(name)[0].shape[1]


def steps(name):
    """T_0 and T_s of Table V: n^2 and 10 n^2, of each row on its own if it has gaps."""
    if name == GAPS:
        return "auto", "auto"
    return n_attributes(name) ** 2, 10 * n_attributes(name) ** 2


def n_folds(name):
    """Ten, or so many that each has 30 rows."""
    return _n_folds(load(name)[1])


def _n_folds(y):
    return 10 if len(y) >= 300 else len(y) // 30


def fold(name, i, random_state=0):
    """One fold: X and y to train with, X and y to test with, measurements as given."""
    return fold_of(*load(name), i, random_state)


def fold_of(X, y, i, random_state=0):
    """A fold of any rows."""
    folds = StratifiedKFold(_n_folds(y), shuffle=True, random_state=random_state)
    with warnings.catch_warnings():
        # A class may have fewer rows than there are folds, as '-2' of auto has.
        warnings.filterwarnings("ignore", "The least populated class in y has only")
        train, test = list(folds.split(np.zeros(len(y)), y))[i]
    return X[train], y[train], X[test], y[test]


def in_intervals(X, y, X_test, arity=ARITY):
    """Measurements as intervals, cut where the rows to train with say."""
    discretizer = ClassEntropyDiscretizer(max_intervals=arity).fit(X, y)
    return tuple(
        np.asarray(discretizer.transform(rows), dtype=object) for rows in (X, X_test)
    )


def simulated(law, n, i):
    """A 5-term monotone DNF over n attributes, false ones being unspecified."""
    term_size = n // 2 if law == "long" else None
    X, y = make_monotone_dnf(
        2 * _N_SIMULATED, n, term_size=term_size, random_state=1000 * n + i
    )
    half = _N_SIMULATED
    return X[:half], y[:half], X[half:], y[half:]


def winnow(sampler, **params):
    """Return the paper's learner with 20 rounds and a seed of 0.

    A name stands for a sampler with the options of the paper.
    """
    if isinstance(sampler, str):
        sampler = samplers.SAMPLERS[sampler].paper()
    settings = {**DNFWinnowClassifier.paper_settings(), **params}
    return DNFWinnowClassifier(sampler=sampler, random_state=0, **settings)


def sampling(label, **options):
    """Return the sampler of a label, with options of chains.

    Of an exact sum, the quickest way.
    """
    if label == EXACT:
        return samplers.Auto()
    name, tempering = SAMPLERS[label]
    chains = samplers.SAMPLERS[name].paper()
    return chains.set_params(tempering=tempering, **options)
