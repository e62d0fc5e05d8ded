"""What models learned once, they learn again: integers to the bit, scores to 1e-9.

``python tests/winnow/test_golden_files.py`` writes the file, after a change of what
is learned.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_house_votes_84, load_monks
from sklearn_dnfwinnow.samplers import Gibbs

PATH = Path(__file__).parents[1] / "data" / "golden.json"
PAPER = DNFWinnowClassifier.paper_settings()
CHAINS = {"max_iter": 2, "sampler": Gibbs(n_steps=100, ladder_scale="sum")}
N_ROWS = 5


def monks():
    return load_monks(1, subset="train", return_X_y=True)


def votes():
    return load_house_votes_84(return_X_y=True)


def iris():
    return load_iris(return_X_y=True)


MODELS = {
    "default": ({}, monks),
    "paper": (PAPER, votes),
    "exact": ({**PAPER, "sampler": "exact", "max_iter": 3}, monks),
    "chains": ({**PAPER, **CHAINS}, monks),
    "residual": ({"scale": 30.0, "literals": "ordered", "max_term_size": 2}, iris),
    "screened": ({"screening": 1.0, "n_estimators": 1}, iris),
    "monotone": ({"monotonic_cst": {2: {2: 1, 0: -1}}, "cv": None}, iris),
}


def learned(name):
    """Digests of the integers of each model, and the scores of a few rows."""
    params, load = MODELS[name]
    X, y = load()
    classifier = DNFWinnowClassifier(**params, random_state=0).fit(X, y)
    digests = [
        sha256(
            np.ascontiguousarray(model.stored_examples_, dtype="<i8").tobytes()
            + np.ascontiguousarray(model.net_promotion_counts_, dtype="<i8").tobytes()
        ).hexdigest()
        for model in classifier.estimators_
    ]
    return {
        "digests": digests,
        "scores": classifier.log_weighted_sums(X[:N_ROWS]).tolist(),
    }


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", MODELS)
def test_models_learn_what_they_learned(name):
    expected, now = json.loads(PATH.read_text("utf-8"))[name], learned(name)
    assert now["digests"] == expected["digests"]
    np.testing.assert_allclose(now["scores"], expected["scores"], rtol=0, atol=1e-9)


if __name__ == "__main__":
    PATH.write_text(
        json.dumps({name: learned(name) for name in MODELS}, indent=1) + "\n"
    )
