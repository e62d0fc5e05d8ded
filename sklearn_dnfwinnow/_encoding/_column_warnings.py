"""Warnings of columns whose values are probably not categories."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
import warnings
from contextlib import contextmanager
from decimal import Decimal
from math import floor
from numbers import Real

import numpy as np

from sklearn_dnfwinnow._encoding._columns import is_missing
from sklearn_dnfwinnow._encoding._discretizer import EIGHTHS, chosen_discretizer
from sklearn_dnfwinnow._encoding._encoding import MANY_VALUES, Encoding
from sklearn_dnfwinnow._utils._estimators import warn

# Numbers are suitable as categories if half of the values have this many samples each:
# on data sets whose concept is an interval, 150 samples per value were as good as
# intervals, and 20 were 7 to 10 % worse.
_MANY_ROWS = 100
# A column with this fraction of distinct values, or more, identifies samples. A column
# of random categories reaches it with 5 categories per sample; then the categories of 4
# in 5 new samples do not occur in training.
_IDENTIFYING = 0.9
# Integers drawn from a range of R have as many that differ with a probability of about
# exp(-n^2 / 2 R): this is the largest n^2 / 2 R that is attributed to randomness.
_MOST_LUCK = 7.0
# Other categories are many if there are at least this many, with fewer rows each, on
# average, than this.
_MANY_CATEGORIES, _FEW_ROWS = 100, 5
# Values of a column that are looked at, and words of a free text, by the median.
_SAMPLE, _WORDS = 100, 4
# A number in decimal notation, but no code with leading zeros such as 00123.
_NUMBER = re.compile(r"\s*[+-]?(?!0\d)(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*", re.A | re.I)

_NUMBERS = Real, Decimal

_DAY, _MONTH, _YEAR = r"(0?[1-9]|[12]\d|3[01])", r"(0?[1-9]|1[0-2])", r"[12]\d{3}"
_NAME = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_TIME = (
    r"([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d+)?)?\s*([ap]\.?m\.?)?"
    r"\s*(z|utc|gmt|[+-]\d\d(:?\d\d)?)?"
)
_DAYS = [
    rf"{_YEAR}(?P<a>[-/.]){_MONTH}(?P=a){_DAY}",
    rf"{_DAY}(?P<b>[-/.]){_DAY}(?P=b){_YEAR}",  # the day or the month is first
    rf"{_DAY}/{_DAY}/\d\d",
    r"(0[1-9]|[12]\d|3[01])\.(0[1-9]|1[0-2])\.\d\d",
    r"(19|20)\d\d[-/](0[1-9]|1[0-2])",
    rf"{_DAY}\.?[- /]{_NAME}[- /]({_YEAR}|\d\d)",
    rf"{_NAME}\s+{_DAY}(st|nd|rd|th)?,?\s+{_YEAR}",
]
# A day, perhaps after its name and before a time; or a time alone.
_DATE = re.compile(
    rf"\s*((mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?({'|'.join(_DAYS)})"
    rf"((t|,?\s+){_TIME})?\s*|\s*{_TIME}\s*",
    re.A | re.I,
)

_DECLARE = "use a categorical dtype of pandas or polars if the numbers are codes"
#: What is said of the columns of each kind.
_SENTENCES = {
    "identifiers": (
        "{look} like {a}row identifier{s} (nearly all values differ): drop {them}."
    ),
    "dates": (
        "{hold} dates or times as text, each a category: replace {them} by numbers "
        "such as the month or the days since an event (pandas.to_datetime)."
    ),
    "text": (
        "{hold} free text, each a category: drop {them}, or replace {them} by columns "
        "of keywords (TfidfVectorizer)."
    ),
    "numbers": (
        "{hold} many numbers, each a category: set discretizer='auto' to cut {them} "
        f"into intervals, or {_DECLARE}."
    ),
    "text of numbers": (
        "{hold} numbers as text or of several types, each a category: convert {them} "
        f"with pandas.to_numeric(column, errors='coerce'), or {_DECLARE}."
    ),
    "categories": (
        "{hold} many categories with few rows each: merge rare categories, or drop "
        "{them}."
    ),
}
# The beginning of a warning.
_OF_CATEGORIES = r"Columns? .+ (looks? like|holds?) |No value of column"
_ONE = {"look": "looks", "hold": "holds", "a": "a ", "s": "", "them": "it"}
_SEVERAL = {"look": "look", "hold": "hold", "a": "", "s": "s", "them": "them"}


def encode_rows(rows, missing, discretizer):
    """Learn an encoding of training rows, and warn of doubtful columns.

    Parameters
    ----------
    rows : LabelledTable
    missing, discretizer : as of the classifiers
        The discretizer 'auto' cuts numbers at eighths.

    Returns
    -------
    encoding : Encoding
    codes : ndarray of shape (n_samples, n_features), int32
    """
    empty = Encoding.empty(
        n_features=len(rows.table.columns),
        n_classes=len(rows.class_weights),
        missing=missing,
        discretizer=chosen_discretizer(discretizer, rows.table, **EIGHTHS),
        nearest=discretizer is not None,
    )
    known = rows.table, rows.labels, rows.weights
    encoding, codes = empty.with_cuts(*known).learn(*known)
    warn_of_columns(rows, codes, encoding)
    return encoding, codes


def warn_of_columns(batch, codes, encoding, before=None):
    """Warn once of all columns of `column_sentences`, which see."""
    sentences = column_sentences(batch, codes, encoding, before)
    if sentences:
        # The text contains no numbers that differ between folds, because Python shows
        # equal warnings once.
        warn(" ".join(sentences))


@contextmanager
def without_column_warnings():
    """Do not warn of columns of categories, of which a caller has warned already."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=_OF_CATEGORIES)
        yield


def column_sentences(batch, codes, encoding, before=None):
    """Return sentences about the columns that now have more than `MANY_VALUES` values.

    For columns that are cut, there are warnings of identifiers only, in the first
    batch.

    Parameters
    ----------
    batch : LabelledTable
        The training samples.
    codes : ndarray of shape (n_samples, n_attributes), int32
        The same samples, encoded; columns of literals may follow.
    encoding : Encoding
        With the values of these samples.
    before : Encoding, default=None
        Without them; None if they are the first.

    Returns
    -------
    sentences : list of str
        One for each kind of columns; empty if all columns seem to be categories.
    """
    all_before = before.n_known if before else np.zeros(len(encoding.attributes))
    found = {kind: [] for kind in _SENTENCES}
    for j, column in enumerate(batch.table.columns):
        kind, places = None, batch.table.codes[:, j]
        attribute = encoding.attributes[j]
        has_many = all_before[j] <= MANY_VALUES < len(attribute.codes)
        if attribute.cut_points is not None:
            numbers, ranks = column.ranked
            if not all_before.any() and _are_identifiers(numbers, ranks[places]):
                kind = "identifiers"
        elif has_many:
            if column.is_numeric and _are_identifiers(column.values[1:], places):
                kind = "identifiers"
            else:
                kind = _kind(
                    codes[:, j],
                    attribute.categories,
                    column.is_numeric,
                    batch.declared[j],
                )
        if kind is not None:
            found[kind].append(batch.table.label(j))
    sentences = []
    for kind, labels in found.items():
        columns, words = ("Columns", _SEVERAL) if len(labels) > 1 else ("Column", _ONE)
        if labels:
            said = _SENTENCES[kind].format(**words)
            sentences.append(f"{columns} {', '.join(labels)} {said}")
    return sentences


def _kind(codes, values, numeric, declared):
    """Return the probable kind of a column with many values; None for categories."""
    counts = np.bincount(codes)[1:]
    counts = counts[counts > 0]
    if numeric or (not declared and _are_numbers(values)):
        kind = "numbers" if numeric else "text of numbers"
        return kind if np.median(counts) < _MANY_ROWS else None
    some = values[np.linspace(0, len(values) - 1, _SAMPLE).astype(int)]
    some = [value for value in some if isinstance(value, str)]
    # One value may represent missing ones.
    n_dates = sum(_DATE.fullmatch(text) is not None for text in dict.fromkeys(some))
    if n_dates > 1 and n_dates >= len(set(some)) - 1:
        return "dates"
    n_present = counts.sum()
    identifies = n_present > MANY_VALUES and len(counts) >= _IDENTIFYING * n_present
    are_rare = len(counts) >= _MANY_CATEGORIES and n_present < _FEW_ROWS * len(counts)
    if not identifies and (declared or not are_rare):
        return None
    if some and np.median([len(text.split()) for text in some]) >= _WORDS:
        return "text"
    return "identifiers" if identifies else "categories"


def _are_identifiers(numbers, places):
    """Return whether numbers are integers that differ, unlike those of a measure.

    They are not if randomness explains that they differ, unless they are sorted.

    Parameters
    ----------
    numbers : sequence
        Distinct numbers, ascending.
    places : ndarray of shape (n_samples,), int
        Place of the number of each sample, from 1; 0 if it is missing.
    """
    places = places[places > 0]
    n = len(places)
    if n <= MANY_VALUES or any(number != floor(number) for number in numbers):
        return False
    steps = np.diff(places)
    if (steps > 0).all() or (steps < 0).all():
        return True
    largest = float(numbers[-1]) - float(numbers[0])
    return len(numbers) == n and n**2 > 2 * _MOST_LUCK * largest


def _are_numbers(values):
    """Return whether values are numbers, or texts of numbers, but for one at most.

    That one may represent missing values, such as '?'.
    """
    others = [
        value
        for value in values
        if not is_missing(value)
        and not (isinstance(value, str) and _NUMBER.fullmatch(value))
        and (not isinstance(value, _NUMBERS) or isinstance(value, bool))
    ]
    return len(others) < 2
