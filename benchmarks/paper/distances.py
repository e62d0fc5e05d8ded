"""Distances: how far sums are from theta, by alpha; and Theorem 7 on each sum.

The paper prints the mean of |W - theta| / theta of four sets, but not alpha, which the
mean depends on. Theorem 7 states that |ln(W / theta)| chains are saved if the guess is
right. Chains are whole, and its proof holds for that number rounded down only.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from functools import cached_property

import numpy as np

from benchmarks.paper.ladders import n_chains, taken
from benchmarks.paper.protocol import fold, in_intervals, load, n_folds, winnow
from benchmarks.paper.published import TABLE_IX
from benchmarks.paper.tables import NOTHING, grouped, number
from benchmarks.paper.training import OneWinnow
from sklearn_dnfwinnow.samplers import Gibbs

ALPHAS = 1.5, 2.0, 3.0
#: By set: every how manieth visit is looked at, and how many folds, None being all.
EFFORT = {
    "iris": (1, None),
    "car": (100, None),
    "breast-cancer": (10, None),
    "house-votes-84": (20, None),
    "auto": (100, 1),
}
_PAPER = "sum", 1.0


def tasks(sets=tuple(EFFORT), alphas=ALPHAS, folds=None, every=None):
    """All classes of the sets whose sums are exact; auto, of no printed mean, once."""
    found = []
    for name in sets:
        every_, folds_ = EFFORT[name]
        found += [
            {
                "name": name,
                "alpha": alpha,
                "fold_": i,
                "class_": k,
                "every": every or every_,
            }
            for alpha in (alphas if TABLE_IX[name][0] else alphas[:1])
            for i in range(n_folds(name))[: folds or folds_]
            for k in range(len(np.unique(load(name)[1])))
        ]
    return found


def run(name, alpha, fold_, class_, every):
    """Every so manieth visit of one Winnow of one fold."""
    X, y, X_test, _ = fold(name, fold_)
    X, _ = in_intervals(X, y, X_test)
    positive = np.unique(load(name)[1])[class_]
    counter = _Counter()
    model = winnow(sampler="auto", alpha=alpha)
    one = OneWinnow(model, positive, counter, every).fit(X, y)
    return {"n_visits": one.n_visits, **counter.result()}


class _Counter:
    """Sums over visits, of what the tables are made of."""

    def __init__(self):
        self._epsilons, self._theory, self._full = [], [], []
        self._saved, self._saved_by_guess = [], []

    @cached_property
    def _engines(self):
        scale, kappa = _PAPER
        return {_PAPER: Gibbs(ladder_scale=scale, ladder_step=kappa).engine()}

    def __call__(self, visit):
        log_ratio = visit.exact.log_value - visit.log_threshold
        ladder = {_PAPER: n_chains(self._engines[_PAPER], visit)}
        right = replace(visit, guess=bool(log_ratio >= 0))
        self._epsilons.append(abs(np.expm1(log_ratio)))
        # ln(1 + eps) or -ln(1 - eps), with 1 +- eps = W / theta.
        self._theory.append(abs(log_ratio))
        self._full.append(ladder[_PAPER])
        for of_guess, saved in (
            (right, self._saved),
            (visit, self._saved_by_guess),
        ):
            used = taken(self._engines, ladder, of_guess)[_PAPER]
            saved.append(ladder[_PAPER] - used)

    def result(self):
        saved, full = np.array(self._saved), np.array(self._full)
        # No more than all chains can be saved.
        promised = np.minimum(self._theory, full)
        whole = np.floor(promised)
        return {
            "n_seen": len(full),
            "epsilon": f"{np.mean(self._epsilons):.6g}",
            "full": full.sum(),
            "theory": f"{sum(self._theory):.6g}",
            "promised": f"{promised.sum():.6g}",
            "whole": int(whole.sum()),
            "saved": saved.sum(),
            "saved_by_guess": sum(self._saved_by_guess),
            "n_below_promised": int((saved < promised).sum()),
            "n_below_whole": int((saved < whole).sum()),
        }


# -- tables ----------------------------------------------------------------------------


def summary_of_alpha(rows):
    """The mean distance to theta by alpha, and the paper's: header and rows."""
    header = ("set", *(f"alpha = {alpha:g}" for alpha in ALPHAS), "paper")
    found = grouped(rows, "name", "alpha")
    return header, [
        (
            name,
            *(number(_mean(found.get((name, alpha), [])), 2) for alpha in ALPHAS),
            number(TABLE_IX[name][0], 3),
        )
        for name in grouped(rows, "name")
        if TABLE_IX[name][0]
    ]


def _mean(rows):
    visits = sum(row["n_visits"] for row in rows)
    return sum(row["n_visits"] * row["epsilon"] for row in rows) / (visits or np.nan)


def summary_of_theorem_7(rows):
    """Chains saved in theory, for certain, and in fact, at the least alpha."""
    header = (
        *("set", "sums", "theory, %", "at most all chains, %", "rounded down, %"),
        *("saved, %", "saved with guesses, %"),
        *("sums below theory", "below it rounded down"),
    )
    lines = []
    for name, of_name in grouped(
        [row for row in rows if row["alpha"] == ALPHAS[0]], "name"
    ).items():
        total = {
            key: sum(row[key] for row in of_name)
            for key in of_name[0]
            if key not in ("name", "epsilon")
        }
        shares = (
            number(100 * total[key] / total["full"], 2) if total["full"] else NOTHING
            for key in ("theory", "promised", "whole", "saved", "saved_by_guess")
        )
        lines.append(
            (
                *(name, total["n_seen"], *shares),
                *(total["n_below_promised"], total["n_below_whole"]),
            )
        )
    return header, lines
