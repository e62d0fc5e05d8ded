"""Real: loaders of the bundled data sets.

A data set consists of one or more CSV files in `data/`, with the class in the last
column and empty fields for missing values. An `.rst` file in the same folder describes
the data set and contains its licence. `columns.json` lists the nominal and the numeric
columns.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import json
import re
from functools import partial
from importlib.resources import files
from inspect import cleandoc
from numbers import Integral

import numpy as np
from sklearn.utils import Bunch

from sklearn_dnfwinnow._utils._estimators import Interval, StrOptions, validate_params

DATA = files("sklearn_dnfwinnow.datasets") / "data"


def public(constraints, **sections):
    """Decorate a public function: validate its parameters, and complete its docstring.

    Parameters
    ----------
    constraints : dict of str to list
        Constraints of the parameters, in scikit-learn's form.

    **sections : str
        Texts that several docstrings share, see `sections_of`; they replace
        ``%(name)s``.

    Returns
    -------
    decorate : callable
        The decorator.
    """

    def decorate(function):
        # Docstrings are missing under `python -OO`.
        if function.__doc__:
            function.__doc__ = cleandoc(function.__doc__) % sections
        return validate_params(constraints)(function)

    return decorate


def sections_of(function):
    """Return the sections of a docstring: dict of title to text, without indents."""
    # Docstrings are missing under `python -OO`.
    parts = re.split(r"\n\n(\w[\w ]+)\n-+\n", cleandoc(function.__doc__ or ""))
    return dict(zip(parts[1::2], parts[2::2]))


def import_pandas(as_frame):
    """Return pandas if data frames are requested and possible; otherwise None."""
    if not as_frame:
        return None
    try:
        import pandas
    except ImportError as error:
        if as_frame == "auto":
            return None
        raise ImportError(
            "as_frame=True requires pandas, which can be installed with `pip install "
            "pandas`. as_frame=False returns arrays and does not require pandas."
        ) from error
    return pandas


_CONSTRAINTS = {
    "return_X_y": ["boolean"],
    "as_frame": ["boolean", StrOptions({"auto"})],
}


def _load(name, return_X_y, as_frame, subsets=()):
    """Load a data set, or the samples of some subsets, one after the other.

    Parameters
    ----------
    return_X_y : bool, default=False
        If True, return ``(data, target)`` instead of a Bunch.

    as_frame : bool or 'auto', default='auto'
        Whether the data are returned as pandas objects instead of arrays; 'auto' is
        True if pandas is installed.

    Returns
    -------
    data : :class:`~sklearn.utils.Bunch`
        Dictionary-like object with the attributes:

        data : {DataFrame, ndarray} of shape (n_samples, n_features)
            Nominal features are strings, numeric features are floats (float64 in the
            data frame). The array has dtype object. Missing values are those of pandas
            in the data frame; in the array, they are None in nominal and NaN in numeric
            features.
        target : {Series, ndarray} of shape (n_samples,)
            The classes, as strings.
        frame : DataFrame of shape (n_samples, n_features + 1) or None
            `data` and `target`, the latter as column 'class'; None for arrays.
        feature_names : list of str
            Names of all columns of `data`.
        target_names : list of str
            Names of the classes, sorted.
        nominal, numeric : list of str
            Names of the nominal and of the numeric columns of `data`.
        DESCR : str
            Description of the data set, with its citation and licence.
        filename : str or list of str
            Name of the file, or of all files, of the data set.

    (data, target) : tuple
        If `return_X_y`.

    Raises
    ------
    ImportError
        If `as_frame` is True and pandas is not installed.

    ValueError
        If a parameter is invalid.
    """
    filenames = [f"{name}.{subset}.csv" for subset in subsets] or [f"{name}.csv"]
    pandas = import_pandas(as_frame)
    features = json.loads((DATA / "columns.json").read_text(encoding="utf-8"))[name]
    kinds = {**features, "class": "nominal"}
    rows = []
    for filename in filenames:
        with (DATA / filename).open(encoding="utf-8", newline="") as file:
            rows += list(csv.reader(file))[1:]
    # An empty field is missing, other text is not.
    read = {"nominal": str, "numeric": float}
    missing = {"nominal": None, "numeric": np.nan}
    columns = {
        column: [read[kind](cell) if cell else missing[kind] for cell in cells]
        for (column, kind), cells in zip(kinds.items(), zip(*rows))
    }

    if pandas is None:
        frame = None
        data = np.array(list(zip(*(columns[name] for name in features))), dtype=object)
        target = np.array(columns["class"])
    else:
        # Without a dtype, pandas would not use strings for a column without values.
        frame = pandas.DataFrame(
            {
                column: pandas.Series(values, dtype=read[kinds[column]])
                for column, values in columns.items()
            }
        )
        data, target = frame[list(features)], frame["class"]

    if return_X_y:
        return data, target
    return Bunch(
        data=data,
        target=target,
        frame=frame,
        feature_names=list(features),
        target_names=sorted(set(columns["class"])),
        nominal=[name for name in features if kinds[name] == "nominal"],
        numeric=[name for name in features if kinds[name] == "numeric"],
        DESCR=(DATA / f"{name}.rst").read_text(encoding="utf-8"),
        filename=filenames[0] if len(filenames) == 1 else list(filenames),
    )


# The parts of the docstring above are also those of the loaders.
_loader = partial(public, **sections_of(_load))


@_loader(_CONSTRAINTS)
def load_annealing(*, return_X_y=False, as_frame="auto"):
    """Load the Annealing data set: treated steel, in 5 classes.

    The data set has 898 samples, of which the last 100 are the test file of UCI, with
    32 nominal and 6 numeric features [1]_. Two thirds of all values are missing; six
    features have no values at all.

    Parameters
    ----------
    %(Parameters)s

    Returns
    -------
    %(Returns)s

    Raises
    ------
    %(Raises)s

    References
    ----------
    .. [1] Annealing [Dataset], UCI Machine Learning Repository,
       https://doi.org/10.24432/C5RW2F

    Examples
    --------
    >>> from sklearn_dnfwinnow.datasets import load_annealing
    >>> annealing = load_annealing()
    >>> annealing.data.shape
    (898, 38)
    >>> annealing.numeric
    ['carbon', 'hardness', 'strength', 'thick', 'width', 'len']
    """
    return _load("annealing", return_X_y, as_frame)


@_loader(_CONSTRAINTS)
def load_auto(*, return_X_y=False, as_frame="auto"):
    """Load the Automobile data set, Imports-85: insurance risk ratings of cars.

    The data set has 205 samples with 10 nominal and 15 numeric features, and 59 missing
    values. The class is the symboling, from '-2', safe, to '3', risky [1]_.

    The samples are sorted by make, so cross-validation needs shuffled folds. With the
    defaults of :class:`~sklearn_dnfwinnow.ClassEntropyDiscretizer` and
    :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`, the accuracy over five folds is
    0.58 in the order of the file, and 0.79 to 0.82 with
    ``StratifiedKFold(shuffle=True)``.

    Parameters
    ----------
    %(Parameters)s

    Returns
    -------
    %(Returns)s

    Raises
    ------
    %(Raises)s

    References
    ----------
    .. [1] J. Schlimmer, Automobile [Dataset], UCI Machine Learning Repository,
       https://doi.org/10.24432/C5B01C

    Examples
    --------
    >>> from sklearn_dnfwinnow.datasets import load_auto
    >>> auto = load_auto()
    >>> auto.data.shape
    (205, 25)
    >>> auto.target_names
    ['-1', '-2', '0', '1', '2', '3']
    """
    return _load("auto", return_X_y, as_frame)


@_loader(_CONSTRAINTS)
def load_breast_cancer_ljubljana(*, return_X_y=False, as_frame="auto"):
    """Load the Breast Cancer data set of Ljubljana: whether the cancer recurred.

    The data set has 286 samples with 9 nominal features, and 9 missing values [1]_. It
    is not related to the Wisconsin data set,
    :func:`sklearn.datasets.load_breast_cancer`.

    The samples are sorted by class. The accuracy of
    :class:`~sklearn_dnfwinnow.DNFWinnowClassifier` over five folds is 0.71 in the order
    of the file, and 0.73 to 0.75 with ``StratifiedKFold(shuffle=True)``.

    Parameters
    ----------
    %(Parameters)s

    Returns
    -------
    %(Returns)s

    Raises
    ------
    %(Raises)s

    References
    ----------
    .. [1] M. Zwitter and M. Soklic, Breast Cancer [Dataset], UCI Machine Learning
       Repository, 1988, https://doi.org/10.24432/C51P4M

    Examples
    --------
    >>> from sklearn_dnfwinnow.datasets import load_breast_cancer_ljubljana
    >>> patients = load_breast_cancer_ljubljana()
    >>> patients.data.shape
    (286, 9)
    >>> patients.target_names
    ['no-recurrence-events', 'recurrence-events']
    """
    return _load("breast-cancer", return_X_y, as_frame)


@_loader(_CONSTRAINTS)
def load_car(*, return_X_y=False, as_frame="auto"):
    """Load the Car Evaluation data set: cars rated by a decision model.

    The data set has 1728 samples, one for each combination of the values of 6 nominal
    features, in 4 classes, without missing values and without noise [1]_.

    The samples are sorted by the features, so cross-validation needs shuffled folds.
    The accuracy of :class:`~sklearn_dnfwinnow.DNFWinnowClassifier` over five folds is
    0.78 in the order of the file, and 0.99 with ``StratifiedKFold(shuffle=True)``.

    Parameters
    ----------
    %(Parameters)s

    Returns
    -------
    %(Returns)s

    Raises
    ------
    %(Raises)s

    References
    ----------
    .. [1] M. Bohanec, Car Evaluation [Dataset], UCI Machine Learning Repository,
       https://doi.org/10.24432/C5JP48

    Examples
    --------
    >>> from sklearn_dnfwinnow.datasets import load_car
    >>> X, y = load_car(return_X_y=True, as_frame=False)
    >>> X.shape
    (1728, 6)
    >>> X[0].tolist(), str(y[0])
    (['vhigh', 'vhigh', '2', '2', 'small', 'low'], 'unacc')
    """
    return _load("car", return_X_y, as_frame)


@_loader(_CONSTRAINTS)
def load_house_votes_84(*, return_X_y=False, as_frame="auto"):
    """Load the Congressional Voting Records of 1984: party by 16 votes.

    The data set has 435 samples with 16 nominal features, 'y' or 'n' [1]_. The 392
    missing values are not unknown; they represent positions that were neither yea nor
    nay.

    Parameters
    ----------
    %(Parameters)s

    Returns
    -------
    %(Returns)s

    Raises
    ------
    %(Raises)s

    References
    ----------
    .. [1] J. Schlimmer, Congressional Voting Records [Dataset], UCI Machine Learning
       Repository, 1987, https://doi.org/10.24432/C5C01P

    Examples
    --------
    >>> from sklearn_dnfwinnow.datasets import load_house_votes_84
    >>> votes = load_house_votes_84()
    >>> votes.data.shape
    (435, 16)
    >>> votes.target_names
    ['democrat', 'republican']
    """
    return _load("house-votes-84", return_X_y, as_frame)


@_loader(
    {
        "problem": [Interval(Integral, 1, 3, closed="both")],
        "subset": [StrOptions({"all", "train", "test"})],
        **_CONSTRAINTS,
    }
)
def load_monks(problem=1, *, subset="all", return_X_y=False, as_frame="auto"):
    """Load one of the MONK's problems: robots, and a concept to learn.

    The 432 robots are all combinations of the values of 6 nominal features. The robots
    of class '1' are those with [1]_

    1. a1 = a2 or a5 = 1;
    2. exactly two features with value 1;
    3. (a5 = 3 and a4 = 1) or (a5 != 4 and a2 != 3). Of the training samples, 6 have the
       wrong class.

    Parameters
    ----------
    problem : {1, 2, 3}, default=1
        Number of the problem.

    subset : {'all', 'train', 'test'}, default='all'
        'train' is the training file (124, 169 or 122 samples), 'test' is the test file
        (all 432 robots), and 'all' is the training file followed by the test file.
        Every robot in the training file is also in the test file.

    %(Parameters)s

    Returns
    -------
    %(Returns)s

    Raises
    ------
    %(Raises)s

    References
    ----------
    .. [1] S. B. Thrun et al., "The MONK's Problems: A Performance Comparison of
       Different Learning Algorithms", CMU-CS-91-197, Carnegie Mellon University, 1991.

    Examples
    --------
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> X, y = load_monks(2, subset="train", return_X_y=True)
    >>> X.shape
    (169, 6)
    """
    subsets = ["train", "test"] if subset == "all" else [subset]
    return _load(f"monks-{problem}", return_X_y, as_frame, subsets)


@_loader(_CONSTRAINTS)
def load_tic_tac_toe(*, return_X_y=False, as_frame="auto"):
    """Load the Tic-Tac-Toe Endgame data set: final boards, and whether x has won.

    The data set has 958 samples, one for each board on which a game can end if x
    begins, with 9 nominal features, without missing values [1]_. The concept is a DNF
    of 8 terms with 3 literals each.

    The samples are sorted by class, and within a class mostly by the squares.
    Cross-validation needs shuffled folds: the accuracy of
    :class:`~sklearn_dnfwinnow.DNFWinnowClassifier` over five folds is 0.906 in the
    order of the file, and 1.000 in the example below.

    Parameters
    ----------
    %(Parameters)s

    Returns
    -------
    %(Returns)s

    Raises
    ------
    %(Raises)s

    References
    ----------
    .. [1] D. Aha, Tic-Tac-Toe Endgame [Dataset], UCI Machine Learning Repository, 1991,
       https://doi.org/10.24432/C5688J

    Examples
    --------
    >>> from sklearn_dnfwinnow.datasets import load_tic_tac_toe
    >>> boards = load_tic_tac_toe()
    >>> boards.data.shape
    (958, 9)
    >>> boards.target_names
    ['negative', 'positive']

    Cross-validation with shuffled folds:

    >>> from sklearn.model_selection import StratifiedKFold, cross_val_score
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> clf = DNFWinnowClassifier(random_state=0)
    >>> folds = StratifiedKFold(5, shuffle=True, random_state=0)
    >>> scores = cross_val_score(clf, boards.data, boards.target, cv=folds)
    >>> f"{scores.mean():.3f}"
    '1.000'
    """
    return _load("tic-tac-toe", return_X_y, as_frame)
