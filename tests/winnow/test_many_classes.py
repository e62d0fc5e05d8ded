"""Many classes: their candidates, and an error with the memory that they need."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re

import numpy as np
import pytest
from internals.winnow import _memory

from sklearn_dnfwinnow import DNFWinnowClassifier

N = 120
X = np.random.default_rng(0).integers(0, 9, (N, 4))
Y = np.arange(N) % 80
QUICK = {"max_iter": 1, "max_term_size": 1, "random_state": 0}


@pytest.mark.parametrize("cv", [None, 2])
def test_classes_without_room_are_refused(monkeypatch, cv):
    monkeypatch.setattr(_memory, "_MOST_BYTES", 100_000)
    model = DNFWinnowClassifier(**QUICK, cv=cv)
    with pytest.raises(
        ValueError, match=r"80 classes on 1[0-9]{2} distinct samples"
    ) as e:
        model.fit(X, Y)
    (needed,) = re.findall(r"takes ([\d.]+) GiB", str(e.value))
    assert float(needed) == pytest.approx(0.0, abs=0.05)
    assert not hasattr(model, "classes_")


def test_bytes_are_those_of_numpy(monkeypatch):
    """The limit is between what few rows and what all rows need."""
    n_rows = len(np.unique(X, axis=0))
    needed = _memory.bytes_of_classes(1 + 4 * 9, n_rows, 80)
    for factor, fits in ((1.1, True), (0.9, False)):
        monkeypatch.setattr(_memory, "_MOST_BYTES", factor * needed)
        model = DNFWinnowClassifier(**QUICK, cv=None)
        if fits:
            model.fit(X, Y)
        else:
            with pytest.raises(ValueError, match="80 classes"):
                model.fit(X, Y)
            # One class at a time fits, and so do few classes.
            model.set_params(multi_class="ovr").fit(X, Y)
            DNFWinnowClassifier(**QUICK, cv=None).fit(X, Y % 63)


def test_many_classes_have_the_candidates_of_a_few():
    """The time that candidates may take grows with the number of classes."""
    numbers = np.random.default_rng(0).normal(size=(600, 16))
    n_candidates, sizes = [], []
    for n_classes in (4, 8, 16):
        model = DNFWinnowClassifier(max_iter=1, random_state=0)
        found = model.fit(numbers, np.arange(600) % n_classes).validation_
        n_candidates.append(len(np.unique(found["candidate"])))
        sizes.append(found["max_term_size"].tolist())
    assert n_candidates[0] == n_candidates[1] == n_candidates[2] > 7
    assert sizes[0] == sizes[1] == sizes[2]
    assert {1, 2, 3} == set(sizes[0])
