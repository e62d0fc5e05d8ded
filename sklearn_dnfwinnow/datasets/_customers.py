"""Customers: made-up tables with columns of all kinds, and classes from known rules."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.utils import Bunch, check_random_state

from sklearn_dnfwinnow._utils._estimators import POSITIVE, StrOptions
from sklearn_dnfwinnow.datasets._real import import_pandas, public
from sklearn_dnfwinnow.rules._dnf import DNF

_FIRST_DAY, _N_DAYS = np.datetime64("2021-01-01"), 1500


# The rules of each target, and the probability of class 1 with and without them.
_TRUTHS = {
    "churn": (
        "plan = basic & support_calls >= 3",
        "balance < 0 & autopay = False",
        "region = south & age > 60 & device = web",
    ),
    "fraud": (
        "plan = pro & support_calls >= 4",
        "balance > 3000 & device = web",
    ),
}
_CHANCES = {"churn": (0.89, 0.11), "fraud": (0.58, 0.002)}


@public(
    {
        "n_samples": [POSITIVE],
        "target": [StrOptions(set(_TRUTHS))],
        "as_frame": ["boolean", StrOptions({"auto"})],
        "random_state": ["random_state"],
        "return_truth": ["boolean"],
    }
)
def make_customers(
    n_samples=4000,
    *,
    target="churn",
    as_frame="auto",
    random_state=None,
    return_truth=False,
):
    """Generate a table of customers, with a class that follows from known rules.

    The table looks like a table of a company: an identifier, a date as text, numbers,
    categories, booleans and missing values. The columns are independent. A customer who
    satisfies a rule of `target` is of class 1 with one probability, and every other
    customer with a smaller one. The best possible predictions are therefore known.

    Parameters
    ----------
    n_samples : int, default=4000
        Number of customers.

    target : {'churn', 'fraud'}, default='churn'
        The rules, and the probabilities of class 1.

        - 'churn': a frequent class, of about 26 %% of the customers. The probability is
          .89 where ``plan = basic & support_calls >= 3 or balance < 0 & autopay = False
          or region = south & age > 60 & device = web``, and .11 elsewhere. The rules
          have an accuracy of .89 in expectation, and nothing has a higher one.
        - 'fraud': a rare class, of about 1.2 %%. The probability is .58 where ``plan =
          pro & support_calls >= 4 or balance > 3000 & device = web``, and .002
          elsewhere. The rules hold for about 1.8 %% of the customers. They have a
          precision of .58 and a recall of about .84 in expectation.

    as_frame : bool or 'auto', default='auto'
        Whether X and y are pandas objects instead of arrays; 'auto' is True if pandas
        is installed.

    random_state : int, RandomState instance or None, default=None
        Determines the random numbers. Pass an int for reproducible data.

    return_truth : bool, default=False
        Whether to return the rules and the true probabilities, too.

    Returns
    -------
    X : {DataFrame, ndarray} of shape (n_samples, 10)
        The columns are

        - 'customer_id': text, different in each row;
        - 'signup_date': dates from 2021 on, as text such as '2021-03-09';
        - 'age': whole numbers from 18 to 90;
        - 'income': positive numbers, skewed, one in ten missing;
        - 'balance': numbers with a mean of 800 and a standard deviation of 1,000;
        - 'support_calls': counts from 0, with a mean of 1.5;
        - 'plan': 'basic', 'plus' or 'pro';
        - 'region': 'north', 'south', 'east' or 'west';
        - 'device': 'phone', 'web' or 'tablet', one in twenty missing;
        - 'autopay': True or False, one in twenty missing.

        Missing values are those of pandas in the data frame. The array has dtype
        object; there, missing values are NaN in 'income' and None in other columns.

    y : {Series, ndarray} of shape (n_samples,), int64
        The classes, 0 and 1.

    truth : :class:`~sklearn.utils.Bunch`
        Only if `return_truth`. It contains

        formula : str
            The rules, as :meth:`sklearn_dnfwinnow.rules.DNF.parse` reads them.
        proba : ndarray of shape (n_samples, 2), float64
            The true probabilities of the classes, for each customer.

    Raises
    ------
    ImportError
        If `as_frame` is True and pandas is not installed.

    ValueError
        If a parameter is invalid.

    See Also
    --------
    make_dnf : Samples of random formulas.

    Examples
    --------
    >>> from sklearn_dnfwinnow.datasets import make_customers
    >>> X, y, truth = make_customers(random_state=0, return_truth=True)
    >>> X.shape
    (4000, 10)
    >>> round(float(truth.proba.max(axis=1).mean()), 2)  # the best accuracy
    0.89
    >>> from sklearn_dnfwinnow.rules import DNF
    >>> holds = DNF.parse(truth.formula, values=X).holds(X)
    >>> bool((holds == (truth.proba[:, 1] > 0.5)).all())
    True
    """
    pandas = import_pandas(as_frame)
    rng = check_random_state(random_state)
    columns = _draw_columns(rng, n_samples)
    X = np.array([column.tolist() for column in columns.values()], dtype=object).T
    truth = DNF.parse(" or\n".join(_TRUTHS[target]), features=columns)
    proba = np.where(truth.holds(X), *_CHANCES[target])
    y = (rng.uniform(size=n_samples) < proba).astype(np.int64)
    if pandas is not None:
        X = pandas.DataFrame(columns)
        y = pandas.Series(y, name=target)
    if not return_truth:
        return X, y
    return X, y, Bunch(formula=str(truth), proba=np.column_stack([1 - proba, proba]))


def _draw_columns(rng, n):
    """Draw the columns: dict of str to ndarray of shape (n,)."""
    days = _FIRST_DAY + rng.randint(_N_DAYS, size=n)
    income = np.round(np.exp(rng.normal(10.3, 0.5, size=n)), -2)
    income[rng.uniform(size=n) < 0.1] = np.nan
    return {
        "customer_id": np.array([f"C{i:06d}" for i in rng.permutation(n)], object),
        "signup_date": days.astype(str).astype(object),
        "age": rng.randint(18, 91, size=n),
        "income": income,
        "balance": np.round(rng.normal(800.0, 1000.0, size=n), 1),
        "support_calls": rng.poisson(1.5, size=n),
        "plan": _choose(rng, n, basic=0.5, plus=0.3, pro=0.2),
        "region": _choose(rng, n, north=0.25, south=0.25, east=0.25, west=0.25),
        "device": _but_for_some(rng, _choose(rng, n, phone=0.45, web=0.35, tablet=0.2)),
        "autopay": _but_for_some(rng, (rng.uniform(size=n) < 0.6).astype(object)),
    }


def _choose(rng, n, **shares):
    """Draw categories with some probabilities: (n,), object."""
    return rng.choice(np.array([*shares], object), size=n, p=[*shares.values()])


def _but_for_some(rng, column):
    """Replace one in twenty values by None."""
    column[rng.uniform(size=len(column)) < 0.05] = None
    return column
