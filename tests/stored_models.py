"""Models that were stored once, to be learned again and read by later versions.

    python tests/stored_models.py

writes them to `tests/data/models.pkl` and `models.json`, and adds those that are new to
`golden.json`. The integers and scores of `golden.json` stay as they are.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
import pickle
import warnings
from hashlib import sha256
from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_house_votes_84, load_monks, load_tic_tac_toe
from sklearn_dnfwinnow.persistence import to_json
from sklearn_dnfwinnow.samplers import Gibbs

DATA = Path(__file__).parent / "data"
# Numbers of a model, and scores of so many rows.
_N_ROWS = 5


def models():
    """From a name to an estimator, not fitted, and what to fit it on."""
    paper = DNFWinnowClassifier.paper_settings()
    gibbs = Gibbs(n_steps=200, burn_in=20, ladder_scale="sum")
    monks = load_monks(1, subset="train", return_X_y=True)
    candidates = [
        {"scale": 10.0, "alpha": 1.1},
        {"margin": 0.5, "alpha": 1.1, "max_term_size": 2},
        {"scale": 30.0, "literals": "ordered", "max_term_size": 1},
    ]
    cuts = ClassEntropyDiscretizer(max_intervals=4)
    return {
        "iris-by-folds": (
            DNFWinnowClassifier(
                candidates=candidates, discretizer=cuts, random_state=0
            ),
            *load_iris(return_X_y=True),
        ),
        "votes-by-folds": (
            DNFWinnowClassifier(candidates=candidates, random_state=0),
            *load_house_votes_84(return_X_y=True),
        ),
        "tic-tac-toe-by-residuals": (
            DNFWinnowClassifier(
                scale=30.0, max_term_size=3, cv=None, max_iter=4, random_state=0
            ),
            *load_tic_tac_toe(return_X_y=True),
        ),
        "iris-under-conditions": (
            DNFWinnowClassifier(
                monotonic_cst={2: {2: 1, 0: -1}},
                forbidden=[(0, 3), "x1 > 3.4"],
                initial_terms=[("x3 <= 0.8", 0, 5.0)],
                max_term_size=2,
                cv=None,
                max_iter=4,
                random_state=0,
            ),
            *load_iris(return_X_y=True),
        ),
        "paper": (DNFWinnowClassifier(**paper, random_state=0), *monks),
        "gibbs": (
            DNFWinnowClassifier(
                **{**paper, "max_iter": 2, "sampler": gibbs}, random_state=0
            ),
            *monks,
        ),
    }


def fitted(name):
    """One of them, fitted."""
    estimator, X, y = models()[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of short chains
        return estimator.fit(X, y)


def golden(name, estimator):
    """What a fitted model is known by: integers in full, scores of some rows."""
    classifier = estimator[-1] if hasattr(estimator, "steps") else estimator
    _, X, _ = models()[name]
    integers = (
        classifier.stored_examples_.tolist(),
        classifier.net_promotion_counts_.tolist(),
    )
    return {
        "n_updates": len(classifier.stored_examples_),
        "denominator": classifier.denominator_,
        "n_iter": classifier.n_iter_,
        "sha256": sha256(json.dumps(integers).encode()).hexdigest(),
        "scores": np.ravel(estimator.decision_function(X[:_N_ROWS])).tolist(),
    }


def main():
    """Store all models."""
    golden_file = DATA / "golden.json"
    stored = {name: fitted(name) for name in models()}
    (DATA / "models.pkl").write_bytes(pickle.dumps(stored, protocol=4))
    texts = {name: json.loads(to_json(model)) for name, model in stored.items()}
    (DATA / "models.json").write_text(json.dumps(texts))
    found = {name: golden(name, model) for name, model in stored.items()}
    golden_file.write_text(
        json.dumps({**found, **json.loads(golden_file.read_text())}, indent=1)
    )


if __name__ == "__main__":
    main()
