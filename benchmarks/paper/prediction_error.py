"""Prediction error of the samplers: Tables V to VII, and chains for Tables VIII, IX."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import time
from itertools import product

from benchmarks.paper.protocol import (
    EXACT,
    GAPS,
    LAWS,
    MISSING,
    SAMPLERS,
    fold,
    in_intervals,
    n_attributes,
    n_folds,
    sampling,
    simulated,
    steps,
    winnow,
)
from benchmarks.paper.published import (
    N_ATTRIBUTES,
    N_STEPS,
    SETS,
    TABLE_V,
    TABLE_VI,
    TABLE_VII,
)
from benchmarks.paper.tables import NOTHING, cell, errors, grouped, interval, number
from benchmarks.paper.training import OneWinnow

_VOTES = "house-votes-84"


def uci(name, sampler, n_steps, scale, kappa, fold_):
    """One fold of a set of the UCI repository under one sampler."""
    X, y, X_test, y_test = fold(name, fold_)
    X, X_test = in_intervals(X, y, X_test)
    chains = sampling(
        sampler,
        n_steps=n_steps,
        burn_in=steps(name)[0],
        ladder_scale=scale,
        ladder_step=kappa,
    )
    model = winnow(chains, missing=MISSING.get(name, "unspecified"))
    return _train_and_test(model, X, y, X_test, y_test)


def monotone(law, n, sampler, set_):
    """One simulated set under one sampler, by one Winnow."""
    X, y, X_test, y_test = simulated(law, n, set_)
    one = OneWinnow(winnow(sampling(sampler, n_steps=10_000, burn_in=n**2)), 1)
    start = time.process_time()
    one.fit(X, y)
    seconds = time.process_time() - start
    return _result(one.error(X_test, y_test), seconds, len(one.mistakes), one.chains)


def _train_and_test(model, X, y, X_test, y_test):
    start = time.process_time()
    model.fit(X, y)
    seconds = time.process_time() - start
    error = 1 - model.score(X_test, y_test)
    return _result(error, seconds, model.n_iter_, model.chains_)


def _result(error, seconds, n_epochs, chains):
    return {
        "error": round(float(error), 6),
        "fit_s": round(seconds, 3),
        "n_iter": n_epochs,
        **{f"chains_{kind}": chains[kind] for kind in ("run", "simulated", "ladder")},
    }


def _tasks(cells, folds=None):
    """A task for each fold of name, sampler, n_steps, scale and kappa."""
    names = "name", "sampler", "n_steps", "scale", "kappa", "fold_"
    return [
        dict(zip(names, (*cell, i)))
        for cell in cells
        for i in range(n_folds(cell[0]))[:folds]
    ]


def table_v(sets=(*SETS, GAPS), samplers=(EXACT, *SAMPLERS), folds=None):
    """Six sets; T_0 = n^2, T_s = 10 n^2; the paper's ladder."""
    cells = product(sets, samplers)
    return _tasks(((name, s, steps(name)[1], "sum", 1.0) for name, s in cells), folds)


def table_vi(all_steps=N_STEPS, samplers=SAMPLERS, scales=("sum", "range"), folds=None):
    """Voting, from 800 to 16,000 steps; the paper's ladder first, then cheap cells."""
    cells = sorted(product(scales, all_steps, samplers), key=_cost)
    return _tasks(((_VOTES, s, n, scale, 1.0) for scale, n, s in cells), folds)


def _cost(cell):
    """The order of cells: Metropolis takes about 2.5 times as long as the others."""
    scale, n_steps, sampler = cell
    return scale != "sum", n_steps * (2.5 if sampler in ("M", "M+PT") else 1)


def table_vii(all_n=N_ATTRIBUTES, samplers=(EXACT, *SAMPLERS), n_sets=10):
    """Simulated sets, T_s = 10,000; under the second law fewer samplers."""
    return [
        {"law": law, "n": n, "sampler": sampler, "set_": i}
        for law in LAWS
        for n in all_n
        for sampler in samplers
        if law == "long" or sampler in (EXACT, "G")
        for i in range(n_sets)
    ]


def ladders():
    """Voting by Gibbs on shorter ladders, T_s = 10 n^2."""
    n_steps = 10 * n_attributes(_VOTES) ** 2
    cells = product(("sum", "max", "range"), (1.0, 2.0, 4.0, 8.0))
    return _tasks((_VOTES, "G", n_steps, *cell) for cell in cells)


# -- tables ----------------------------------------------------------------------------


def summary_v(rows):
    """Table V: a line a set, a column a sampler."""
    rows = [
        row
        for row in rows
        if (row["scale"], row["kappa"]) == ("sum", 1.0)
        and row["n_steps"] == steps(row["name"])[1]
    ]
    found = grouped(rows, "name", "sampler")
    lines = [(name, _beside(found, TABLE_V, name)) for name in (*SETS, GAPS)]
    return ("set", *_HEADER), [(name, *cells) for name, cells in lines]


def summary_vi(rows):
    """Table VI: a line a number of steps and a ladder; exact sums know neither."""
    exact = grouped([row for row in rows if row["sampler"] == EXACT], "name")
    lines = []
    for scale in ("sum", "range"):
        of_scale = [
            row
            for row in rows
            if (row["name"], row["scale"], row["kappa"]) == (_VOTES, scale, 1.0)
        ]
        found = grouped(of_scale, "n_steps", "sampler")
        for n_steps in N_STEPS:
            found[n_steps, EXACT] = exact.get(_VOTES, [])
            if any(found.get((n_steps, sampler)) for sampler in SAMPLERS):
                lines.append((scale, n_steps, *_beside(found, TABLE_VI, n_steps)))
    return ("m", "T_s", *_HEADER), lines


def summary_vii(rows):
    """Table VII: a line a law and a number of attributes."""
    lines = []
    for law, of_law in grouped(rows, "law").items():
        found = grouped(of_law, "n", "sampler")
        lines += [(law, n, *_beside(found, TABLE_VII, n)) for n in N_ATTRIBUTES]
    return ("law", "n", *_HEADER), lines


_HEADER = (*SAMPLERS, EXACT)


def _beside(found, published, key):
    """Ours, and the paper's in brackets, of each sampler; its BF is exact here."""
    cells = []
    for label in _HEADER:
        ours = errors(found.get((key, label), []))
        of_paper = published.get((key, "BF" if label == EXACT else label))
        cells.append(f"{cell(ours)} ({cell(of_paper)})")
    return cells


def summary_of_cost(rows):
    """Table V's other side: seconds, and chains in training of all folds."""
    header = (
        *("set", "sampler", "m", "kappa", "T_s", "error, %", "fit, s a fold"),
        *("chains, 1000 a fold", "saved, %", "folds"),
    )
    keys = "name", "sampler", "scale", "kappa", "n_steps"
    lines = []
    for key, group in grouped(rows, *keys).items():
        run, ladder = (
            sum(row[f"chains_{kind}"] for row in group) for kind in ("run", "ladder")
        )
        seconds, _ = interval([row["fit_s"] for row in group])
        lines.append(
            (
                *(*key[:3], f"{key[3]:g}", key[4], cell(errors(group))),
                *(number(seconds, 2), number(run / len(group) / 1e3)),
                number(100 * (1 - run / ladder)) if ladder else NOTHING,
                len(group),
            )
        )
    return header, lines
