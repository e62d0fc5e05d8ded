"""Short DNFs: a few rules for a class, from the rows and a model."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

import numpy as np
from scipy.special import softmax
from sklearn.utils.validation import column_or_1d

from sklearn_dnfwinnow._encoding._encoding import ranks_of
from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow._utils._estimators import safe_indexing, warn
from sklearn_dnfwinnow.inspection._steps import cost_of_threshold
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder
from sklearn_dnfwinnow.inspection._terms import data_by_name
from sklearn_dnfwinnow.rules._dnf import DNF
from sklearn_dnfwinnow.rules._dnf_classifier import DNFClassifier
from sklearn_dnfwinnow.rules._term import Term


@data_by_name
def to_dnf(
    estimator,
    class_of_interest=None,
    *,
    X,
    y=None,
    sample_weight=None,
    max_conditions=3,
    min_support=0.01,
    price="auto",
    miss_cost="auto",
    cv="auto",
    random_state=0,
):
    """Return a few short rules for one class, from the rows and a model.

    They are those of ``DNFClassifier(estimator=estimator, class_of_interest=...)``:
    what a rule gains by a row is half its label, and half its probability by the model.
    If there are fewer than 2,000 rows, the probabilities of varied rows count as well,
    see :ref:`rules_method`.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted, with `predict_proba`: a Pipeline that ends with a classifier, a search,
        a FrozenEstimator, a threshold classifier, or a CalibratedClassifierCV of one
        model. The rules respect its `monotonic_cst`.

    class_of_interest : object, default=None
        The class that is predicted for rows that satisfy the DNF. None is the second
        of two classes.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Rows as `estimator` takes them, to whose columns the rules refer. Use the
        training rows.

    y : array-like of shape (n_samples,), default=None
        Classes of the rows. None uses the predictions of the model, with which the
        rules agree better than with classes, so that they are not measured.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights of the rows. None is 1 for each.

    max_conditions, min_support, price : object
        See :class:`DNFClassifier`.

    miss_cost : float, 'f1' or 'auto', default='auto'
        See :class:`DNFClassifier`. For a threshold classifier that predicts the class
        above a probability t, 'auto' is (1 - t) / t.

    cv, random_state : object
        See :class:`DNFClassifier`.

    Returns
    -------
    dnf : DNF
        The formula, with `scores` and `rule_scores` on held-out rows if `y` is given,
        see :class:`DNFClassifier`. Its method `summary` measures it on other rows. If
        no rule is better than the share of the class, it has no terms.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If the class does not exist, or is not given for more than two classes; if X
        does not fit the estimator; or if y contains classes that the estimator does not
        have.

    Warns
    -----
    UserWarning
        If the DNF has no terms.

    Notes
    -----
    The rules refer to the columns of X, whatever transformers are in front of the
    classifier. Texts are the exception: if X is no table, the rules refer to the output
    of the transformers. `DNF.transformed_by` then contains their names, and
    `DNF.holds` and exports raise an error unless ``transformed=True``.

    The model is not trained again for the folds, which measure the rules by labels
    alone. For rare classes, see :ref:`rare_classes`.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import to_dnf
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> print(to_dnf(clf, X=X, y=y))  # doctest: +NORMALIZE_WHITESPACE
    class: 1  # held out: precision 1.00, recall 1.00, F1 1.00; error 0.0 %, of
        50.0 % in the class
    a5 = 1 or           # 1.00 of 137 rows (25 %)
    a1 = 3 & a2 = 3 or  # 1.00 of 65 rows (12 %)
    a1 = 2 & a2 = 2 or  # 1.00 of 63 rows (11 %)
    a1 = 1 & a2 = 1     # 1.00 of 57 rows (10 %)
    otherwise: 0
    """
    decoder, codes = TermDecoder.with_codes(estimator, X)
    if class_of_interest is None and len(decoder.classes) > 2:
        raise ValueError(
            "class_of_interest must be given for a model with more than two classes; "
            f"choose one of {decoder.classes}."
        )
    k = 1 if class_of_interest is None else decoder.class_indices(class_of_interest)[0]
    class_, otherwise = decoder.classes[k], None
    if len(decoder.classes) == 2:
        otherwise = decoder.classes[1 - k]
    is_measured = y is not None
    y = column_or_1d(y if is_measured else estimator.predict(X))
    for label in np.unique(y).tolist():
        decoder.class_indices(label, "y")
    if miss_cost == "auto":
        cost = cost_of_threshold(estimator, class_)
        miss_cost = miss_cost if cost == 1.0 else cost
    rules = DNFClassifier(
        class_of_interest=True,
        max_conditions=max_conditions,
        min_support=min_support,
        price=price,
        miss_cost=miss_cost,
        cv=cv,
        random_state=random_state,
        verbose=decoder.classifier.verbose,
    )
    rules._validate_params()
    is_own, share = y == class_, estimator.predict_proba(X)[:, k]
    columns, signs = _columns_and_signs(decoder, k)
    found, table = None, decoder.table(X)
    if isinstance(table, list):
        table = np.array(table, dtype=object)
    if 0 < np.count_nonzero(is_own) < len(is_own):
        rules._fit(
            safe_indexing(table, columns, axis=1),
            is_own,
            sample_weight,
            probabilities=np.column_stack([1 - share, share]),
            signs=np.column_stack([-signs, signs]),
            shares_of_varied=_shares_of_varied(decoder, codes, k, columns),
        )
        found = next(iter(rules.dnfs_), None)
    names = decoder.table_features
    known = {
        "class_": class_,
        "otherwise": otherwise,
        "features": names,
        "transformed_by": decoder.transformed_by,
    }
    if found is None:
        warn(
            f"No rule for {shown(class_)} is better than its share of the rows. "
            "miss_cost='f1' also looks for rules that are wrong more often than right; "
            "terms(..., X=X, y=y) lists rules with their precision. See the user "
            "guide, 'Rare classes'."
        )
        return DNF((), **known, scores={"share": np.mean(is_own)})
    places = [int(j) for j in columns]
    terms = [
        Term(
            replace(x, column=places[x.column], feature=names[places[x.column]])
            for x in term.literals
        )
        for term in found.terms
    ]
    if not is_measured:
        return DNF(terms, **known)
    return DNF(terms, **known, scores=found.scores, rule_scores=found.rule_scores)


def _shares_of_varied(decoder, codes, k, columns):
    """Return a function from the rows that values are of to probabilities of a class.

    Its argument is an array of shape (n_columns, n_varied).
    """
    model = decoder.model
    places_of = {column: i for i, column in enumerate(columns.tolist())}

    def shares(places):
        varied = np.zeros((places.shape[1], codes.shape[1]), dtype=codes.dtype)
        for j, preimage in enumerate(decoder.preimages):
            if preimage.column in places_of:
                varied[:, j] = codes[places[places_of[preimage.column]], j]
        scores = model.estimate_log_sums(varied)[0] - model.log_thresholds
        share = softmax(model.scale * scores, axis=1)[:, k]
        return np.column_stack([1 - share, share])

    return shares


def _columns_and_signs(decoder, k):
    """Return the columns that a model uses, and the direction of each for a class.

    Columns that the model uses in a direction, but not as numbers, are left out.

    Returns
    -------
    columns, signs : ndarrays of shape (n_columns,), int
    """
    signs = {preimage.column: set() for preimage in decoder.preimages}
    for j, of_classes in decoder.model.models[0].directions.signs:
        preimage = decoder.preimages[j]
        signs[preimage.column].add(of_classes[k] * _direction(decoder, j, preimage))
    columns = [j for j in sorted(signs) if signs[j] in (set(), {-1}, {0}, {1})]
    return np.array(columns), np.array([max(signs[j], default=0) for j in columns])


def _direction(decoder, j, preimage):
    """Return 1 if an attribute rises with its column, and -1 if it falls.

    0.5 if it does neither.
    """
    numeric = preimage.as_numeric()
    ranks = ranks_of(decoder.model.encoding.categories[j])
    if numeric is None or ranks is None:
        return 0.5
    steps = np.diff(ranks[numeric.codes[numeric.codes > 0]])
    if (steps >= 0).all():
        return 1
    return -1 if (steps <= 0).all() else 0.5
