"""Vocabulary: the words in which a fitted model is read."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from sklearn_dnfwinnow._pipelines._inverse_transforms import before
from sklearn_dnfwinnow._pipelines._preimages import CategoricalPreimage
from sklearn_dnfwinnow._pipelines._steps import steps_of, through
from sklearn_dnfwinnow._preprocessing._columns import (
    check_table,
    column_label,
    columns_of,
)
from sklearn_dnfwinnow._preprocessing._literal_columns import (
    literal_columns,
    with_literals,
)
from sklearn_dnfwinnow._preprocessing._named_columns import named_columns
from sklearn_dnfwinnow._terms._term_model import TermModelMixin
from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._winnow._model import Model
from sklearn_dnfwinnow.inspection._literal import Literal
from sklearn_dnfwinnow.inspection._literal_text import wording
from sklearn_dnfwinnow.inspection._term import Term

# What lists of terms call the empty term, which every row satisfies.
BASELINE = "(baseline)"


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """What the columns and codes of a fitted model say, in words of a table.

    The table is the one that the estimator takes, if every step before the classifier
    is understood, see `_inverse_transforms`. Otherwise it is the output of the last
    step that is not.

    Parameters
    ----------
    classifier : DNFWinnowClassifier
        Fitted.

    model : Model
        Of the classifier.

    steps : list of transformers
        All that rows go through before the classifier.

    readable_from : int
        How many of the first steps make the table. 0 if the estimator takes it.

    preimages : list of CategoricalPreimage or NumericPreimage
        Which values in the table have which code of each attribute of the classifier.

    table_features : tuple of str
        Names of the columns of the table, as many as are known.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.inspection._term_decoder import Vocabulary
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> pipeline = make_pipeline(
    ...     ClassEntropyDiscretizer(max_intervals=3), DNFWinnowClassifier()
    ... )
    >>> words = Vocabulary.of(pipeline.fit(X, y))
    >>> print(words.term([(2, 1), (3, 2)]))
    petal length (cm) <= 2.5 & petal width (cm) in (0.8, 1.75]
    """

    classifier: TermModelMixin
    model: Model
    steps: list
    readable_from: int
    preimages: list
    table_features: tuple

    @classmethod
    def of(cls, estimator):
        """That of a fitted estimator.

        Parameters
        ----------
        estimator : DNFWinnowClassifier, Pipeline that ends with one, or a search

        Returns
        -------
        vocabulary : Vocabulary

        Raises
        ------
        TypeError
            If there is no DNFWinnowClassifier.
        NotFittedError
            If it is not fitted.

        Warns
        -----
        UserWarning
            If a classifier without steps has columns as a discretizer makes them.
        """
        steps, classifier = steps_of(estimator)
        if not steps:
            _warn_of_codes(classifier)
        return cls._read_from(None, steps, classifier, Model.of(classifier))

    @classmethod
    def of_rows(cls, estimator, X):
        """That of a fitted estimator, and the codes of some rows.

        The words are true of these rows: where a preimage finds another code in a row
        than the estimator, as if it depends on the type of a missing value, no step
        counts as understood.

        Returns
        -------
        vocabulary : Vocabulary
        codes : ndarray of shape (n_samples, n_features), int32
            As the classifier has them.
        """
        words = cls.of(estimator)
        codes = words.codes(X)
        if words.readable_from < len(words.steps) and not words._agrees(X, codes):
            words = cls._read_from(
                len(words.steps), words.steps, words.classifier, words.model
            )
        return words, codes

    @classmethod
    def _read_from(cls, readable_from, steps, classifier, model):
        """The vocabulary of the table behind some steps; None: as few as can be."""
        encoder = model.encoder
        preimages = [
            CategoricalPreimage(
                column=j,
                codes=encoder.codes_of(j),
                missing=encoder.code_of_missing(j),
                is_direct=True,
            )
            for j in range(classifier.n_features_in_)
        ]
        if readable_from is None:
            readable_from, preimages = before(steps, preimages)
        return cls(
            classifier=classifier,
            model=model,
            steps=steps,
            readable_from=readable_from,
            preimages=preimages,
            table_features=_table_features([*steps, classifier], readable_from),
        )

    def _agrees(self, X, codes):
        """Whether the preimages find the codes of some rows."""
        columns = self.columns(X)
        return all(
            np.array_equal(preimage.codes_of(columns[preimage.column]), codes[:, j])
            for j, preimage in enumerate(self.preimages)
        )

    @property
    def transformed_by(self):
        """Names of the steps that make the table; none if the estimator takes it."""
        return tuple(type(step).__name__ for step in self.steps[: self.readable_from])

    @property
    def features(self):
        """Names of the attributes of the classifier: its own, or those in the table."""
        names = getattr(self.classifier, "feature_names_in_", None)
        if names is None:
            names = [self.table_features[p.column] for p in self.preimages]
        return tuple(map(str, names))

    @property
    def classes(self):
        """Class labels, as objects of Python's own where it has such."""
        return self.classifier.classes_.tolist()

    # -- rows --------------------------------------------------------------------------

    def table(self, X):
        """The table that literals speak of, from what the estimator takes."""
        return through(self.steps[: self.readable_from], X)

    def columns(self, X):
        """Columns of this table, as `Term.holds` takes them: list of ndarrays."""
        every = list(range(len(self.table_features)))
        return named_columns(self.table(X), self.table_features, every)

    def codes(self, X):
        """Codes of all rows, as the classifier has them: (n_samples, n_features)."""
        classifier = self.classifier
        X = check_table(classifier, through(self.steps, X), reset=False)
        label = partial(column_label, classifier)
        columns = columns_of(X, classifier, exact=True)
        return self.model.encoder.encode(columns, label)

    # -- words -------------------------------------------------------------------------

    @cached_property
    def _columns(self):
        return literal_columns(self.model.literals, self.model.encoder.categories_)

    def term(self, pairs):
        """The term of some pairs of column and code, in the order of attributes."""
        pairs = sorted(pairs, key=lambda pair: (self._columns[pair[0]].attribute, pair))
        return Term(tuple(self.literal(*pair) for pair in pairs))

    def listed(self, term):
        """The text of a HeavyTerm in a list of terms."""
        return str(self.term(term.literals)) if term.literals else BASELINE

    def record(self, term):
        """What there is to say of a HeavyTerm, its exponent in whole promotions."""
        return {
            "term": self.listed(term),
            "size": len(term.literals),
            "exponent": term.exponent / self.model.denominator,
            "log_weight": term.log_weight,
        }

    def literal(self, column, code):
        """What it says that a column of the model has a code.

        Parameters
        ----------
        column : int
            Of `Model.literal_updates`.

        code : int
            From 1 to the largest of this column.

        Returns
        -------
        literal : Literal

        Raises
        ------
        ValueError
            If the column does not have this code.
        """
        stands_for = self._columns[column]
        n_codes = len(stands_for.relations)
        if not 1 <= code <= n_codes:
            raise ValueError(f"Column {column} has codes 1 to {n_codes}; got {code}.")
        preimage = self.preimages[stands_for.attribute]
        codes = self._codes_with(stands_for, code)
        compared = code if stands_for.value is None else stands_for.value
        relation, label = wording(
            stands_for.relations[code - 1], compared, codes, preimage
        )
        found = preimage.among(codes)
        if isinstance(preimage, CategoricalPreimage):
            meaning = {"values": found.listed, "complement": found.complement}
        else:
            meaning = {"intervals": tuple(map(preimage.ends, found))}
        return Literal(
            column=preimage.column,
            feature=self.table_features[preimage.column],
            relation=relation,
            label=label,
            missing=preimage.missing in codes,
            **meaning,
        )

    def _codes_with(self, stands_for, code):
        """Codes of an attribute with which one of its columns has a code."""
        values = self.model.encoder.categories_[stands_for.attribute]
        every = np.arange(len(values) + 1)[:, None]
        columns = with_literals(every, self.model.literals, [values])
        return set(np.flatnonzero(columns[:, stands_for.place] == code).tolist())


def _warn_of_codes(classifier):
    """Warn if a classifier seems to be a step of a pipeline, taken out of it."""
    encoded = [
        column_label(classifier, j)
        for j, values in enumerate(classifier.categories_)
        # Whole floats from 0, three or more: two may be what a column holds.
        if values.dtype.kind == "f"
        and (present := values[~np.isnan(values)]).size > 2
        and np.array_equal(np.sort(present), np.arange(present.size))
    ]
    if encoded:
        warnings.warn(
            f"Column(s) {', '.join(encoded)} hold the numbers 0.0, 1.0, 2.0, ..., like "
            "the output of a discretizer or an encoder, and terms show these numbers. "
            "If the classifier is a step of a pipeline, pass the whole pipeline to "
            "the functions of sklearn_dnfwinnow.inspection, for terms in the units of "
            "the table.",
            UserWarning,
            stacklevel=stacklevel_of_caller(),
        )


def _table_features(steps, readable_from):
    """Names of the columns that come into a step."""
    reader = steps[readable_from]
    names = getattr(reader, "feature_names_in_", None)
    if names is None:
        names = _names_out(steps[:readable_from])
    if names is None or len(names) != reader.n_features_in_:
        return tuple(f"x{j}" for j in range(reader.n_features_in_))
    return tuple(map(str, names))


def _names_out(steps):
    """Names of the columns that steps make; None if they do not know."""
    names = None
    for step in steps:
        try:
            names = step.get_feature_names_out(names)
        except Exception:  # whatever keeps a foreign step from telling
            return None
    return names
