"""Many classes: their candidates, and an error with the memory that they need."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re

import numpy as np
import pytest
from internals.winnow import _class_block

from sklearn_dnfwinnow import DNFWinnowClassifier

N = 120
X = np.random.default_rng(0).integers(0, 9, (N, 4))
Y = np.arange(N) % 80
QUICK = {"max_iter": 1, "max_term_size": 1, "random_state": 0}


@pytest.mark.parametrize("cv", [None, 2])
def test_classes_without_room_are_refused(monkeypatch, cv):
    monkeypatch.setattr(_class_block, "_MOST_CLASS_BYTES", 100_000)
    model = DNFWinnowClassifier(**QUICK, cv=cv)
    with pytest.raises(ValueError, match=r"80 classes on 1[0-9]{2} distinct rows") as e:
        model.fit(X, Y)
    (needed,) = re.findall(r"takes ([\d.]+) GiB", str(e.value))
    assert float(needed) == pytest.approx(0.0, abs=0.05)
    assert not hasattr(model, "classes_")


def test_many_classes_have_the_candidates_of_a_few():
    """The time that candidates may take grows with the number of classes, up to 12."""
    numbers = np.random.default_rng(0).normal(size=(600, 16))
    n_candidates, sizes = [], []
    for n_classes in (4, 12):
        model = DNFWinnowClassifier(cv=3, max_iter=1, random_state=0)
        found = model.fit(numbers, np.arange(600) % n_classes).validation_
        n_candidates.append(len(np.unique(found["candidate"])))
        sizes.append(found["max_term_size"].tolist())
    assert n_candidates[0] == n_candidates[1] > 5
    assert sizes[0] == sizes[1]
    assert {1, 2, 3, 5} == set(sizes[0])
