"""Term decoder: translates terms over codes into terms over the original features."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from sklearn_dnfwinnow._encoding._columns import named_columns, position_of
from sklearn_dnfwinnow._utils._display import transformation_notice
from sklearn_dnfwinnow._utils._estimators import TableModelMixin, TermModelMixin, warn
from sklearn_dnfwinnow.inspection._inverses import invert_discretizer, preimages_through
from sklearn_dnfwinnow.inspection._preimages import CategoricalPreimage, Values
from sklearn_dnfwinnow.inspection._steps import steps_of, transform_through
from sklearn_dnfwinnow.rules._literal import Literal
from sklearn_dnfwinnow.rules._term import Term
from sklearn_dnfwinnow.rules._text import (
    ELLIPSIS,
    between,
    condition_on_values,
    interval_text,
    one_sided,
    value_text,
)

# Maximum number of values of a set that are listed; others are counted.
_MOST_LISTED = 6


def relation_and_label(relation, compared, preimage, codes=None):
    """Return the text of a literal on an attribute, in terms of the original feature.

    Parameters
    ----------
    relation : {'=', '!=', '<=', '>', 'in'}
        Relation between the attribute and some of its values: one, or several that it
        differs from or is among.
    compared : set of int
        Codes of these values.
    preimage : CategoricalPreimage or NumericPreimage
        Preimage of the attribute.
    codes : set of int, default=None
        Codes that satisfy the relation; None stands for `compared`.

    Returns
    -------
    relation, label : str
        In the form of a `Literal`.
    """
    codes = compared if codes is None else codes
    missing = preimage.missing in codes
    negated = relation == "!="
    # Excluded values are fewer than all others.
    shown_codes = compared if relation in ("=", "!=") else codes
    found = preimage.among(shown_codes)
    if not isinstance(preimage, CategoricalPreimage):
        points = [preimage.point(interval) for interval in found]
        # No training value lies between single values that are neighbours.
        if relation in ("<=", ">", "in") and _are_neighbours(found, points):
            last = len(preimage.cuts) - 1
            return _text_of_range(points, found[0][1] == 1, found[-1][1] == last)
        return _text_of_intervals(preimage, found, negated, missing)
    if relation not in ("=", "!=") and preimage.has_ends_between(codes):
        numeric = preimage.as_numeric()
        return _text_of_intervals(numeric, numeric.among(codes), False, missing)
    if preimage.is_direct and relation == "in" and found.listed:
        every = sorted(preimage.present)
        texts = [value_text(value) for value in every if value in found.listed]
        return _text_of_range(
            texts, every[0] in found.listed, every[-1] in found.listed
        )
    if preimage.is_direct and len(compared) == 1:
        (value,) = preimage.among(compared).listed or (None,)
        if value is not None:
            return relation, value_text(value)
    return _text_of_values(Values(found.listed, found.complement != negated), missing)


def _are_neighbours(intervals, points):
    """Return whether intervals are single values, with no other one among them."""
    gaps = [after[1] - before[1] for before, after in pairwise(intervals)]
    return bool(points) and None not in points and set(gaps) <= {2}


def _text_of_range(values, is_lowest, is_highest):
    """Return relation and label of values, as texts that ascend, among others."""
    if is_lowest != is_highest:
        return ("<=", values[-1]) if is_lowest else (">=", values[0])
    return "in", interval_text((values[0], True), (values[-1], False))


def _text_of_values(values, missing):
    """Return relation and label of `Values`."""
    listed = [value_text(value) for value in values.listed[:_MOST_LISTED]]
    if len(values.listed) > _MOST_LISTED:
        listed.append(f"{ELLIPSIS} {len(values.listed)} values")
    return condition_on_values(listed, values.complement, missing)


def _text_of_intervals(preimage, intervals, negated, missing):
    """Return relation and label of intervals of numbers, or of their complement."""
    last = len(preimage.cuts)
    if len(intervals) > 1:
        others = between(intervals, -1, last)
        if len(others) == 1:
            intervals, negated = others, not negated
    if intervals in ([], [(-1, last)]):
        return _text_of_values(
            Values((), complement=bool(intervals) != negated), missing
        )
    if len(intervals) > 1:
        parts = (_interval(preimage, interval) for interval in intervals)
        return "not in" if negated else "in", " or ".join(parts)
    (interval,) = intervals
    point = preimage.point(interval)
    if point is not None:
        return "!=" if negated else "=", point
    low, high = interval
    if (low < 0 or high == last) and not (negated and missing):
        # The complement of an outer interval is the other side of its single end.
        end = preimage.text(high if low < 0 else low)
        return one_sided(end, (low < 0) != negated)
    return "not in" if negated else "in", _interval(preimage, interval)


def _interval(preimage, interval):
    """Return one interval as text."""
    point = preimage.point(interval)
    if point is not None:
        return f"{{{point}}}"
    low, high = interval
    first = preimage.text(low) if low >= 0 else ("-inf", False)
    last = preimage.text(high) if high < len(preimage.cuts) else ("inf", True)
    return interval_text(first, last)


@dataclass(frozen=True, eq=False)
class TermDecoder:
    """Decodes the terms of a fitted model into literals on the features of the data.

    The features are those of the data that the estimator takes, if every step before
    the classifier can be inverted, see `_inverses`. Otherwise they are the columns of
    the output of the last step that cannot be inverted.

    Parameters
    ----------
    classifier : TableModelMixin
        The fitted classifier.

    model : TermModel or InteractionModel
        The model of the classifier.

    steps : list of transformers
        The steps before the classifier.

    n_opaque : int
        Number of first steps after which the features are defined. 0 if the features
        are those that the estimator takes.

    preimages : list of CategoricalPreimage or NumericPreimage
        For each attribute of the classifier, the values with each code.

    table_features : tuple of str
        Names of the features, as far as known.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> pipeline = make_pipeline(
    ...     ClassEntropyDiscretizer(max_intervals=3), DNFWinnowClassifier()
    ... )
    >>> decoder = TermDecoder.from_estimator(pipeline.fit(X, y))
    >>> print(decoder.term([(2, 1), (3, 2)]))
    petal length (cm) <= 2.5 & petal width (cm) in (0.8, 1.75]
    """

    classifier: TableModelMixin
    model: Any
    steps: list
    n_opaque: int
    preimages: list
    table_features: tuple

    @classmethod
    def from_estimator(cls, estimator, mixin=TermModelMixin):
        """Return the decoder of a fitted estimator.

        Parameters
        ----------
        estimator : TableModelMixin, Pipeline that ends with one, or a search

        mixin : type, default=TermModelMixin
            Required type of the classifier.

        Returns
        -------
        decoder : TermDecoder

        Raises
        ------
        TypeError
            If the estimator contains no such classifier.
        NotFittedError
            If the classifier is not fitted.
        """
        steps, classifier = steps_of(estimator, mixin)
        model = classifier._table_model()
        n_opaque, preimages = preimages_through(steps, _preimages(model.encoding))
        return cls(
            classifier=classifier,
            model=model,
            steps=steps,
            n_opaque=n_opaque,
            preimages=preimages,
            table_features=_table_features([*steps, classifier], n_opaque),
        )

    @classmethod
    def with_codes(cls, estimator, X, mixin=TermModelMixin):
        """Return the decoder of a fitted estimator, and the codes of rows.

        The decoder is correct for these rows. No step counts as invertible if a
        preimage gives another code than the estimator, for example for None where
        training had NaN.

        Returns
        -------
        decoder : TermDecoder
        codes : ndarray of shape (n_samples, n_features), int32
            The codes that the classifier uses.
        """
        decoder = cls.from_estimator(estimator, mixin)
        codes = decoder.codes(X)
        steps = decoder.steps
        if decoder.n_opaque < len(steps):
            columns = decoder.columns(X)
            found = (one.codes_of(columns[one.column]) for one in decoder.preimages)
            if not all(map(np.array_equal, found, codes.T)):
                names = _table_features([*steps, decoder.classifier], len(steps))
                decoder = replace(
                    decoder,
                    n_opaque=len(steps),
                    preimages=_preimages(decoder.model.encoding),
                    table_features=names,
                )
        return decoder, codes

    @property
    def transformed_by(self):
        """Return the names of the steps that produce the features; empty if none do."""
        return tuple(type(step).__name__ for step in self.steps[: self.n_opaque])

    def warn_of_transformed_columns(self, subject="The rules refer to"):
        """Warn if the terms refer to the output of steps, not to the user's data."""
        if self.transformed_by:
            warn(
                f"{subject} {transformation_notice(self.transformed_by)}, "
                "because this cannot be inverted."
            )

    @property
    def features(self):
        """Return the names of the features: the classifier's, or the original ones."""
        names = getattr(self.classifier, "feature_names_in_", None)
        if names is None:
            names = [self.table_features[p.column] for p in self.preimages]
        return tuple(map(str, names))

    def position_of(self, feature, parameter):
        """Return the position in `table_features` of a name or a position.

        `parameter` is the name of what contains it, in the message of an error.
        """
        names = list(self.table_features)
        return position_of(feature, names, len(names), parameter)

    @property
    def classes(self):
        """Return the class labels, as Python objects where possible."""
        return self.classifier.classes_.tolist()

    def class_indices(self, class_, parameter="class_of_interest"):
        """Return the index of a class, or all indices for None.

        `parameter` is the name in the message of an error.

        Raises
        ------
        ValueError
            If the class does not exist.
        """
        classes = self.classes
        if class_ is None:
            return range(len(classes))
        if class_ not in classes:
            raise ValueError(f"{parameter} must be one of {classes}; got {class_!r}.")
        return [classes.index(class_)]

    # -- rows --------------------------------------------------------------------------

    def table(self, X):
        """Return the data that literals refer to, from the estimator's input."""
        return transform_through(self.steps[: self.n_opaque], X)

    def columns(self, X):
        """Return the columns of these data, in the form that `Term.holds` takes."""
        every = list(range(len(self.table_features)))
        return named_columns(self.table(X), self.table_features, every)

    def codes(self, X):
        """Return the classifier's codes of rows: (n_samples, n_features), int32."""
        table = transform_through(self.steps, X)
        return self.model.encoding.encode_table(table, self.classifier)

    # -- terms -------------------------------------------------------------------------

    def term(self, pairs):
        """Return the Term for pairs of column and code, in the order of attributes.

        The literals of one attribute are one literal, on the values that satisfy all.
        """
        of_attributes = defaultdict(list)
        for place, code in sorted(pairs):
            column = self.model.encoding.columns[place]
            of_attributes[column.attribute].append((column, code))
        return Term(self._joint(of_attributes[j]) for j in sorted(of_attributes))

    def texts_of_row(self, row):
        """Return the literal that a row of codes satisfies for each column, as text.

        None where the row is unspecified.
        """
        return tuple(
            str(self.literal(j, code)) if code else None for j, code in enumerate(row)
        )

    def literal(self, column, code):
        """Return the literal for a code of a column of the model.

        Parameters
        ----------
        column : int
            Index of a column of `Encoding.with_literals`.

        code : int
            From 1 to the largest code of this column.

        Returns
        -------
        literal : Literal
        """
        return self._joint([(self.model.encoding.columns[column], code)])

    def _joint(self, pairs):
        """Return the literal that pairs of DerivedColumn and code stand for."""
        every = [codes_with(*pair) for pair in pairs]
        codes = set.intersection(*every)
        # A literal that implies all others stands for them.
        pairs = [pair for pair, own in zip(pairs, every) if own == codes][:1] or pairs
        relations = {c.relations[code - 1] for c, code in pairs}
        if len(pairs) == 1 or (relations == {"!="} and len(codes) > 1):
            (relation,) = relations
            compared = set().union(*(_compared_with(*pair) for pair in pairs))
        else:
            relation, compared = "=" if len(codes) == 1 else "in", codes
        preimage = self.preimages[pairs[0][0].attribute]
        relation, label = relation_and_label(
            relation=relation, compared=compared, preimage=preimage, codes=codes
        )
        if isinstance(preimage, CategoricalPreimage) and preimage.cuts is not None:
            preimage = preimage.as_numeric()
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


def codes_with(column, code):
    """Return the codes of an attribute that give a DerivedColumn this code."""
    return set(np.flatnonzero(column.codes == code).tolist())


def _compared_with(column, code):
    """Return the codes of an attribute that a literal compares a value with."""
    relation = column.relations[code - 1]
    if relation == "=":
        return codes_with(column, code)
    if relation == "!=":
        return set(range(1, len(column.codes))) - codes_with(column, code)
    return {code if column.value is None else column.value}


def _preimages(encoding):
    """Return the preimages of the attributes in the input of the classifier."""
    found = [
        CategoricalPreimage(
            column=j,
            codes=attribute.codes,
            missing=encoding.code_of_missing(j),
            is_direct=True,
            cuts=encoding.points(j) if attribute.cut_points is None else None,
        )
        for j, attribute in enumerate(encoding.attributes)
    ]
    if encoding.discretizer is not None:
        found = invert_discretizer(encoding.discretizer, found)
    return found


def _table_features(steps, n_opaque):
    """Return the names of the input columns of a step."""
    reader = steps[n_opaque]
    names = getattr(reader, "feature_names_in_", None)
    if names is None:
        names = _names_out(steps[:n_opaque])
    if names is None or len(names) != reader.n_features_in_:
        return tuple(f"x{j}" for j in range(reader.n_features_in_))
    return tuple(map(str, names))


def _names_out(steps):
    """Return the names of the output columns of steps; None if a step has no names."""
    names = None
    for step in steps:
        try:
            names = step.get_feature_names_out(names)
        except Exception:  # whatever a foreign step raises
            return None
    return names
