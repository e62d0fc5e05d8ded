"""Tables of 20,000 to 1,000,000 rows: adult, and recipes of others and of our own.

The first rows are for training and the last for testing. All random numbers come from
seed 0.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification, make_friedman1, make_hastie_10_2

from benchmarks.sets import load, splits
from sklearn_dnfwinnow.datasets import make_customers, make_dnf

N_TEST = 20_000


def adult(folder):
    """Return X, y and the split of adult: the first of its three folds."""
    X, y = load("adult", folder)
    return X, y, splits("adult", y)[0]


def friedman(n):
    """Friedman #1 (1991): whether a smooth function of numbers is above its median.

    Five numbers are in it, and 95 columns are not. The noise has variance 1.
    """
    X, values = make_friedman1(n, n_features=100, noise=1.0, random_state=0)
    return numbered(X), (values > np.median(values)).astype(int)


def madelon(n):
    """Clusters on the corners of a cube of five dimensions (Guyon 2003), as in Madelon.

    Fifteen more columns are combinations of these five, and 980 do not matter. One
    class in a hundred is drawn at random.
    """
    X, y = make_classification(
        n,
        n_features=1000,
        n_informative=5,
        n_redundant=15,
        n_clusters_per_class=16,
        flip_y=0.01,
        shuffle=True,
        random_state=0,
    )
    return numbered(X), y


def waveform(n):
    """Mixtures of two of three triangular waves (Breiman et al. 1984, section 2.6.2).

    There are 21 points with normal noise and 19 columns of noise alone; three classes.
    The best possible error is about 14 %.
    """
    rng = np.random.default_rng(0)
    point = np.arange(1, 22)
    waves = np.array([np.maximum(6 - np.abs(point - top), 0) for top in (11, 15, 7)])
    y = rng.integers(0, 3, n)
    share = rng.random((n, 1))
    X = rng.normal(size=(n, 40))
    X[:, :21] += share * waves[[0, 0, 1]][y] + (1 - share) * waves[[1, 2, 2]][y]
    return numbered(X), y


def customers(n):
    """`make_customers` of this package: three rules, and one class in nine is wrong."""
    X, y = make_customers(n, as_frame=True, random_state=0)
    X = X.drop(columns=["customer_id", "signup_date"])
    # As text: some libraries take no others as categories.
    X["autopay"] = X["autopay"].map({True: "yes", False: "no"})
    return X, y.to_numpy()


def agrawal(n):
    """Function 2 of Agrawal, Imielinski & Swami (1993): ranges of age and salary.

    Nine columns. After the class is determined, each number moves by at most 2.5 % of
    its range (perturbation of 5 %).
    """
    rng = np.random.default_rng(0)
    salary = rng.uniform(20_000, 150_000, n)
    commission = np.where(salary >= 75_000, 0, rng.uniform(10_000, 75_000, n))
    age = rng.integers(20, 81, n)
    zipcode = rng.integers(0, 9, n)
    low = np.select([age < 40, age < 60], [50_000, 75_000], 25_000)
    y = ((salary >= low) & (salary <= low + 50_000)).astype(int)
    numbers = {
        "salary": (salary, 130_000),
        "commission": (commission, 65_000),
        "age": (age, 60),
        "hvalue": (rng.uniform(0.5, 1.5, n) * 100_000 * (zipcode + 1), 900_000),
        "hyears": (rng.integers(1, 31, n), 29),
        "loan": (rng.uniform(0, 500_000, n), 500_000),
    }
    moved = {
        name: values + rng.uniform(-0.025, 0.025, n) * width
        for name, (values, width) in numbers.items()
    }
    # No commission stays none.
    moved["commission"] = np.where(commission == 0, 0, moved["commission"])
    categories = {
        "elevel": rng.integers(0, 5, n),
        "car": rng.integers(1, 21, n),
        "zipcode": zipcode,
    }
    texts = {name: values.astype(str) for name, values in categories.items()}
    return pd.DataFrame(moved | texts), y


def dnf(n):
    """`make_dnf` of this package: five random rules; one class in ten is wrong."""
    X, y = make_dnf(n, 14, n_values=4, term_size=3, noise=0.1, random_state=0)
    return numbered(np.array(list("abcd"), dtype=object)[X - 1]), y


def hastie(n):
    """Hastie, Tibshirani & Friedman, Example 10.2: whether ten squares add to 9.34."""
    X, y = make_hastie_10_2(n, random_state=0)
    return numbered(X), y.astype(int)


def numbered(X):
    """Return a data frame with columns v0, v1, ..."""
    return pd.DataFrame(X).add_prefix("v")


@dataclass(frozen=True)
class Table:
    """A recipe for rows, and how many of them are for training."""

    make: Callable
    n_train: int

    def __call__(self, folder=None):
        """Return X, y, and slices of the rows to train with and to test with."""
        X, y = self.make(self.n_train + N_TEST)
        return X, y, (slice(0, self.n_train), slice(self.n_train, None))


# Each makes X, y and a split from a folder of sets.
TABLES = {
    "adult": adult,
    "friedman": Table(friedman, 20_000),
    "madelon": Table(madelon, 20_000),
    "waveform": Table(waveform, 20_000),
    "customers": Table(customers, 100_000),
    "agrawal": Table(agrawal, 100_000),
    "hastie": Table(hastie, 200_000),
    "dnf": Table(dnf, 1_000_000),
}
