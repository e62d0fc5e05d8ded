"""Ladders: how many chains sums take, by exact accounting (Tables VIII and IX).

While training goes by exact sums (of annealing, where they are too long, by a frontier
thinned out), each visit is asked how many chains its ladder has, by each m and kappa,
and how many of them the optimized solution (Table I) would take if its ratios were
exact: what the samplers' noise adds or takes away is left out.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cached_property
from itertools import product

import numpy as np

from benchmarks.paper.guess_error import KAPPAS, SCALES, means
from benchmarks.paper.protocol import (
    LAWS,
    MISSING,
    fold,
    in_intervals,
    load,
    n_folds,
    simulated,
    winnow,
)
from benchmarks.paper.published import N_ATTRIBUTES, SETS, TABLE_IX, TABLE_VIII
from benchmarks.paper.tables import cell, errors, grouped, number
from benchmarks.paper.training import OneWinnow
from sklearn_dnfwinnow._kernels import _chains_testing
from sklearn_dnfwinnow.samplers import Gibbs

#: By set: every how manieth visit is looked at, and how many folds, None being all.
EFFORT = {
    "car": (10, None),
    "breast-cancer": (4, None),
    "auto": (20, 1),
    "annealing": (100, 1),
}
# W at all rungs is worked out for sums of so many states at most.
_MOST_STATES = 1 << 21
_PAPER = "sum", 1.0


def table_viii(all_n=N_ATTRIBUTES, n_sets=10, laws=LAWS):
    """Simulated sets."""
    return [
        {"law": law, "n": n, "set_": i}
        for law, n, i in product(laws, all_n, range(n_sets))
    ]


def table_ix(sets=SETS, folds=None, every=None):
    """All classes and folds of the six sets, but of the last two only one fold."""
    tasks = []
    for name in sets:
        every_, folds_ = EFFORT.get(name, (1, None))
        n_classes = len(np.unique(load(name)[1]))
        tasks += [
            {"name": name, "fold_": i, "class_": k, "every": every or every_}
            for i in range(n_folds(name))[: folds or folds_]
            for k in range(n_classes)
        ]
    return tasks


def monotone(law, n, set_):
    """The visits of one simulated set."""
    X, y, _, _ = simulated(law, n, set_)
    return _count(X, y, 1, winnow(sampler="auto"), 1)


def uci(name, fold_, class_, every):
    """Every so manieth visit of one Winnow of one fold."""
    X, y, X_test, _ = fold(name, fold_)
    X, _ = in_intervals(X, y, X_test)
    positive = np.unique(load(name)[1])[class_]
    model = winnow(sampler="auto", missing=MISSING.get(name, "unspecified"))
    return _count(X, y, positive, model, every)


def _count(X, y, positive, model, every):
    counter = _Counter()
    one = OneWinnow(model, positive, counter, every).fit(X, y)
    return {"n_visits": one.n_visits, **counter.result()}


class _Counter:
    """Sums over visits, of what the tables are made of."""

    def __init__(self):
        self._n_seen = self._n_ordered = 0
        self._epsilon = self._theory = 0.0
        self._full = dict.fromkeys(product(SCALES, KAPPAS), 0)
        self._optimized = dict.fromkeys(self._full, 0)

    @cached_property
    def _engines(self):
        return {
            (scale, kappa): Gibbs(ladder_scale=scale, ladder_step=kappa).engine()
            for scale, kappa in self._full
        }

    def __call__(self, visit):
        log_ratio = visit.exact.log_value - visit.log_threshold
        self._n_seen += 1
        self._epsilon += abs(np.expm1(log_ratio))
        # ln(1 + eps) or -ln(1 - eps), with 1 +- eps = W / theta.
        self._theory += abs(log_ratio)
        ladders = {
            key: n_chains(chains, visit) for key, chains in self._engines.items()
        }
        for key, n in ladders.items():
            self._full[key] += n
        if visit.exact.n_states <= _MOST_STATES:
            self._n_ordered += 1
            for key, n in taken(self._engines, ladders, visit).items():
                self._optimized[key] += n

    def result(self):
        seen = max(self._n_seen, 1)
        result = {
            "n_seen": self._n_seen,
            "n_ordered": self._n_ordered,
            "epsilon": f"{self._epsilon / seen:.6g}",
            "theory": f"{self._theory:.6g}",
        }
        for kind, counts in (("full", self._full), ("opt", self._optimized)):
            for (scale, kappa), n in counts.items():
                result[f"{kind}_{scale}_{kappa:g}"] = n
        return result


def n_chains(chains, visit):
    """r_t - 1: none where no term has been promoted or demoted."""
    low, high = chains.phi_bounds(visit.problem)
    return chains.n_rungs(visit.problem, visit.log_alpha) if low or high else 0


def taken(engines, ladders, visit):
    """How many chains the optimized solution takes on exact ratios, by engine.

    Parameters
    ----------
    engines : dict of Chains
    ladders : dict of int
        Chains that each has in full.
    visit : Visit
    """
    phi = np.array(list(visit.exact.density))
    log_weights = np.array(list(visit.exact.density.values()))
    rungs = [np.linspace(0, visit.log_alpha, n + 1) for n in ladders.values()]
    net_counts = np.outer(np.concatenate(rungs), phi) + log_weights
    largest = net_counts.max(axis=1)
    log_sums = largest + np.log(np.exp(net_counts - largest[:, None]).sum(axis=1))
    ends = np.cumsum([len(log_alphas) for log_alphas in rungs])
    return {
        key: _taken(engines[key], visit, of_ladder)
        for key, of_ladder in zip(ladders, np.split(log_sums, ends[:-1]))
    }


def _taken(chains, visit, log_sums):
    if len(log_sums) == 1:
        return 0
    # None of them, where the bounds of phi alone settle the side.
    phi_min, phi_max = chains.phi_bounds(visit.problem)
    _, used = _chains_testing.stop_early(
        log_ratios=np.diff(log_sums),
        log_first=log_sums[0],
        log_alpha=visit.log_alpha,
        phi_min=phi_min,
        phi_max=phi_max,
        log_threshold=visit.log_threshold,
        guess=visit.guess,
    )
    return used


# -- tables ----------------------------------------------------------------------------


def summary_viii(rows, predictions):
    """Table VIII, ours | paper's; savings in simulation are those of Gibbs."""
    run = {
        key: _saved(of_key)
        for key, of_key in grouped(
            [row for row in predictions if row["sampler"] == "G"], "law", "n"
        ).items()
    }
    lines = [
        (*key, *_beside(of_key, "set_", TABLE_VIII[key[1]], run.get(key)))
        for key, of_key in grouped(rows, "law", "n").items()
    ]
    return ("law", "n", *_columns("set")), lines


def summary_ix(rows, predictions):
    """Table IX, ours | paper's."""
    run = {
        name: _saved(of_name)
        for name, of_name in grouped(
            [
                row
                for row in predictions
                if (row["sampler"], row["scale"], row["kappa"]) == ("G", *_PAPER)
                and row["n_steps"] == 10 * load(row["name"])[0].shape[1] ** 2
            ],
            "name",
        ).items()
    }
    lines = [
        (name, *_beside(of_name, "fold_", TABLE_IX[name], run.get(name)))
        for name, of_name in grouped(rows, "name").items()
    ]
    return ("set", *_columns("fold")), lines


_COLUMNS = (
    *("mean eps", "paper", "MCMC, 1000", "a {}", "paper", "Opt MCMC a {}", "paper"),
    *("savings, %", "paper", "savings in simulation, %", "theory, %", "paper"),
    *("visits", "of these looked at"),
)


def _columns(part):
    """The paper does not say which folds and classes it counts: a fold is nearest."""
    return [column.format(part) for column in _COLUMNS]


def _beside(rows, part, paper, saved):
    full, opt, epsilon, theory = _totals(rows, *_PAPER)
    n_parts = len({row[part] for row in rows})
    published = [number(value, d) for value, d in zip(paper, (3, 1, 1, 1, 2))]
    visits, seen = (sum(row[kind] for row in rows) for kind in ("n_visits", "n_seen"))
    return [
        *(number(epsilon, 3), published[0]),
        *(number(full / 1e3), number(full / n_parts / 1e3), published[1]),
        *(number(opt / n_parts / 1e3), published[2]),
        *(number(100 * (1 - opt / full)), published[3], number(saved)),
        *(number(100 * theory / full, 2), published[4]),
        *(visits, seen),
    ]


def _totals(rows, scale, kappa):
    """Chains of full ladders and of the optimized solution, eps, theory's chains.

    Over all visits, as those looked at have it on average.
    """
    full = opt = theory = epsilon = n = 0.0
    for row in rows:
        times = row["n_visits"] / row["n_seen"]
        full += times * row[f"full_{scale}_{kappa:g}"]
        theory += times * row["theory"]
        epsilon += row["n_visits"] * row["epsilon"]
        n += row["n_visits"]
        complete = row["n_ordered"] == row["n_seen"]
        opt += times * row[f"opt_{scale}_{kappa:g}"] if complete else np.nan
    return full or np.nan, opt, epsilon / n, theory


def _saved(rows):
    run, ladder = (sum(row[f"chains_{k}"] for row in rows) for k in ("run", "ladder"))
    return 100 * (1 - run / ladder) if ladder else None


def points(rows, guesses, predictions, name):
    """By m and kappa: chains a sum, of these taken, Guess Error and prediction error.

    Parameters
    ----------
    rows : list of dict
        Of Table IX.
    guesses, predictions : lists of dict
        Records of Guess Error and of prediction error, by Gibbs.
    name : str
        The set.
    """
    rows = [row for row in rows if row["name"] == name]
    n_visits = sum(row["n_visits"] for row in rows)
    n_steps = 10 * load(name)[0].shape[1] ** 2
    guesses = means(guesses, "label", "scale", "kappa", "effort")
    predictions = grouped(predictions, "name", "sampler", "n_steps", "scale", "kappa")
    found = {}
    for scale, kappa in product(SCALES, KAPPAS):
        full, opt, _, _ = _totals(rows, scale, kappa) if rows else (np.nan,) * 4
        guess = guesses.get(("G", scale, kappa, n_steps))
        found[scale, kappa] = (
            full / n_visits if rows else np.nan,
            opt / n_visits if rows else np.nan,
            guess[0] if guess else None,
            errors(predictions.get((name, "G", n_steps, scale, kappa), [])),
        )
    return found


def summary(found):
    """`points` as a table."""
    header = (
        *("m", "kappa", "chains a sum", "of these taken"),
        *("Guess Error, %", "prediction error, %"),
    )
    return header, [
        (scale, f"{kappa:g}", number(full), number(opt), cell(guess), cell(error))
        for (scale, kappa), (full, opt, guess, error) in found.items()
    ]
