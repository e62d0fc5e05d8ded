"""The schema of a model of a DNFWinnowClassifier: its four values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np

from sklearn_dnfwinnow._terms._background import MOST_ROWS, Background
from sklearn_dnfwinnow._terms._chosen_terms import ChosenTerms
from sklearn_dnfwinnow._terms._screening import LONGEST
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._json_values import check
from sklearn_dnfwinnow._winnow._model import Model
from sklearn_dnfwinnow._winnow._net_counts import LARGEST_SUM, check_sum, largest_sum
from sklearn_dnfwinnow._winnow._parts._stored_examples import StoredExamples
from sklearn_dnfwinnow._winnow._parts._training_record import TrainingRecord
from sklearn_dnfwinnow._winnow._parts._weighting import Weighting
from sklearn_dnfwinnow._winnow._selection._selection import VALIDATION
from sklearn_dnfwinnow._winnow._settings import CONSTRAINTS
from sklearn_dnfwinnow.persistence._conditions import conditions
from sklearn_dnfwinnow.persistence._encoding import encoding
from sklearn_dnfwinnow.persistence._schema import (
    FLAG,
    NOTHING,
    SEED,
    VALUE,
    ListOf,
    Numbers,
    OneOf,
    Record,
    fitted,
    integer,
    number,
    optional,
)

#: The scale of a model.
SCALE = number(1e-100, 1e100)
# Any term is shorter. Products with a number of values, and scores, are finite.
_LARGEST_SIZE, _LARGEST = 2**31 - 1, 1e300
# Products of thresholds or offsets and scales are finite, and so are sums of these.
_SHIFT = 1e100
_COUNT = integer(0, LARGEST_SUM)


def model(n_classes):
    """Return the schema of a Model, without the settings of a call."""
    fields = {
        "encoding": encoding(n_classes),
        "stored": lambda found: _examples(found.encoding, n_classes),
        "weighting": lambda found: _weighting(found.encoding.n_columns, n_classes),
        "record": lambda found: _record(found.encoding.n_known, n_classes),
    }
    return Record(fields, partial(Model, settings=None))


def _codes(n_values):
    """Return the schema of rows of codes."""
    return Numbers(np.int32, low=0, high=int(n_values.max()), shape=(-1, len(n_values)))


def _check_codes(rows, n_values):
    """Check that rows of codes are distinct, and have the codes of their columns."""
    check((rows <= n_values).all(), "codes of values", rows.max(initial=0))
    is_distinct = len(distinct_rows(rows)[0]) == len(rows)
    check(is_distinct, "rows of codes that are distinct", len(rows))


def _examples(encoding, n_classes):
    """Return the schema of the stored examples."""
    largest = np.iinfo(np.int64).max

    def n_values(found):
        return encoding.n_values if found.are_terms else encoding.n_known

    def check_examples(found, _):
        _check_codes(found.examples, n_values(found))
        if found.are_terms:
            n_literals = np.count_nonzero(found.examples, axis=1)
            right = (n_literals <= LONGEST).all() and not n_literals.all()
            check(right, f"terms of 0 to {LONGEST} literals", n_literals)
            in_order = ChosenTerms.of_rows(found.examples, encoding.n_values).rows
            right = np.array_equal(in_order, found.examples)
            check(right, "terms by size and literals", len(in_order))
        check_sum(largest_sum(found.net_counts), found.denominator)
        for own, net in zip(found.own, found.net_counts):
            check(not np.delete(net, own).any(), "places of all updates", own)
            repeats = len(own) - len(np.unique(own))
            check(repeats == 0, "places of updates without repeats", repeats)

    fields = {
        "are_terms": FLAG,
        "examples": lambda found: _codes(n_values(found)),
        "net_counts": lambda found: Numbers(
            np.int64, -largest, largest, shape=(n_classes, len(found.examples))
        ),
        "denominator": integer(1, largest),
        "own": lambda found: ListOf(
            Numbers(np.intp, 0, len(found.examples) - 1), n_classes
        ),
        "versions": ListOf(_COUNT, n_classes),
    }
    return Record(fields, StoredExamples, check=check_examples)


def _weighting(n_columns, n_classes):
    """Return the schema of the weighting."""
    fields = {
        name: fitted(CONSTRAINTS[name], kind, _LARGEST)
        for name, kind in (
            ("alpha", float),
            ("literal_weight", float),
            ("update", str),
            ("margin", float),
        )
    }
    fields |= {
        "scale": SCALE,
        "max_term_size": optional(integer(1, _LARGEST_SIZE)),
        "log_threshold": number(-_SHIFT, _SHIFT),
        "offsets": Numbers(np.float64, -_SHIFT, _SHIFT, shape=(n_classes,)),
        "conditions": conditions(n_columns, n_classes),
        "seed": SEED,
        "screening": optional(fitted(CONSTRAINTS["screening"], float, _LARGEST)),
    }
    return Record(fields, Weighting)


def _record(n_values, n_classes):
    """Return the schema of the record of training."""
    fields = {
        "n_iter": integer(1, LARGEST_SUM),
        "n_mistakes": Numbers(np.int64, 0, LARGEST_SUM, shape=(-1, n_classes)),
        "chains": Record(dict.fromkeys(("run", "ladder", "simulated"), _COUNT)),
        "sums": Record(dict.fromkeys(("full", "skipped"), _COUNT)),
        "validation": optional(_VALIDATION),
        "background": background(n_values),
    }
    return Record(fields, TrainingRecord)


def background(n_values):
    """Return the schema of a sample of the training rows."""

    def check_background(found, _):
        weights, codes = found.weights, found.codes
        check(0 < len(weights) <= MOST_ROWS, f"1 to {MOST_ROWS} rows", len(weights))
        with np.errstate(over="ignore"):
            right = (weights > 0).all() and np.isfinite(weights.sum())
        check(right, "positive weights with a finite sum", weights.min())
        check(len(codes) == len(weights), f"{len(weights)} rows of codes", len(codes))
        _check_codes(codes, n_values)

    fields = {"weights": Numbers(np.float64), "codes": _codes(n_values)}
    return Record(fields, Background, check=check_background)


# -- the results of the internal cross-validation --------------------------------------


def _check_validation(found, _):
    lengths = {len(column) for column in vars(found).values()}
    check(len(lengths) == 1, "columns of equal lengths", lengths)


_COLUMNS = {
    np.int64: Numbers(np.int64, 0, LARGEST_SUM),
    np.float64: Numbers(np.float64, missing=True),
    object: ListOf(OneOf(NOTHING, VALUE), make=partial(np.array, dtype=object)),
}
_VALIDATION = Record(
    {name: _COLUMNS[dtype] for name, dtype in VALIDATION.items()},
    check=_check_validation,
)
