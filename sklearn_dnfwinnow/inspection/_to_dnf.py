"""Short DNFs: a few rules that predict as a model does, or all classes by rules."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Real
from time import monotonic

import numpy as np

from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow._utils._estimators import (
    POSITIVE,
    Interval,
    StrOptions,
    validate_params,
    warn,
)
from sklearn_dnfwinnow.inspection._rule_candidates import RuleData, as_rule
from sklearn_dnfwinnow.inspection._steps import cost_of_threshold
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder
from sklearn_dnfwinnow.inspection._terms import (
    LabelledRows,
    data_by_name,
    heavy_terms,
    read_rows,
)
from sklearn_dnfwinnow.rules._dnf_classifier import DNFClassifier

# Maximum number of terms for n_terms='auto'.
_AUTO_TERMS = 15
# Maximum number of literals of a rule for max_term_size='auto'.
_AUTO_SIZE = 7
# Errors that price='auto' stands for, and the numbers of samples up to which it is
# less, in proportion, and from which it is more.
_AUTO_PRICE, _FEW_SAMPLES, _MANY_SAMPLES = 0.7, 200, 5_000
# Factor from one cost of missed samples to the next one that is tried.
_COST_STEP = 2.0
# Classes with a smaller share of the samples are rare.
_RARE = 0.05
_POSITIVE_NUMBER = Interval(Real, 0, None, closed="neither")


@data_by_name
@validate_params(
    {
        "n_terms": [StrOptions({"auto"}), POSITIVE],
        "max_term_size": [StrOptions({"auto"}), POSITIVE],
        "max_literals": [POSITIVE, None],
        "min_precision": [Interval(Real, 0, 1, closed="both")],
        "min_support": [Interval(Real, 0, None, closed="left")],
        "price": [StrOptions({"auto"}), Interval(Real, 0, None, closed="left")],
        "miss_cost": [StrOptions({"auto"}), _POSITIVE_NUMBER],
        "max_time": [_POSITIVE_NUMBER, None],
    }
)
def to_dnf(
    estimator,
    class_of_interest=None,
    n_terms="auto",
    *,
    X=None,
    y=None,
    sample_weight=None,
    max_term_size="auto",
    max_literals=None,
    min_precision=0.0,
    min_support=0.0,
    price="auto",
    miss_cost="auto",
    max_time=None,
):
    """Return a short DNF that approximates the classifier for one class.

    The rules are chosen by integer programming. Candidates are top-weighted terms of
    the model, rules that grow around samples, and rules that a search over all rules
    finds. The result says how much better any other rules could be.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    class_of_interest : object, default=None
        The class that is predicted for samples that satisfy the DNF. None is the second
        of two classes.

    n_terms : int or 'auto', default='auto'
        Maximum number of terms; 'auto' is 15. The DNF has fewer terms if no other term
        is worth its price.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features), \
            default=None
        Samples on which the DNF should agree with the model, as `estimator` takes them.
        Use the training samples. None uses the stored examples of the model, which are
        the training samples that triggered updates. If the model has none, it uses a
        sample of the training samples that `fit` keeps.

    y : array-like of shape (n_samples,), default=None
        Classes of the samples. The errors that the rules should avoid are then, half
        and half, those by these classes and those by the probabilities of the model.
        None uses the probabilities alone.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights of the samples. None is 1 for each.

    max_term_size : int or 'auto', default='auto'
        Maximum number of literals of a term; an interval with two ends has two. 'auto'
        is 7. A proof that no rules are better is quick up to about 3.

    max_literals : int, default=None
        Maximum number of literals of all terms together; None is no limit.

    min_precision : float, default=0
        Minimum precision of each term on X: the fraction of the weight of the samples
        that satisfy it that is in the class; by the predictions if y is None.

    min_support : float, default=0
        Minimum total weight of the samples of X that satisfy a term.

    price : float or 'auto', default='auto'
        Price of each term, and of each of its literals, in errors on samples of mean
        weight. A term of two literals is worth its price if it avoids three times as
        many errors. 'auto' is 0.7 for 200 to 5,000 samples. It is less in proportion if
        there are fewer, and more if there are more.

    miss_cost : float or 'auto', default='auto'
        Cost of a sample of the class that no term covers, relative to the cost of
        another one that is covered. 'auto' is 1, or (1 - t) / t if the estimator is a
        threshold classifier that predicts the class above a probability t. For a class
        with less than 5 % of the samples, 'auto' also tries 2, 4 and so on. It chooses
        the cost whose rules have the largest F1 score, and a warning says so. Prices
        are multiplied by a cost above 1.

    max_time : float, default=None
        Seconds for a search until the rules are proven to be the best. None stops
        after a fixed amount of work, of about the time of `fit`, with the bound so far.

    Returns
    -------
    dnf : DNF
        The formula, with `scores`:

        - 'fidelity': the fraction of the samples on which the DNF agrees with the
          predictions of the model; the DNF is evaluated by `DNF.holds` if X is given.
        - 'accuracy', 'accuracy_of_model', if y is given: the fractions of the samples
          for which the DNF and the model correctly predict whether they belong to the
          class.
        - 'precision', 'recall', if y is given: the fraction of the samples that satisfy
          the DNF that is in the class, and the fraction of the class that satisfies it.
          0 if there are none.
        - 'objective': expected cost of the errors on the samples, and the prices.
        - 'bound': no rules within the limits have a smaller objective. The cost of a
          sample of another class counts for each term that covers it.
        - 'gap': (objective - bound) / objective. 0 is a proof that the rules are the
          best.

        If X has fewer than 2,000 samples, rules are also chosen by the probabilities
        of the model for varied rows: samples, of which one value in ten is that of
        another sample. They weigh as much as the samples up to 1,000, and then as much
        as is left to 2,000. Only the objective and its bound contain them.

        The objective, bound and gap refer to all rules of up to `max_term_size`
        literals. These are ``a = v``, ``a != v``, ``a <= c``, ``a > c`` and those of
        the model, for the cuts c of the model and some more. If there are many samples,
        objective, bound and gap refer to some, which have the weight of all. If there
        are thousands of literals, rules are made of those that tell these samples apart
        best.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If the class does not exist, or is not given for more than two classes; if X
        does not fit the estimator, or y is given without X.

    Warns
    -----
    UserWarning
        If the DNF has no terms, with what to try; if it has fewer than an integer
        `n_terms`; if rules are chosen with a larger `miss_cost` than 1 because the
        class is rare; or if the time was over before the rules were proven to be the
        best, in which case other rules may be returned another time.

    Notes
    -----
    The terms refer to the data that `estimator` takes if the transformers in front of
    the classifier can be inverted, see :ref:`reading_pipelines`. Otherwise they refer
    to the output of the last transformer that cannot be inverted. `DNF.transformed_by`
    then contains its name, and `DNF.holds` and exports raise an error unless
    ``transformed=True``. The same applies if the inverse gives other values for X than
    the transformers.

    The method is column generation with an exact search for rules [1]_. Many formulas
    agree on a few samples, and differ elsewhere: varied rows, as those of [2]_, tell
    which of them is like the model. For rare classes, see :ref:`rare_classes`.

    References
    ----------
    .. [1] S. Dash, O. Günlük and D. Wei: Boolean decision rules via column generation.
       NeurIPS, 2018.
    .. [2] L. Breiman and N. Shang: Born again trees. University of California,
       Berkeley, 1996.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import to_dnf
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> dnf = to_dnf(clf, X=X, y=y)
    >>> print(dnf)
    class: 1
    a5 = 1 or
    a1 = 3 & a2 = 3 or
    a1 = 2 & a2 = 2 or
    a1 = 1 & a2 = 1
    otherwise: 0
    >>> dnf.scores["accuracy"], dnf.scores["gap"]
    (1.0, 0.0)
    """
    if X is None and y is not None:
        raise ValueError("y requires X; got y with X=None.")
    decoder, rows = read_rows(estimator, X, y, sample_weight)
    if class_of_interest is None and len(decoder.classes) > 2:
        raise ValueError(
            "class_of_interest must be given for a model with more than two classes; "
            f"choose one of {decoder.classes}."
        )
    k = 1 if class_of_interest is None else decoder.class_indices(class_of_interest)[0]
    if rows is None:
        rows = LabelledRows.from_model(decoder.model, np.abs)
    data = RuleData(decoder, k, rows, X, is_labelled=y is not None)
    limits = {
        "max_rules": _AUTO_TERMS if n_terms == "auto" else n_terms,
        "max_term_size": _AUTO_SIZE if max_term_size == "auto" else max_term_size,
        "max_literals": max_literals or np.inf,
        "min_precision": min_precision,
        "min_support": min_support,
    }
    if price == "auto":
        n = data.n_samples
        price = _AUTO_PRICE * max(min(n / _FEW_SAMPLES, 1.0), n / _MANY_SAMPLES)
    price *= data.weights.sum() / data.n_samples
    limits.update(rule_price=price, literal_price=price)
    first_cost = miss_cost
    if miss_cost == "auto":
        first_cost = cost_of_threshold(estimator, decoder.classes[k])
    deadline = None if max_time is None else monotonic() + max_time
    found, cost = data.best_rules(first_cost, limits, deadline), first_cost
    is_rare = data.odds_against > 1 / _RARE - 1 and first_cost == 1.0
    if miss_cost == "auto" and is_rare:
        found, cost = _for_rare_class(data, first_cost, limits, deadline, found)
    dnf = data.dnf(found)
    name = shown(dnf.class_)
    if found.is_timed_out:
        warn(
            f"The search for rules of {name} stopped after max_time={max_time:g} "
            f"seconds, with a gap of {found.gap:.2g}: rules may differ from call to "
            "call. Increase max_time, or decrease max_term_size."
        )
    if not found.rules:
        warn(data.why_none(limits))
    elif cost != first_cost:
        held = "".join(
            f", {measure} {dnf.scores[measure]:.2f}"
            for measure in ("precision", "recall")
            if measure in dnf.scores
        )
        warn(
            f"Few samples belong to {name}. These are the rules with the largest F1 "
            f"score, for miss_cost={cost:.3g}{held}. See the user guide, 'Rare "
            "classes'."
        )
    elif n_terms != "auto" and len(found.rules) < n_terms:
        n_found = len(found.rules)
        warn(
            f"The DNF of class {name} has {n_found} term{'s' * (n_found != 1)} instead "
            f"of {n_terms}: no other term improves it by its price."
        )
    return dnf


def _for_rare_class(data, cost, limits, deadline, found):
    """Return rules for the best cost of missed samples, and this cost.

    Costs grow until the F1 score of the rules falls. The rules have no terms if none
    have a larger score than all samples together.
    """
    of_all = data.f1_of([()])
    best = max(of_all, data.f1_of(found.rules)), found, cost
    while cost < data.odds_against:
        cost = min(_COST_STEP * cost, data.odds_against)
        some = data.best_rules(cost, limits, deadline)
        f1 = data.f1_of(some.rules)
        if f1 > best[0]:
            best = f1, some, cost
        elif max(f1, of_all) < best[0]:
            break
    return best[1:]


# Number of candidates of each class.
_OF_CLASS = 100


def to_rules(
    estimator,
    X,
    y,
    sample_weight=None,
    *,
    otherwise=None,
    smoothing=1.0,
    n_terms="auto",
    max_term_size=8,
    max_literals=None,
    min_precision=0.0,
    min_support=1,
    price="auto",
    class_weight=None,
    cv="auto",
    max_time=None,
    random_state=None,
    n_jobs=None,
):
    """Return the rules of all classes, from a fitted model, as a classifier.

    The rules of each class are learnt as by a :class:`DNFClassifier`. What a rule gains
    by a sample follows half from its label, and half from its probability by the model.
    The top-weighted terms of the model are candidates.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted, with `predict_proba`: a Pipeline that ends with a classifier, a search,
        a FrozenEstimator, a threshold classifier, or a CalibratedClassifierCV of one
        model.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Samples as `estimator` takes them, to which the rules refer. Use the training
        samples.

    y : array-like of shape (n_samples,)
        Class labels, among those of `estimator`.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights of the samples. None is 1 for each.

    otherwise, smoothing, n_terms, max_term_size, max_literals, min_precision, \
    min_support, price, class_weight, cv, max_time, random_state, n_jobs : object
        See :class:`DNFClassifier`.

    Returns
    -------
    clf : DNFClassifier
        Fitted. Its parameter `dnf` contains the formulas: another call of `fit`, for
        example in a cross-validation, keeps them, and only counts classes again.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If y contains classes that the estimator does not have.

    See Also
    --------
    to_dnf : The rules of one class, with a bound on how good any rules can be.

    Notes
    -----
    Price and default class are chosen by cross-validation of the rules. The model is
    not trained again, so that the probabilities of its training samples are a little
    too good. To avoid this, pass the model without fit as the `estimator` of a
    :class:`DNFClassifier`.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import to_rules
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = to_rules(DNFWinnowClassifier(random_state=0).fit(X, y), X, y)
    >>> clf.otherwise_, clf.score(X, y)
    ('0', 1.0)
    """
    decoder = TermDecoder.from_estimator(estimator)
    clf = DNFClassifier(
        otherwise=otherwise,
        smoothing=smoothing,
        n_terms=n_terms,
        max_term_size=max_term_size,
        max_literals=max_literals,
        min_precision=min_precision,
        min_support=min_support,
        price=price,
        class_weight=class_weight,
        cv=cv,
        max_time=max_time,
        random_state=random_state,
        n_jobs=n_jobs,
    )
    present = np.unique(y).tolist()
    places = [decoder.class_indices(class_, "y")[0] for class_ in present]
    shares = estimator.predict_proba(X)[:, places]
    shares = shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
    terms = [[] for _ in places]
    if not decoder.transformed_by:
        terms = [
            [
                as_rule(decoder.term(one.literals), decoder.preimages)
                for one in heavy_terms(decoder.model, k, _OF_CLASS)
            ]
            for k in places
        ]
    clf._fit(X, y, sample_weight, probabilities=shares, terms=terms)
    formulas = {dnf.class_: dnf for dnf in clf.dnfs_}
    return clf.set_params(dnf=formulas, otherwise=clf.otherwise_)
