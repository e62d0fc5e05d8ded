"""Vocabulary: the words in which a fitted model is read."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from sklearn_dnfwinnow._classifier import DNFWinnowClassifier
from sklearn_dnfwinnow._columns import check_table, column_label, columns_of
from sklearn_dnfwinnow._literal import Literal
from sklearn_dnfwinnow._literals import literal_columns, with_literals
from sklearn_dnfwinnow._model import Model
from sklearn_dnfwinnow._named_columns import named_columns
from sklearn_dnfwinnow._sources import sources_of, steps_of, through
from sklearn_dnfwinnow._term import Term
from sklearn_dnfwinnow._wording import intervals_of, wording


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """What the columns and codes of a fitted model say, in words of a table.

    The table is what was given to the estimator, if every step before the classifier is
    understood: those that cut, select or rearrange columns. Else it is what the last
    step makes that is not.

    Parameters
    ----------
    classifier : DNFWinnowClassifier
        Fitted.

    model : Model
        Of the classifier.

    steps : list of transformers
        All that rows go through before the classifier.

    readable_from : int
        How many of the first steps make the table. 0 if it is what was given.

    sources : list of Source
        What each attribute of the classifier is in the table.

    table_features : tuple of str
        Names of the columns of the table, as many as are known.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
    >>> from sklearn_dnfwinnow._vocabulary import Vocabulary
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> pipeline = make_pipeline(
    ...     ClassEntropyDiscretizer(max_intervals=3), DNFWinnowClassifier()
    ... )
    >>> words = Vocabulary.of(pipeline.fit(X, y))
    >>> print(words.term([(2, 1), (3, 2)]))
    petal length (cm) <= 2.5 & petal width (cm) in (0.8, 1.75]
    """

    classifier: DNFWinnowClassifier
    model: Model
    steps: list
    readable_from: int
    sources: list
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
        """
        steps, classifier = steps_of(estimator)
        readable_from, sources = sources_of(steps, classifier.n_features_in_)
        return cls(
            classifier,
            Model.of(classifier),
            steps,
            readable_from,
            sources,
            _table_features([*steps, classifier], readable_from),
        )

    @property
    def features(self):
        """Names of the attributes of the classifier: its own, or those in the table."""
        names = getattr(self.classifier, "feature_names_in_", None)
        if names is None:
            names = [self.table_features[source.column] for source in self.sources]
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

    def record(self, term):
        """What there is to say of a HeavyTerm, its exponent in whole promotions."""
        return {
            "term": str(self.term(term.literals)),
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
        attribute = stands_for.attribute
        source = self.sources[attribute]
        # As the encoder looks them up: an array may have rounded them.
        known = [None, *self.model.encoder._codes[attribute]]
        codes = self._codes_with(stands_for, code)
        values = [known[code] for code in codes]
        missing = None in values or self._code_of_missing(attribute) in codes
        values = tuple(value for value in values if value is not None)
        compared = known[code if stands_for.value is None else stands_for.value]
        relation = stands_for.relations[code - 1]
        is_cut = source.cut_points is not None
        return Literal(
            source.column,
            self.table_features[source.column],
            *wording(relation, compared, source.labels, missing),
            None if is_cut else values,
            intervals_of(values, source.cut_points) if is_cut else None,
            missing,
        )

    def _codes_with(self, stands_for, code):
        """Codes of an attribute with which one of its columns has a code."""
        values = self.model.encoder.categories_[stands_for.attribute]
        every = np.arange(len(values) + 1)[:, None]
        columns = with_literals(every, self.model.literals, [values])
        return np.flatnonzero(columns[:, stands_for.place] == code).tolist()

    def _code_of_missing(self, attribute):
        """Of a missing value that becomes another in new rows; 0 if it does not."""
        encoder = self.model.encoder
        if encoder.missing != "most_frequent":
            return 0
        return int(encoder._frequencies[attribute].sum(axis=0).argmax())


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
