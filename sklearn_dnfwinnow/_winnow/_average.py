"""Average: several models, whose log-odds are averaged."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
from scipy.special import logsumexp

from sklearn_dnfwinnow._encoding._cuts import Partition
from sklearn_dnfwinnow._encoding._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._encoding._encoding import (
    Attribute,
    Encoding,
    derived_columns,
    recoded,
)
from sklearn_dnfwinnow._terms._background import Background
from sklearn_dnfwinnow._terms._heaviest_terms import GaveUp
from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._winnow._model import Model, Scores
from sklearn_dnfwinnow._winnow._sums import Cache


@dataclass(frozen=True, eq=False)
class SharedEncoding(Encoding):
    """The encoding of which others are functions: it cuts wherever one of them does.

    Columns that are not cut have the values of the first encoding.

    Parameters
    ----------
    encodings : tuple of Encoding, default=()
        Of the same table, with the same columns cut. Missing values are unspecified,
        or a category.

    Attributes
    ----------
    attributes, missing, discretizer, ...
        See `Encoding`. All conditions of the encodings are among `columns`.
    """

    encodings: tuple = ()

    @classmethod
    def of(cls, encodings, discretizer):
        """Return the encoding that some encodings share.

        Parameters
        ----------
        encodings : list of Encoding
        discretizer : ClassEntropyDiscretizer or None
            With the cut points of all of them, see `shared_discretizer`.
        """
        first, *_ = encodings
        attributes = list(first.attributes)
        for j, attribute in enumerate(attributes):
            if attribute.cut_points is not None:
                points = discretizer.cut_points_[j]
                values = np.arange(len(points) + 1.0).tolist()
                if any(None in one.attributes[j].codes for one in encodings):
                    values.append(None)
                attributes[j] = Attribute.of(
                    codes={value: code for code, value in enumerate(values, start=1)},
                    is_numeric=True,
                    frequencies=attribute.frequencies,
                    cut_points=points,
                )
        return cls(
            attributes=tuple(attributes),
            missing=first.missing,
            discretizer=discretizer,
            nearest=first.nearest,
            encodings=tuple(encodings),
        )

    @cached_property
    def recodings(self):
        """The code of each encoding for each code: lists of arrays, by attribute."""
        return [
            [
                attribute.recoding(own)
                for attribute, own in zip(self.attributes, encoding.attributes)
            ]
            for encoding in self.encodings
        ]

    def recoded(self, codes, k):
        """Return the codes of rows in the k-th encoding."""
        return recoded(codes, self.recodings[k])

    @cached_property
    def columns(self):
        """All columns of codes with literals: equalities, then those of encodings."""
        return self._columns_and_places[0]

    @cached_property
    def places(self):
        """The place among `columns` of each column of each encoding: lists of int."""
        return self._columns_and_places[1]

    @cached_property
    def _columns_and_places(self):
        columns = [
            derived_columns(j, values, literals="equal")[0]
            for j, values in enumerate(self.categories)
        ]
        known = {_key(column): place for place, column in enumerate(columns)}
        places = []
        for encoding, recodings in zip(self.encodings, self.recodings):
            places.append([])
            for column in encoding.columns:
                column = _lifted(column, recodings[column.attribute])
                place = known.setdefault(_key(column), len(columns))
                if place == len(columns):
                    columns.append(column)
                places[-1].append(place)
        return columns, places


def shared_discretizer(encodings, table, weights):
    """Return a fitted discretizer with the cut points of some encodings; or None.

    Parameters
    ----------
    encodings : list of Encoding
        With cut points between values of the table.
    table : FactorizedTable
        The training samples.
    weights : ndarray of shape (n_samples,)
    """
    if all(one.discretizer is encodings[0].discretizer for one in encodings):
        return encodings[0].discretizer
    points = {
        j: np.unique(np.concatenate(of_one))
        for j, of_one in enumerate(zip(*(one.cut_points for one in encodings)))
        if of_one[0] is not None
    }
    found = {
        j: Partition.of_quantiles(*column, weights).with_points(points[j])
        for j, column in table.ranked(list(points)).items()
    }
    return encodings[0].with_partitions(found, table).discretizer


def _lifted(column, recoding):
    """Return a column of an encoding as a function of the shared codes."""
    codes = column.codes[recoding]
    if np.array_equal(recoding, np.arange(len(recoding))):
        return column._replace(codes=codes)
    # An equality with an interval is one with several shared ones.
    relations = tuple("in" if r == "=" else r for r in column.relations)
    value = column.value
    if value is not None:
        value = int(np.flatnonzero(recoding == value).max(initial=0))
    return column._replace(codes=codes, relations=relations, value=value)


def _key(column):
    return column.attribute, column.codes.tobytes(), column.relations, column.value


@dataclass(frozen=True, eq=False)
class Average(Scores):
    """A weighted mean of the log-odds of models, as one model.

    Probabilities are therefore a geometric mean, and everything that is linear in
    log-odds, such as Shapley values, is the same mean. The score of a class is the mean
    of the scores of the models, each times its scale. So W is the product of powers of
    the sums of the models.

    Its codes are those of a `SharedEncoding`, of which the codes of each model are a
    function.

    Parameters
    ----------
    models : tuple of Model
        The first is the selected one.
    weights : ndarray of shape (n_models,), float64
        Their sum is 1.
    discretizer : ClassEntropyDiscretizer or None
        With the cut points of all models.
    background : Background
        A sample of the training rows, in shared codes.
    scale : float
        Factor of scores in the softmax of probabilities.
    cache : Cache
    """

    models: tuple
    weights: np.ndarray
    discretizer: ClassEntropyDiscretizer | None
    background: Background
    scale: float
    cache: Cache = field(default_factory=Cache)

    # As of a `Model`. There are no examples that determine all weights.
    examples = np.empty((0, 0), dtype=np.int32)
    denominator = 1

    def with_models(self, models, batch):
        """Return the average of the models after a batch, with the same weights."""
        average = replace(self, models=tuple(models))
        codes = average.encoding.codes_as_new(batch.table)
        background = self.background.with_rows(codes, batch.sample_weights)
        return replace(average, background=background)

    def with_parameters(self, estimator):
        """Return the average with the parameters of another call."""
        models = tuple(model.with_parameters(estimator) for model in self.models)
        return replace(self, models=models)

    @cached_property
    def encoding(self):
        """Return the SharedEncoding of the models."""
        encodings = [model.encoding for model in self.models]
        return self.cache.get(
            name="encoding",
            key=encodings,
            make=partial(SharedEncoding.of, encodings, self.discretizer),
        )

    @property
    def seed(self):
        """Return the seed of all randomness."""
        return self.models[0].seed

    @property
    def max_term_size(self):
        """Return the maximum number of literals in a term; None if there is none."""
        sizes = [model.max_term_size for model in self.models]
        return None if None in sizes else max(sizes)

    @property
    def factors(self):
        """Return the factors of the log W of the models: (n_models,), float64."""
        return self.weights * [model.scale for model in self.models]

    @property
    def log_thresholds(self):
        """Return the mean of log theta, with offsets, in log-odds: (n_classes,)."""
        return self.factors @ [model.log_thresholds for model in self.models]

    @property
    def n_iter(self):
        """Return the number of epochs, of the model with the most."""
        return max(model.record.n_iter for model in self.models)

    @property
    def validation(self):
        """Return the results of the internal cross-validation, or None."""
        return self.models[0].record.validation

    @property
    def intercepts(self):
        """Return the mean intercepts of the classes, in log-odds: (n_classes,)."""
        found = [model.intercepts for model in self.models]
        return self.scale * (self.weights @ found)

    def cached(self, name, make):
        """Return a result that depends on scores and background, computed once."""
        key = [part for model in self.models for part in model.summed]
        return self.cache.get(name, (*key, self.background), make)

    # -- scores ------------------------------------------------------------------------

    def log_sums(self, rows):
        """Return log W of rows of codes: (n_rows, n_classes)."""
        return self._total(self.factors, self._of_models(rows, Model.log_sums))

    def estimate_log_sums(self, rows):
        """Return log W of rows of codes, and its standard error."""
        return self.mean_estimates(self.estimates_of_models(rows))

    def estimates_of_models(self, rows):
        """Return log W of rows of codes, and its standard error, for each model."""
        return self._of_models(rows, Model.estimate_log_sums)

    def mean_estimates(self, found):
        """Return the estimates of the average, from those of its models."""
        squares = self._total(self.factors**2, [errors**2 for _, errors in found])
        log_sums = self._total(self.factors, [log_sums for log_sums, _ in found])
        return log_sums, np.sqrt(squares)

    def log_subset_sums(self, row):
        """Return log W for all sets of known attributes, see `Model`."""
        return self._of_sums(row, Model.log_subset_sums)

    def log_sums_along(self, row, places):
        """Return log W as attributes become known, see `Model`."""
        return self._of_sums(row, Model.log_sums_along, places)

    def _of_sums(self, row, method, *arguments):
        """Return what a method makes of the sums of a row; None if a model has none."""
        found = []
        for k, model in enumerate(self.models):
            own = self.encoding.recoded(row[None], k)[0]
            # A value that is unknown to one model is another row.
            is_same = np.array_equal(own != 0, row != 0) or not arguments
            found.append(method(model, own, *arguments) if is_same else None)
            if found[-1] is None:
                return None
        return self._total(self.factors, found)

    def _of_models(self, rows, method):
        """Return arrays that a method of each model makes, for all shared rows."""
        found = []
        for k, model in enumerate(self.models):
            own, _, inverse = distinct_rows(self.encoding.recoded(rows, k))
            found.append(np.asarray(method(model, own))[..., inverse, :])
        return found

    @staticmethod
    def _total(factors, arrays):
        """Return a weighted sum, with the same rounding for any number of rows."""
        return sum(factor * one for factor, one in zip(factors.tolist(), arrays))

    # -- terms -------------------------------------------------------------------------

    def heaviest_terms(self, k, top, row=None):
        """Search the terms of class k with the largest shares, see `Model`.

        Weights of different models are compared relative to the sum of the row, or to
        the mean sum of the background, and by the weights of the models.
        """
        found, gave_up = [], False
        rows = self.background.codes if row is None else row[None]
        parts = self.background.weights if row is None else np.ones(1)
        for i, model in enumerate(self.models):
            own = self.encoding.recoded(rows, i)
            try:
                terms = model.heaviest_terms(k, top, None if row is None else own[0])
            except GaveUp as error:
                terms, gave_up = error.found, True
            sums = model.estimate_log_sums(own)[0][:, k]
            mean = logsumexp(sums, b=parts / parts.sum())
            found += [
                (mean - np.log(self.weights[i]) - term.log_weight, i, place, term)
                for place, term in enumerate(terms)
            ]
        terms = [self._shared(i, term) for _, i, _, term in sorted(found)[:top]]
        if gave_up:
            raise GaveUp(terms)
        return terms

    def _shared(self, i, term):
        """Return a term of the i-th model, in shared columns."""
        places = self.encoding.places[i]
        return replace(
            term,
            literals=tuple(sorted((places[column], c) for column, c in term.literals)),
            net_count=term.net_count / self.models[i].denominator,
            model=i,
        )


def averaged(models, choices, batch):
    """Return the average of trained models, or the only one of them.

    Parameters
    ----------
    models : list of Model
        With the same columns cut.
    choices : list of Choice
        What they are of.
    batch : Batch
        The training samples, with the columns of the models.
    """
    first, *others = models
    if not others:
        return first
    weights = np.array([choice.weight for choice in choices])
    encodings = [model.encoding for model in models]
    average = Average(
        models=tuple(models),
        weights=weights / np.sum(weights),
        discretizer=shared_discretizer(encodings, batch.table, batch.weights),
        background=Background.empty(len(first.encoding.attributes)),
        scale=choices[0].scale_of_average,
    )
    return average.with_models(models, batch)
