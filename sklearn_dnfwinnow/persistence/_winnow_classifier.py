"""The schema of a fitted DNFWinnowClassifier: one model, or several in an average."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

from sklearn_dnfwinnow._utils._json_values import check
from sklearn_dnfwinnow._winnow._settings import Settings
from sklearn_dnfwinnow.persistence._average import average
from sklearn_dnfwinnow.persistence._cost_limits import (
    take_costs,
    take_costs_of_average,
)
from sklearn_dnfwinnow.persistence._schema import Labels, OneOf, onto
from sklearn_dnfwinnow.persistence._winnow_model import SCALE, model


def winnow_classifier(classifier):
    """Return the schema of the fitted state of a DNFWinnowClassifier."""

    def of_call(model, budget):
        """Return a model with the parameters of the classifier, within the budget."""
        given, known = model.weighting.conditions, {*model.encoding.positions.tolist()}
        check(given.columns <= known, "conditions on columns that take part", known)
        ordered = given.at(model.encoding.active).ordered
        model = replace(
            model,
            encoding=replace(model.encoding, ordered=ordered),
            settings=Settings.validated(classifier),
        )
        take_costs(budget, model, classifier.sampler)
        return model

    def check_model(found, budget):
        if classifier.scale != "auto":
            SCALE.read(classifier.scale, "scale", budget)
        found.n_features_in_ = found._model.encoding.n_columns
        models = tuple(of_call(model, budget) for model in found._model.models)
        if len(models) == 1:
            (found._model,) = models
        else:
            found._model = replace(found._model, models=models)
            take_costs_of_average(budget, found._model)

    def either(found):
        n_classes = len(found.classes_)
        return OneOf(average(n_classes), model(n_classes))

    fields = {"classes_": Labels(least=2), "_model": either}
    return onto(classifier, fields, check_model)
