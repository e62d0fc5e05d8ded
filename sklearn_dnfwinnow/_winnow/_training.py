"""Training: one call of it, from a model and a batch to the model after that."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import partial

from sklearn_dnfwinnow._terms._term_index import TermIndex
from sklearn_dnfwinnow._utils._rollback import unshared
from sklearn_dnfwinnow._winnow._epoch_selection import validate
from sklearn_dnfwinnow._winnow._model import Model
from sklearn_dnfwinnow._winnow._presentations import Presentations, whole_units
from sklearn_dnfwinnow._winnow._trainer import resolved_max_term_size


def take_in(model, columns, labels, weights, label):
    """Encode a batch; settle its units, the largest terms, and the threshold.

    Parameters
    ----------
    model : Model
    columns : list of ndarrays of shape (n_samples,)
        As :func:`sklearn_dnfwinnow._preprocessing._columns.columns_of` returns them.
    labels : ndarray of shape (n_samples,), int
        Class indices.
    weights : ndarray of shape (n_samples,), float64
        Positive.
    label : callable
        From a column's position to what messages call it.

    Returns
    -------
    model : Model
        Has not learned yet, but knows all values.
    rows : Presentations
        Each row once, in the order given.
    """
    units, denominator = whole_units(weights, model.denominator)
    model = model.in_units_of(denominator)
    encoder = unshared(model.encoder)
    codes = encoder.learn(columns, labels, weights, label)
    model = replace(model, encoder=encoder)
    codes, n_values = model.with_literals(codes), model.n_values
    max_term_size = resolved_max_term_size(
        *(model.settings.sampler, model.max_term_size, codes),
        *(n_values, model.n_classes),
    )
    model = replace(
        model,
        max_term_size=max_term_size,
        log_threshold=model.settings.log_threshold(
            n_values, model.log_beta, max_term_size
        ),
    )
    return model, Presentations(codes, labels, units, denominator)


@dataclass(frozen=True, eq=False)
class Training:
    """What is presented to the Winnows of a model, in how many epochs.

    Parameters
    ----------
    model : Model
        As `take_in` returns it.
    rows : Presentations
    index : TermIndex or None
        Of the updates so far and these rows.
    """

    model: Model
    rows: Presentations
    index: TermIndex | None

    @classmethod
    def of(cls, model, rows):
        """Rows presented to a model, in as many epochs as they say."""
        index = model.winnows.index_for(
            model.literal_updates, rows.codes, model.n_values
        )
        engine = model.settings.sampler.engine(model.max_term_size)
        engine.check_training(rows.codes, model.literal_updates)
        return cls(model, rows, index)

    def for_as_long_as_it_helps(self):
        """The same in as many epochs as the settings say, or validation."""
        model, index = self.model, self.index
        n_epochs, n_folds = model.settings.epochs_and_folds(
            len(self.rows.codes), model.n_classes, index
        )
        rows = replace(self.rows, n_epochs=n_epochs)
        if n_folds is None:
            return replace(self, rows=rows)
        found = validate(
            *(model.winnows, rows, index, model.n_classes),
            *(model.log_threshold, n_folds, model.settings.n_jobs),
        )
        validation = {"n_epochs": found.epochs, "log_loss": found.log_losses}
        return replace(
            self,
            model=replace(model, scale=found.scale, validation=validation),
            rows=replace(rows, n_epochs=found.best),
        )

    def run(self, progress_of):
        """Have the Winnows learn.

        Parameters
        ----------
        progress_of : callable
            From the number of epochs and a class, None for all of them, to what is told
            of the progress.

        Returns
        -------
        model : Model
        """
        model, rows = self.model, self.rows
        all_trained = model.winnows.train(
            *(model.literal_updates, model.exponents, model.own, model.versions),
            *(rows, self.index, model.log_threshold, model.settings.n_jobs),
            partial(progress_of, rows.n_epochs),
        )
        return model.after(all_trained)
