"""Shapley values in ONNX: the part of a graph that computes them.

Sets of features are the first axis, and the logarithms of numbers are added up: the
weights of a small set can be far below those of all features.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import comb

import numpy as np

from sklearn_dnfwinnow.export._onnx_sums import sum_of_parts

# The logarithm of nothing; an infinite one gives NaN in differences.
_NOTHING = -1e300


def shapley_values_of_rows(graph, *, game, model, satisfied):
    """Append the Shapley values of rows.

    Parameters
    ----------
    graph : Graph
    game : ShapleyGame
    model : TermModel
    satisfied : list of Satisfied

    Returns
    -------
    values : str
        float64 of shape (n_rows, n_classes, n_features).
    """
    log_sums = [
        _log_sums_of_sets(graph, game=game, satisfied=one, masks=masks)
        for one, masks in zip(satisfied, game.masks)
    ]
    log_sums = sum_of_parts(graph, satisfied, log_sums)
    scores = graph.add("Sub", log_sums, model.log_thresholds[:, None])
    logits = graph.add("Mul", scores, np.array(model.scale))
    log_odds = _log_odds(graph, logits, len(model.log_thresholds))
    n_players = len(game.players)
    shares = np.zeros((len(game.features), 1 << n_players))
    shares[game.players] = _shares(n_players)
    of_classes = graph.add("Transpose", log_odds, perm=[1, 0, 2])
    values = graph.add("MatMul", shares, of_classes)
    by_row = graph.add("Transpose", values, perm=[2, 0, 1])
    return graph.add("Sub", by_row, game.mean_values)


def _log_sums_of_sets(graph, *, game, satisfied, masks):
    """Append log W of a part for each set of features.

    Parameters
    ----------
    graph : Graph
    game : ShapleyGame
    satisfied : Satisfied
    masks : list of int
        Masks of the listed terms of the part, see `ShapleyGame`.

    Returns
    -------
    log_sums : str
        float64 of shape (n_sets, n_classes, n_rows).
    """
    weights = satisfied.part.weights
    listed, n_listed = _listed_terms(
        graph, game=game, satisfied=satisfied, masks=np.array(masks)
    )
    bits = [1 << i for i in range(len(game.players))]
    counts = [_unsqueezed(graph, one, 0) for one in satisfied.counts]
    n_literals = _over_subsets(
        graph, "ReduceSum", counts, bits, game=game, nothing=np.array(0)
    )
    of_sets = graph.add("Gather", satisfied.n_terms, n_literals, axis=1)
    of_sets = graph.add("Transpose", of_sets, perm=[1, 2, 0, 3])
    logs = graph.add("Log", graph.add("Sub", of_sets, n_listed))
    logs = graph.add("Add", logs, weights.log_priors[:, None])
    logs = graph.add("Max", logs, np.array(_NOTHING))
    rest = graph.add("Gather", _log_sum(graph, logs, 2), weights.groups, axis=1)
    both = [_unsqueezed(graph, one, 0) for one in (listed, rest)]
    return _log_sum(graph, graph.add("Concat", *both, axis=0), 0)


def _listed_terms(graph, *, game, satisfied, masks):
    """Append the listed terms of a part in each set of features.

    Returns
    -------
    log_sums : str
        Logarithm of their weight: float64 of shape (n_sets, n_classes, n_rows).
    counts : str
        Their numbers: float64 of shape (n_sets, n_groups, n_sizes, n_rows).
    """
    weights = satisfied.part.weights
    log_weights = np.maximum(weights.log_weights, _NOTHING)
    is_of_size = weights.sizes == np.arange(len(satisfied.n_terms))[:, None]
    is_counted = (weights.allowed[:, None] & is_of_size).astype(np.float64)
    distinct, n_of_mask = np.unique(masks, return_counts=True)
    log_sums, counts, own = [], [], []
    # Sets that are those of equally many terms form one array.
    for n in np.unique(n_of_mask):
        of_n = distinct[n_of_mask == n]
        terms = np.array([np.flatnonzero(masks == mask) for mask in of_n])
        holds = _unsqueezed(graph, graph.add("Gather", satisfied.held, terms), 1)
        of_classes = np.moveaxis(log_weights[:, terms], 0, 1)[..., None]
        logs = graph.add("Where", holds, of_classes, np.array(_NOTHING))
        log_sums.append(_log_sum(graph, logs, 2))
        of_sizes = np.ascontiguousarray(np.moveaxis(is_counted[..., terms], 2, 0))
        counts.append(graph.add("MatMul", of_sizes, graph.cast(holds, np.float64)))
        own += of_n.tolist()
    log_sums = _over_subsets(
        graph, "ReduceLogSumExp", log_sums, own, game=game, nothing=np.array(_NOTHING)
    )
    counts = _over_subsets(
        graph, "ReduceSum", counts, own, game=game, nothing=np.array(0.0)
    )
    return log_sums, counts


def _over_subsets(graph, kind, parts, masks, *, game, nothing):
    """Append the sum over the subsets of each set of features.

    Parameters
    ----------
    kind : {'ReduceSum', 'ReduceLogSumExp'}
    parts : list of str
        Summands along the first axis, which has an entry for each of `masks`.
    masks : list of int
    nothing : ndarray of shape ()
        The summand of all other sets.
    """
    n = len(game.players)
    places = np.full(1 << n, len(masks))
    places[masks] = np.arange(len(masks))
    values = parts[0] if len(parts) == 1 else graph.add("Concat", *parts, axis=0)
    first = np.array([0])
    values = graph.add("Pad", values, np.array([0, 1]), nothing, first)
    values = graph.add("Gather", values, places)
    shape = graph.add("Shape", values)
    for i in range(n):
        pairs = graph.add("Reshape", values, np.array([1 << n - 1 - i, 2, -1]))
        without = graph.add("Gather", pairs, first, axis=1)
        both = graph.add(kind, pairs, np.array([1]), keepdims=1)
        values = graph.add("Concat", without, both, axis=1)
    # A size of 0 is that of no rows.
    return graph.add("Reshape", values, shape, allowzero=1)


def _log_odds(graph, logits, n_classes):
    """Append the log-odds of each class against all others, see `OneAgainstRest`."""
    others = np.where(np.eye(n_classes), _NOTHING, 0.0)[..., None]
    of_others = graph.add("Add", _unsqueezed(graph, logits, 1), others)
    return graph.add("Sub", logits, _log_sum(graph, of_others, 2))


def _shares(n):
    """Return the factors of the payoffs of sets in Shapley values: (n, 2 ** n)."""
    sets = np.arange(1 << n)
    has = sets >> np.arange(n)[:, None] & 1
    before = has.sum(axis=0) - has
    sizes = np.array([1.0 / (n * comb(n - 1, size)) for size in range(n)])
    # Without a feature, a set has at most n - 1.
    return np.where(has, 1.0, -1.0) * sizes[before]


def _log_sum(graph, logs, axis):
    """Append the logarithm of a sum along an axis, from the logarithms of numbers."""
    return graph.add("ReduceLogSumExp", logs, np.array([axis]), keepdims=0)


def _unsqueezed(graph, name, axis):
    """Return a named tensor with one more axis."""
    return graph.add("Unsqueeze", name, np.array([axis]))
