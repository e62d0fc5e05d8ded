"""Report: a page about a fitted model, for a colleague."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import warnings
from numbers import Integral
from pathlib import Path

from sklearn_dnfwinnow._utils._estimators import Interval, validate_params
from sklearn_dnfwinnow.inspection._report._combinations import combinations_part
from sklearn_dnfwinnow.inspection._report._doubts import warnings_part
from sklearn_dnfwinnow.inspection._report._effects import effects_part
from sklearn_dnfwinnow.inspection._report._page import Part, page
from sklearn_dnfwinnow.inspection._report._pictures import check_matplotlib
from sklearn_dnfwinnow.inspection._report._predictions import predictions_part
from sklearn_dnfwinnow.inspection._report._quality import quality_part
from sklearn_dnfwinnow.inspection._report._rules import rules_part
from sklearn_dnfwinnow.inspection._report._subject import Subject
from sklearn_dnfwinnow.inspection._report._training import training_part

_WORDS = """\
<dl>
<dt>Row and column</dt>
<dd>A row of the table is one thing of which the model predicts the class. The columns
contain what is known of it.</dd>
<dt>Condition</dt>
<dd>A condition is a test of the value of one column, such as <code>age &gt; 60</code>.
</dd>
<dt>Rule</dt>
<dd>A rule is a list of conditions, joined by <code>&amp;</code>. A row satisfies a rule
if it satisfies all of its conditions.</dd>
<dt>Training rows and test rows</dt>
<dd>The training rows were used to make the model, or to count the classes of its rules.
Test rows were not used, so that they show how well it predicts.</dd>
</dl>"""


@validate_params(
    {
        "path": [str, os.PathLike],
        "title": [str, None],
        "n_features": [Interval(Integral, 0, None, closed="left")],
    }
)
def report(
    estimator, X_test, y_test, path, *, X=None, y=None, title=None, n_features=6
):
    """Write a report about a fitted model: one HTML file that can be sent to others.

    The page explains its words, so that a reader needs no other documentation. It
    contains its pictures and no scripts, and loads nothing from elsewhere. It suits
    light and dark screens, phones and paper. Its sections are

    - what was trained on what: parameters, sizes of the tables, classes;
    - the error on the held-out samples with an interval, the log loss, the calibration
      curve and the confusion matrix;
    - rules of all classes, with their support, precision and recall on these samples;
    - the importances of columns, and curves of the most important ones;
    - the strongest combinations of conditions;
    - three predictions with their reasons and counterfactuals: the most certain right
      one, the least certain one, and the most certain wrong one;
    - warnings: columns that look like identifiers, values and classes with few samples,
      values that training did not have, and what was warned of during the report.

    A section that does not apply to the estimator is left out. The page calls samples
    *rows*, and features *columns*.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, BayesianInteractionClassifier or DNFClassifier, \
            or an estimator with a single one inside
        Fitted, with `predict_proba`: a Pipeline that ends with a classifier, a search,
        a FrozenEstimator, a threshold classifier, or a CalibratedClassifierCV of one
        model.

    X_test : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Samples that were not used in training, as `estimator` takes them.

    y_test : array-like of shape (n_samples,)
        Their classes. A class that training did not have counts as an error.

    path : str or path-like
        The file to write, such as 'report.html'. An existing file is replaced.

    X : {array-like, sparse matrix, dataframe} of shape (n_training, n_features), \
            default=None
        The training samples, as `estimator` takes them. With them, rules are learnt by
        :func:`to_rules`, and warnings refer to the values of training. Without them,
        rules are those of :func:`to_dnf`.

    y : array-like of shape (n_training,), default=None
        The classes of the training samples. Required with `X`.

    title : str, default=None
        The title of the page. None is the name of the class of the classifier.

    n_features : int, default=6
        Number of columns with a curve.

    Returns
    -------
    path : pathlib.Path
        The file that was written.

    Raises
    ------
    ImportError
        If Matplotlib is not installed.
    TypeError
        If `estimator` has no classifier of this package.
    NotFittedError
        If it is not fitted.
    ValueError
        If samples and classes do not have the same number, a class is missing, or the
        samples do not fit the estimator. If only one of `X` and `y` is given, or `y`
        has classes that the estimator does not have.
    OSError
        If `path` is a folder, is in no existing folder, or cannot be written.

    See Also
    --------
    to_rules : The rules of the report, as a classifier.
    feature_effect : The curves of the report, as numbers.
    explain, counterfactuals : The explanations of the report.

    Notes
    -----
    The same estimator and the same samples give the same file: there is no date in it.
    Error, log loss, calibration and rules use all held-out samples. Importances use
    50 of them, and curves 200, at equal distances. Columns with more than 64 categories
    have no curve. Missing values and unknown values have the meaning that they have for
    the estimator.

    Rules take most of the time. With training samples they are cross-validated, which
    can take longer than `fit`. pandas is not needed.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import report
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> X_test, y_test = load_monks(1, subset="test", return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> with TemporaryDirectory() as folder:
    ...     path = report(clf, X_test, y_test, Path(folder, "monks.html"), X=X, y=y)
    ...     path.name, "<h2" in path.read_text(encoding="utf-8")
    ('monks.html', True)
    """
    path = Path(path)
    _check_writable(path)
    check_matplotlib()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        subject = Subject(estimator, X_test, y_test, X, y)
        parts = [training_part(subject), quality_part(subject), rules_part(subject)]
        if subject.has_table_model:
            parts += [effects_part(subject, n_features), combinations_part(subject)]
        parts.append(predictions_part(subject))
    messages = [
        str(one.message) for one in caught if issubclass(one.category, UserWarning)
    ]
    parts.append(warnings_part(subject, messages))
    name = type(subject.classifier).__name__
    if title is None:
        title = f"Report on a {name}"
    introduction = Part("introduction", title)
    introduction.paragraph(
        f"This page describes a model for the classes of rows of a table, a {name} of "
        "the Python package sklearn_dnfwinnow, and how well it predicts."
    )
    introduction.write(_WORDS)
    text = page(title, introduction, [part for part in parts if part is not None])
    path.write_bytes(text.encode("utf-8", "backslashreplace"))
    return path


def _check_writable(path):
    """Raise an error before the work if a file cannot be written afterwards."""
    folder = path.parent
    if path.is_dir():
        raise IsADirectoryError(
            f"path must be a file to write, such as 'report.html'; {str(path)!r} is a "
            "folder."
        )
    if not folder.is_dir():
        raise FileNotFoundError(
            f"path must be in an existing folder; there is no folder {str(folder)!r}."
        )
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise PermissionError(f"path must be writable; {str(path)!r} is not.")
