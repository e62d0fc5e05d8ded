"""Training: the Winnow of one class on its own, by the parts of the package.

It makes the updates that the classifier makes for the class. What it has beyond the
classifier is that it tells of the visits to training rows, with the sum that is asked
for there; and that one Winnow alone predicts, where the classifier compares two.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from types import SimpleNamespace

import numpy as np
from sklearn.utils import check_random_state

from sklearn_dnfwinnow._encoding._columns import columns_of
from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._encoding._table import FactorizedTable
from sklearn_dnfwinnow._terms._term_index import log_initial_weight
from sklearn_dnfwinnow._utils._computing import distinct_rows, stream
from sklearn_dnfwinnow._utils._progress import Progress
from sklearn_dnfwinnow._winnow._class_block import ClassBlock, learn
from sklearn_dnfwinnow._winnow._model import StoredExamples
from sklearn_dnfwinnow._winnow._repetitions import Repetitions, canonical_rows
from sklearn_dnfwinnow._winnow._settings import UpdateRule
from sklearn_dnfwinnow._winnow._sums import Summation
from sklearn_dnfwinnow.samplers import Exact
from sklearn_dnfwinnow.samplers._agreement_problem import AgreementProblem, closed_form
from sklearn_dnfwinnow.sums._log_weighted_sum import log_sum

# Keeps the streams of what is estimated beside training apart from those of training.
_WATCHING = 2


@dataclass(frozen=True, eq=False)
class Visit:
    """A row in training, before its label is told: which sum is asked for.

    Attributes
    ----------
    problem : AgreementProblem
        Of terms of any size, compressed.
    log_alpha, log_beta : float
    log_threshold : float
        log theta, which the sum is compared with.
    guess : bool
        The prediction of the epoch before (section 3.3 of the paper).
    stream : int
        A random stream of this visit.
    """

    problem: AgreementProblem
    log_alpha: float
    log_beta: float
    log_threshold: float
    guess: bool
    stream: int

    @property
    def has_closed_form(self):
        """Whether the sum needs no engine, as before the second update."""
        return closed_form(self.problem, self.log_alpha, self.log_beta) is not None

    def sum_by(self, engine):
        """The weighted sum, exact or estimated."""
        return log_sum(engine, self.problem, self.log_alpha, self.log_beta, self.stream)

    @cached_property
    def exact(self):
        """The exact sum."""
        return self.sum_by(exact_engine())

    def kept(self):
        """To be looked at when training goes on: the totals of what changes."""
        totals = np.array([self.problem.n_promotions, -self.problem.n_demotions])
        return replace(self, problem=replace(self.problem, raw_net_counts=totals))


def exact_engine():
    """Return what sums exactly, at the least cost."""
    return Exact().engine()


class OneWinnow:
    """The Winnow of one class under the parameters of a classifier.

    Parameters
    ----------
    model : DNFWinnowClassifier
        Not fitted, its sampler an object; with the paper's settings but for engines,
        `alpha`, `missing`, `max_iter` and `random_state`.
    positive : label
        The class whose rows are to reach the threshold.
    watch : callable, optional
        Is told of a `Visit` before it has consequences.
    every : int
        Every how manieth visit is told of.

    Attributes
    ----------
    examples, net_counts : ndarrays of shapes (m, n_attributes) and (m,)
        In order of arrival, once trained.
    mistakes : list of int
        Of each epoch.
    chains : dict of str to int
        As `chains_` of the classifier.
    n_visits : int
        Sums that training asked for, which the watcher saw some or all of.
    """

    def __init__(self, model, positive, watch=None, every=1):
        self._model, self._positive = model, positive
        self._watch, self._every = watch, every

    def fit(self, X, y):
        """Train on rows, all of the same or of several classes."""
        model = self._model
        classes = np.unique(np.append(y, self._positive))
        k = int(np.searchsorted(classes, self._positive))
        labels = np.searchsorted(classes, y)
        seed = check_random_state(model.random_state).randint(np.iinfo(np.int32).max)
        ones = np.ones(len(y), dtype=np.int64)
        empty = Encoding.empty(X.shape[1], len(classes), model.missing)
        table = FactorizedTable.of(columns_of(X))
        self._encoding, codes = empty.learn(table, labels, ones)
        self._log_threshold = log_initial_weight(self._encoding.n_values, 0.0)
        rows = canonical_rows(
            Repetitions(codes, labels, ones, n_epochs=model.max_iter),
            seed=seed,
        )
        self._summation = Summation(
            sampler=model.sampler,
            max_term_size=None,
            log_alpha=log(model.alpha),
            log_beta=0.0,
            seed=seed,
        )
        stored = StoredExamples.empty(X.shape[1], len(classes))
        untrained = SimpleNamespace(
            summation=self._summation,
            rule=UpdateRule(),
            log_threshold=self._log_threshold,
            stored=stored,
            literal_examples=stored.examples,
            settings=SimpleNamespace(average=False, max_stored_examples=None),
        )
        block = ClassBlock(untrained, rows, index=None, k=k)
        progress = Progress()
        if self._watch is not None:
            progress = _Watch(block, self._summation, self._watch, self._every)
        (trained,) = learn(lambda k: block, rows.n_epochs, k, progress)
        self.examples, self.net_counts = trained.examples, trained.net_counts
        self.mistakes, self.chains = trained.mistakes, trained.chains
        self.n_visits = len(rows.codes) * len(trained.mistakes)
        return self

    def predict(self, X):
        """Whether W reaches theta: (n_rows,), bool."""
        codes = self._encoding.encode(columns_of(X), str)
        rows, _, inverse = distinct_rows(codes)
        evaluation = self._summation.evaluation(
            self.examples, self.net_counts[None], rows
        )
        sums = evaluation.estimates(rows)[:, 0, 0]
        return sums[inverse] >= self._log_threshold

    def error(self, X, y):
        """Share of the rows that are on the wrong side."""
        return np.mean(self.predict(X) != (y == self._positive))


class _Watch(Progress):
    """Tells of visits before they are made, one row at a time."""

    def __init__(self, block, summation, watch, every):
        super().__init__()
        self._block, self._summation = block, summation
        self._watch, self._every, self._n_visits = watch, every, 0

    def parts(self, order):
        """Yield presentations one by one."""
        for i in order:
            if self._n_visits % self._every == 0:
                self._watch(self._visit(i))
            self._n_visits += 1
            yield np.array([i])

    def _visit(self, i):
        (class_,) = self._block.classes
        row = self._block._rows.codes[i]
        summation = self._summation
        examples, net = class_.rows[class_.places], class_.net[class_.places]
        return Visit(
            problem=AgreementProblem.of_row(examples, net, row),
            log_alpha=summation.log_alpha,
            log_beta=summation.log_beta,
            log_threshold=self._block._log_threshold,
            guess=bool(self._block._guesses[i]),
            stream=stream(summation.seed, _WATCHING, class_.kernel.version, row=row),
        )
