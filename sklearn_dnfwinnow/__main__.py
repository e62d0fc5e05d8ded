"""Demo: a model of a real table as rules, and the samplers of Tao and Scott (2004).

    python -m sklearn_dnfwinnow

The tables are part of scikit-learn and of this package. The demo needs pandas, which
the extra 'examples' installs.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_tic_tac_toe
from sklearn_dnfwinnow.samplers import SAMPLERS
from sklearn_dnfwinnow.sums import log_weighted_sum

# Short chains and few epochs, for a quick demo; by default, short chains get a warning.
N_STEPS, MAX_ITER = 300, 3


def split(X, y):
    """Return training rows, test rows, and the classes of both."""
    return train_test_split(X, y, stratify=y, random_state=0)


def show_table():
    """Print the log loss beside other models, the rules, a prediction, and SQL."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    y = y.map({0: "malignant", 1: "benign"})
    X_train, X_test, y_train, y_test = split(X, y)
    print(
        f"Breast tumours, malignant or benign: {len(X)} rows of {X.shape[1]} numbers.\n"
        f"Three models learn from {len(X_train)} rows, and predict the other "
        f"{len(X_test)}:\n\n"
        f"{'':<28}{'log loss':>10}{'wrong rows':>12}{'seconds':>9}"
    )
    model = DNFWinnowClassifier(random_state=0)
    forest = RandomForestClassifier(200, random_state=0)
    for fitted in model, forest, GradientBoostingClassifier(random_state=0):
        start = time.perf_counter()
        loss = log_loss(y_test, fitted.fit(X_train, y_train).predict_proba(X_test))
        seconds = time.perf_counter() - start
        wrong = np.sum(fitted.predict(X_test) != y_test)
        print(f"{type(fitted).__name__:<28}{loss:>10.3f}{wrong:>12}{seconds:>9.1f}")
    rules = model.to_dnf("malignant", X=X_train, y=y_train, max_conditions=2)
    print("\nThe model as rules. The comments are measured on rows held out:\n")
    print(rules)
    called = X_test[rules.holds(X_test)]
    doubtful = np.abs(model.decision_function(called)).argmin()
    print("\nWhy a row is predicted as it is, the least certain one with a rule:\n")
    print(*model.explain(called[doubtful : doubtful + 1], formula=rules))
    print("\nThe rules in SQL:\n")
    print(rules.to_sql(dialect="sqlite"))


def show_samplers():
    """Print an estimate of one sum by each sampler, and its accuracy in training."""
    X, y = load_tic_tac_toe(return_X_y=True, as_frame=True)
    X_train, X_test, y_train, y_test = split(X, y)
    settings = {**DNFWinnowClassifier.paper_settings(), "max_iter": MAX_ITER}
    model = DNFWinnowClassifier(**settings, random_state=0).fit(X_train, y_train)
    # The codes of stored examples are the places of values in `categories_`, from 1 on.
    places = map(np.searchsorted, model.categories_, X_test.iloc[0])
    agreements = model.stored_examples_ == 1 + np.array([*places])
    counts = model.net_promotion_counts_[1]
    print(
        "\nThe samplers of Tao and Scott (2004), on final boards of tic-tac-toe. The "
        "score of a\nclass is W, the sum of the weights of the 512 rules that a board "
        "satisfies. It is exact,\nor an estimate by Markov chains of "
        f"{N_STEPS} steps. Accuracy is that of a model that is\ntrained by such sums "
        f"for {MAX_ITER} epochs.\n\n"
        f"{'sampler':<30}{'log W of a board':>18}{'accuracy, %':>13}{'seconds':>9}"
    )
    warnings.simplefilter("ignore", ConvergenceWarning)
    for name, cls in SAMPLERS.items():
        samplers = {name: cls()}
        if cls.runs_chains:
            samplers = {
                name: cls(n_steps=N_STEPS),
                f"{name}, tempering": cls(n_steps=N_STEPS, tempering=True),
            }
        for label, sampler in samplers.items():
            found = log_weighted_sum(
                agreements, counts, sampler=sampler, random_state=0
            )
            figure = f"{found.log_value:.2f}"
            figure += " exact" if found.exact else f" +- {found.std_error:.2f}"
            start = time.perf_counter()
            model.set_params(sampler=sampler).fit(X_train, y_train)
            accuracy = 100 * model.score(X_test, y_test)
            seconds = time.perf_counter() - start
            print(f"{label:<30}{figure:>18}{accuracy:>13.1f}{seconds:>9.1f}")


def main():
    """Run the demo."""
    # A reader behind a pipe sees each line when it is printed, as in a terminal.
    sys.stdout.reconfigure(line_buffering=True)
    show_table()
    show_samplers()


if __name__ == "__main__":
    main()
