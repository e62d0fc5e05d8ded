"""Lane training: the selected candidate on all samples."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

import numpy as np

from sklearn_dnfwinnow._winnow._learner import Trained, checkpoints
from sklearn_dnfwinnow._winnow._selection._blocks import lane_of
from sklearn_dnfwinnow._winnow._selection._lane_block import LaneBlock


def train_in_lanes(model, rows, index, progress):
    """Train a model on all samples in lanes, for the epochs of the samples.

    Parameters
    ----------
    model : Model
        As returned by `take_in`.
    rows : Presentations
    index : TermIndex
        Index of the stored examples and these samples.
    progress : Silent

    Returns
    -------
    model : Model
    """
    # Lanes count promotions in their own parts.
    parts = model.rule.parts
    rows = replace(rows, units=rows.units // parts, one=rows.one // parts)
    block = LaneBlock(
        index=index,
        rows=rows,
        folds=np.zeros(len(rows.labels), dtype=np.int64),
        trainings=[lane_of(model, model.settings, model.encoding.n_values)],
        n_classes=model.n_classes,
        average=model.settings.average,
        conditions=model.conditions,
    )
    progress.start()
    done = 0
    for end in checkpoints(rows.n_epochs):
        if block.train(end - done, progress):
            break
        done = end
    progress.finish()
    exponents, times = block.exponents(0)
    mistakes = np.stack(block.mistakes)[:, 0]
    all_trained = [
        Trained(
            updates=index.rows[learned],
            exponents=np.ascontiguousarray(of_class[learned]),
            version=int(counts.sum()),
            mistakes=counts.tolist(),
            chains={"run": 0, "ladder": 0, "simulated": 0},
            sums={"full": len(counts) * len(rows.labels), "skipped": 0},
            times=times,
        )
        for of_class, counts in zip(exponents.T, mistakes.T)
        for learned in [of_class != 0]
    ]
    return model.after(all_trained)
