"""The package as code with types uses it, for ``mypy --strict`` to look at."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from numpy.typing import NDArray

from sklearn_dnfwinnow import (
    BayesianInteractionClassifier,
    ClassEntropyDiscretizer,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.datasets import load_monks, make_dnf
from sklearn_dnfwinnow.diagnostics import sample_size
from sklearn_dnfwinnow.inspection import (
    AdditiveShare,
    Explanation,
    FeatureEffect,
    InteractionExplanation,
    ShapleyValues,
    additive_share,
    explain,
    feature_effect,
    shapley_values,
    to_dnf,
)
from sklearn_dnfwinnow.rules import DNF
from sklearn_dnfwinnow.samplers import Exact, Gibbs
from sklearn_dnfwinnow.summaries import message_from_monte_carlo, representative_draws
from sklearn_dnfwinnow.sums import WeightedSum, log_weighted_sum


def learned(max_term_size: int | None) -> DNFWinnowClassifier:
    """A classifier of an artificial table."""
    X, y, terms = make_dnf(100, 6, random_state=0, return_terms=True)
    assert all(isinstance(value, int) for term in terms for value in term.values())
    clf = DNFWinnowClassifier(sampler="table", max_term_size=max_term_size)
    return clf.fit(X, y, sample_weight=np.ones(100)).partial_fit(X, y)


def read(clf: DNFWinnowClassifier, X: NDArray[np.int64]) -> tuple[str, list[float]]:
    """What it says of itself, and of rows."""
    first: Explanation = explain(clf, X)[0]
    dnf: DNF = to_dnf(clf, class_of_interest=1)
    found: ShapleyValues = shapley_values(clf, X, class_of_interest=1, against=0)
    assert found.values.shape == X.shape
    effect: FeatureEffect = feature_effect(clf, X, 0, sample_weight=np.ones(len(X)))
    assert len(effect.effects) == len(effect.labels)
    additive: AdditiveShare = additive_share(clf, X)
    assert 0 <= additive.share <= 1
    return dnf.to_sql(dialect="mysql"), [
        float(share) for share in first.feature_shares[0]
    ]


def probabilities() -> NDArray[np.float64]:
    """Those of intervals, rows with missing values among them."""
    X, y = load_monks(1, subset="train", return_X_y=True)
    discretizer = ClassEntropyDiscretizer(min_samples_interval=0.02).fit(X, y)
    clf = DNFWinnowClassifier(**DNFWinnowClassifier.paper_settings()).fit(
        [["sunny", None], ["rainy", "calm"]], ["out", "in"]
    )
    discretizer.transform(X)
    return clf.predict_proba([["sunny", "calm"]])


def intervals() -> NDArray[np.float64]:
    """Those of draws from a posterior, and what they are made of."""
    X, y = load_monks(1, subset="train", return_X_y=True)
    clf = BayesianInteractionClassifier(prior="normal", max_order=2, n_jobs=2)
    clf.set_fit_request(sample_weight=True).fit(X, y, sample_weight=np.ones(len(y)))
    first: InteractionExplanation = clf.explain(X, coverage=0.5)[0]
    assert clf.draws_["sums"].shape[2] == clf.n_groups_
    assert representative_draws(clf).weights.sum() > 0.99
    message = message_from_monte_carlo([0.0], lambda draws, i: 0.0 * draws * i)
    assert message.regions[0].tolist() == message.representatives.tolist()
    return np.append(first.log_odds_interval, clf.sample_proba(X)[:, 0, 1])


def summed() -> float:
    """Weighted sums on their own, and samples for an estimate."""
    exact: WeightedSum = log_weighted_sum([[True, False]], [2], sampler="exact")
    exact = log_weighted_sum([[True, False]], [2], sampler=Exact(max_states=9))
    density = exact.density or {}
    return exact.log_value + sum(density.values()) + sample_size(0.1, 18).n_samples


def refused() -> None:
    """What types forbid: the comments would be errors if they did not."""
    message_from_monte_carlo([0.0], [[0.0]], search="greedy")  # type: ignore[arg-type]
    DNFWinnowClassifier(sampler="gibs")  # type: ignore[arg-type]
    DNFWinnowClassifier(sampler=Gibbs)  # type: ignore[arg-type]
    BayesianInteractionClassifier(prior="laplace")  # type: ignore[arg-type]
    Gibbs(n_steps="many")  # type: ignore[arg-type]
    DNFWinnowClassifier("gibbs")  # type: ignore[arg-type, call-arg]
    log_weighted_sum([[True]], [1], alpha="2")  # type: ignore[arg-type]
