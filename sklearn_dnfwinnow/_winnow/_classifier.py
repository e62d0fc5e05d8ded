"""DNFWinnowClassifier: Winnow over all conjunctions of feature values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from contextlib import nullcontext
from copy import copy
from dataclasses import replace

import numpy as np
from scipy.special import log_softmax, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._encoding._column_warnings import without_column_warnings
from sklearn_dnfwinnow._encoding._columns import refuse_missing_labels
from sklearn_dnfwinnow._encoding._table import check_samples, refuse_single_class
from sklearn_dnfwinnow._utils._estimators import (
    CallbackSupportMixin,
    FittedAttribute,
    PackageMixin,
    SplitterMixin,
    TermModelMixin,
    all_or_nothing,
    callback_context,
    check_fold_count,
    check_groups,
    check_partial_fit_first_call,
    fit_context,
)
from sklearn_dnfwinnow._utils._progress import Progress
from sklearn_dnfwinnow._winnow._average import averaged
from sklearn_dnfwinnow._winnow._folds import folds_of_splits
from sklearn_dnfwinnow._winnow._model import Model
from sklearn_dnfwinnow._winnow._monotone import read_directions
from sklearn_dnfwinnow._winnow._repetitions import (
    canonical_rows,
    in_repetitions,
    rows_in_order,
    warn_of_small_weights,
)
from sklearn_dnfwinnow._winnow._selection import choose
from sklearn_dnfwinnow._winnow._settings import (
    CONSTRAINTS,
    UNCHANGED,
    Settings,
    check_rule,
    paper_settings,
    single_candidate,
    validate_call,
    warn_of_ineffective_parameters,
)
from sklearn_dnfwinnow._winnow._training import Batch, take_in, train
from sklearn_dnfwinnow.diagnostics._chain_diagnostics import (
    diagnose_model,
    warn_of_short_sums,
)
from sklearn_dnfwinnow.inspection import LazyMethod
from sklearn_dnfwinnow.samplers._registry import check_max_term_size, sampler_of

# Number of rows whose chains `fit` diagnoses.
_ROWS_LOOKED_AT = 4


class DNFWinnowClassifier(
    TermModelMixin,
    SplitterMixin,
    PackageMixin,
    CallbackSupportMixin,
    ClassifierMixin,
    BaseEstimator,
):
    """Classifier of weighted rules: Winnow over all conjunctions of feature values.

    A :term:`term` is a conjunction of literals ``feature = value``. A row satisfies
    a term if it satisfies all literals of the term. Each class has a :term:`binary
    Winnow learner` with one weight for each of the prod(k_j + 1) terms over features
    with k_j values. The weights are implicit: the weight of a term is its initial
    weight times alpha to the power of its :term:`net promotion count`. Net promotion
    counts follow from the stored examples, which are the training rows that
    triggered updates. The score of a class is log W - log theta, plus a constant that
    calibrates its probability, see `intercept_`. W is the sum of the weights of all
    terms that the row satisfies, and theta is a threshold. The class with the
    highest score is predicted. W is computed exactly or estimated by Markov chain Monte
    Carlo [1]_.

    The default settings extend the algorithm of the paper. All classes are trained
    jointly, and net promotion counts are averaged over the late epochs. Parameters that
    are 'auto' are selected in `fit` by :term:`internal cross-validation`. Several
    candidates are trained on the same folds. The candidate with the lowest log loss on
    held-out rows is then trained on all rows. If numbers are cut into intervals,
    the log-odds of up to three such models are averaged, see `n_estimators`.
    :meth:`paper_settings` returns the parameters of the paper.

    X is an array, a list or a data frame with hashable values of any type. Dates, times
    and durations raise an error: convert them to numbers or categories first. Numeric
    features with more than ten distinct values are cut into intervals, see
    `discretizer`. All other features are categorical. A category that does not occur
    in the training data satisfies no literal; another number belongs to the nearest
    one, see :ref:`guide_numeric`.

    A sparse X, a matrix or array of SciPy or a data frame with sparse columns, means
    what the dense one means, and needs as much memory. X has at most 4,096 columns, see
    :ref:`many_columns`.

    Read more in the :ref:`user guide <user_guide>`.

    Parameters
    ----------
    max_term_size : int, 'auto' or None, default='auto'
        Maximum number of literals in a term, which is the number of features that a
        rule combines. None means no limit, as in the paper. With 'auto', internal
        cross-validation selects the size among the candidates, up to an upper bound.
        The bound is the largest of None, 3, 2 and 1 for which training is fast:

        - the terms fit into 512 MiB,
        - a row satisfies at most 4,096 of them on average (None for up to 12
          specified features, 3 up to 29, 2 up to 90),
        - an epoch over all classes sums at most 2^30 weights.

        Internal cross-validation further reduces the size of candidates whose training
        would take too long. If terms of two literals are too many, no interactions
        between features are learned, and `fit` issues a warning.

        The Markov chain samplers accept only 'auto' and None, which are the same. With
        cv=None, 'auto' is None for the samplers 'exact', 'frontier' and 'brute_force',
        too.

    literals : {'auto', 'equal', 'ordered', 'intervals'}, default='auto'
        Kinds of conditions on a feature.

        - 'equal': the feature equals a value, as in the paper.
        - 'ordered': in addition, a categorical feature differs from a value, and a
          numeric feature is at most, or above, a value.
        - 'intervals': as 'equal' for categorical features. A numeric feature is also in
          one of two wide intervals of its values, and in one of 4, 8, ... narrower ones
          within them.
        - 'auto': selected by internal cross-validation, and 'equal' without it.

        Features with two values always have 'equal' literals. With 'ordered', so do
        features with more than 32. A missing value, and a value that does not occur in
        training, satisfy no literal.

        Several literals on one feature in a term are one condition: ``x <= 5 & x > 2``
        reads ``x in (2, 5]``, and ``x <= 5 & x <= 9`` reads ``x <= 5``.

    screening : {'auto'}, float or None, default='auto'
        Whether the terms to learn are chosen. None learns the weights of all terms up
        to `max_term_size`. A positive number learns only those of the terms that
        screening chooses; all others keep their initial weights, whose sum is known, so
        that sums over all terms remain exact.

        Screening fits an additive model of the terms chosen so far, and searches for
        the terms with the largest gain against its residuals. It looks at single
        conditions, pairs of conditions, and chosen terms with one more condition. Terms
        have up to `max_term_size` conditions, at most 8. Numbers are compared with the
        thresholds that suit these terms, out of 255 quantiles or of the cut points of
        `discretizer`; a missing number satisfies no condition, whatever `missing` is.
        The parameter is the gain that a term must have, relative to the gain that the
        best of as many terms has in noise: 1 chooses few terms, and 0.05 chooses many.
        In internal cross-validation, held-out rows have no influence on this choice.

        With 'auto', internal cross-validation compares 0.05, 1 and None if there are at
        least 750 rows, and numbers or more than 29 features; or more than 90
        features. Otherwise it is None, and so it is with more than 50,000 rows if
        rows times features are more than 1,000,000, because of the memory. Terms are
        chosen by at most 50,000 rows. If `screening` is a number, 'auto' means 3 for
        `max_term_size` and 0.001 for `literal_weight` (0.00001 with `monotonic_cst`),
        and `literals` has no effect. None is chosen that `monotonic_cst` excludes.
        `screening` cannot be combined with `max_stored_examples`, or with a Markov
        chain sampler. Exact samplers sum over the chosen terms one by one.
        `partial_fit` chooses the terms in its first call. See :ref:`screening`.

    discretizer : {'auto'}, ClassEntropyDiscretizer, FrozenEstimator or None, \
            default='auto'
        Discretizer that cuts numeric features into intervals. It is fitted in each fold
        without the held-out rows, unless it ignores the classes, and by the first
        batch in `partial_fit`.

        - 'auto': the features with more than ten distinct numbers are cut. The
          parameters of the discretizer are selected by internal cross-validation.
          Without it, they are the defaults of :class:`ClassEntropyDiscretizer`.
        - ClassEntropyDiscretizer: a clone of the object cuts the features that its
          parameter `columns` selects.
        - :class:`~sklearn.frozen.FrozenEstimator` of a fitted ClassEntropyDiscretizer:
          its cut points are kept. `screening` must be None or 'auto'.
        - None: no feature is cut, and each number is a category.

    margin : float or 'auto', default='auto'
        Difference by which the score of the true class must exceed all other scores. A
        training row triggers an update unless log W of its class exceeds log W of
        every other class by at least `margin`. Then its class is promoted, and all
        classes that it does not exceed by `margin` are demoted, by whole steps as in
        the paper. With multi_class='ovr', log W is compared with log theta. 0 is the
        rule of the paper. If `margin` and `scale` are both 'auto', internal
        cross-validation selects one of the two rules and its value; without it,
        `margin` is 0.5. An error is raised if both are set.

    scale : float or 'auto', default='auto'
        Factor from scores to log-odds, for updates by residuals: every row triggers
        an update. Class k changes by [k is the class of the row] - p_k, rounded to
        1/64, which can be 0. The probabilities p are the softmax of `scale` times log
        W. With multi_class='ovr' they are the logistic function of `scale` times
        log W - log theta. This is the gradient of the log loss, applied as an
        exponentiated update [5]_. Use a small value for data with contradictory labels,
        and a large value for data that follow rules. 'auto': see `margin`.

    alpha : float or 'auto', default='auto'
        Factor by which an update multiplies or divides weights, greater than 1. The
        constants of the paper correspond to 1.5. A large value gives a sparse model
        with few terms of large weight. As alpha approaches 1, the model approaches a
        kernel machine. 'auto' is selected by internal cross-validation, and is 1.1
        without it.

    literal_weight : float or 'auto', default='auto'
        Weight of a term before training, for each of its literals: a term with k
        literals has the weight ``literal_weight ** k`` (beta in the paper). 1 is the
        value of the paper. Values below 1 favour short terms. 'auto' is selected by
        internal cross-validation, and is ``n_features_in_ ** -0.5`` without it.
        Candidates with 'auto' have ``n ** -0.5`` instead, with the number n of features
        and of further columns of conditions, such as thresholds.

    missing : {'unspecified', 'category', 'most_frequent'}, default='unspecified'
        Treatment of the missing values None, NaN, NaT and pandas.NA.

        - 'unspecified': a missing value satisfies no literal.
        - 'category': missing values form a separate category.
        - 'most_frequent': a missing value is replaced by the most frequent value of the
          feature. In `fit` it is the most frequent value among the training rows of
          the same class, and in prediction among all training rows.

    class_weight : dict, 'balanced' or None, default=None
        Class weights, by which sample weights are multiplied. A class that a dict does
        not contain has weight 1. 'balanced' gives all classes the same total weight,
        and is available in `fit` only. None gives all classes weight 1.

    monotonic_cst : array-like of shape (n_features,), dict or None, default=None
        Monotonicity constraints on numeric features. With two classes, 1 means that the
        score of the second class may only increase with the feature, -1 that it may
        only decrease, and 0 no constraint. The keys of a dict are names or positions of
        features. With more than two classes, the values of the dict are dicts of signs
        by class.

        The terms of a class whose score increases contain only literals
        ``feature > c``. The terms of a class whose score decreases contain only
        ``feature <= c``. This is so for all `literals`; intervals have no direction.
        Log W of the former minus log W of the latter therefore never decreases as the
        feature increases, all else being equal. With two classes, the same holds for
        the probability. See the :ref:`user guide <monotone>` for a
        proof. The guarantee requires exact sums. It holds for all numbers if
        `discretizer` cuts the feature, as 'auto' does for constrained features, and
        otherwise for the numbers in the training data.

    n_estimators : int or 'auto', default='auto'
        Maximum number of models whose log-odds are averaged. On small tables of
        numbers, a prediction depends on the candidate, and on where numbers are cut.
        An average depends less on both.

        - 1: a single model, of the best candidate.
        - a larger number: models of the candidates whose average has the lowest log
          loss on held-out rows. Candidates join one after the other, first the best
          one, and may join repeatedly. Each model of a candidate that sums over all
          terms has another number of intervals: 1, 7/8, 5/4, 9/8 and 3/4 times that of
          the candidate, in turn. Models that would be equal are trained once, and get a
          larger weight in `estimator_weights_`. A discretizer that you give is not
          changed.
        - 'auto': 3 if numbers are cut into intervals, for up to 24,576 rows and a
          million entries, and 1 otherwise. It is also 1 without internal
          cross-validation, with a single candidate, with Markov chains, and if
          `multi_class` is 'ovr', `missing` is 'most_frequent', or `max_stored_examples`
          is set.

        More models take more time: internal cross-validation, which takes most of the
        time of `fit`, takes the same, and prediction takes proportionally more.
        Everything that reads a classifier also reads an average. Shapley values and
        effects are exact means, and terms are listed with the model that has them.
        `estimators_` contains the single models. See :ref:`averages`.

    cv : int, splitter, iterable, 'auto' or None, default='auto'
        Folds of the internal cross-validation, which selects the candidate, the number
        of epochs and the scale of the probabilities.

        - int: the number of stratified folds. Equal rows are assigned at random. The
          folds depend on the rows and their weights, but not on their order.
        - splitter of :mod:`sklearn.model_selection`, or iterable of pairs (train, test)
          of indices: the folds that it yields for the given rows, those of weight 0
          included. Each split must train on all rows that it does not hold out, and
          no row may be held out twice. A row may be held out by no split. For
          splitters that need groups, pass `groups` to `fit`.
        - 'auto': 5 folds for 30 or more rows, and 3 for 500 or more, of which only
          one is held out from 1,500 rows on. With fewer rows, or if the terms do
          not fit into a table, there is a single candidate.
        - None: no cross-validation. A single candidate is trained for `max_iter`
          epochs, as in the paper, and all sums are those of `sampler`.

        Candidates are compared by an explicit weight table, whatever the sampler is.
        With an exact sampler, the model is trained by this table as well, so that
        'exact', 'frontier' and 'brute_force' learn what 'table' learns; they compute
        the sums of predictions. Markov chains train the selected candidate by their own
        estimates. They sum over terms of any size, so the candidates are those with a
        margin, and with literals='equal'. If their terms do not fit into a table, `fit`
        warns that nothing was selected.

        Candidates are compared by their log loss after 2, 4, 8, 12, 16, 24, ... and
        `max_iter` epochs. The best half of the candidates continues after 8 epochs,
        the best two after 24, and the best one after 48, or two or four times as many
        if all are quick. With more than 24,576 rows, a random subset of this size is
        used.

    max_iter : int or 'auto', default='auto'
        Maximum number of epochs in `fit`, which are passes over the rows. Training
        stops after an epoch without updates. 'auto' is 20 without internal
        cross-validation and with Markov chains, and 512 otherwise. On large data sets
        it is reduced, to at least 64, so that training takes about the time of a random
        forest of 200 trees.

    average : bool, default=True
        Whether the model is averaged over the late epochs of `fit`: its net promotion
        counts, over a quarter to a third of all epochs. These are the epochs after the
        second-to-last comparison of candidates. False is the setting of the paper.

    max_stored_examples : int or None, default=None
        Maximum number of training rows that the model stores for a class, as
        :term:`stored examples <stored example>`. None means no limit. When a class
        exceeds this number, the stored examples with the smallest absolute net
        promotion counts are discarded until 95 % remain. Among equal counts, the oldest
        are discarded first. The count of each is added to that of the remaining example
        with which it shares most literals. A warning is issued if more than 55 % of the
        discarded counts are lost in a call, because no similar example remains. With
        `average`, the stored examples of all averaged epochs are kept. See the
        :ref:`user guide <long_streams>`.

    multi_class : {'joint', 'ovr'}, default='joint'
        Whether all classes are trained together, or each against all others.

        - 'joint': the classes compete. A row is correct if log W is largest for its
          own class. theta has no effect. With two classes and updates by `margin`, this
          is Balanced Winnow [4]_.
        - 'ovr': one class against the rest, as in the paper. Each class is an
          independent binary learner. log W must reach log theta for the rows of the
          class, and must stay below for all other rows.

    threshold : float or 'auto', default='auto'
        Sum of weights from which a row belongs to a class, theta, for
        multi_class='ovr'. It is not in logarithms. 'auto' is the total initial weight
        of all terms, which is prod(1 + literal_weight * k_j) if `max_term_size` is
        None. The threshold affects predictions only with multi_class='ovr'.

    n_jobs : int or None, default=None
        Number of threads. `fit` distributes candidates and folds over threads; without
        internal cross-validation, and with multi_class='ovr', it distributes classes.
        Prediction distributes rows. Results do not depend on `n_jobs`. None is 1
        unless in a :obj:`joblib.parallel_config` context, and -1 uses all processors.

    random_state : int, RandomState instance or None, default=None
        Seed of the order of rows and of Markov chains. `fit` draws one integer from
        it. All results are then a function of data and parameters. The prediction for a
        row depends neither on the other rows nor on their order.

    verbose : int, default=0
        Verbosity level. If positive, `fit` prints each stage as it starts, and then at
        most a line a second, with the seconds so far and an estimate of those that are
        left: candidates that continue and their lowest log loss, and the number of
        updates in the epochs on all rows. So do functions that read the classifier,
        such as :func:`inspection.shapley_values`.

    sampler : {'auto', 'table', 'exact', 'frontier', 'brute_force', 'metropolis', \
            'gibbs', 'metropolized_gibbs'} or Sampler, default='auto'
        Method that computes the scores, which are logarithms of sums over all terms: an
        :term:`engine`, by its name or as an object of
        :mod:`sklearn_dnfwinnow.samplers`. A name stands for an object with default
        parameters. `set_params` and parameter searches reach the parameters of an
        object, for example as ``sampler__n_steps``.

        - 'auto': an explicit weight table if it fits into memory, otherwise exact sums
          within a fixed budget, and unbiased estimates beyond the budget. Recommended
          for most data sets.
        - 'table': an explicit weight table of all terms up to `max_term_size` that
          training rows satisfy. It is exact, and the fastest. An error is raised if
          the table does not fit into memory.
        - 'exact': exact sums without a table. An error is raised if a sum exceeds the
          budget.
        - 'frontier': a state-merging dynamic program, exact within a budget of states.
          Beyond the budget, states are resampled and the sum is an unbiased estimate.
        - 'brute_force': enumeration of all terms, for at most 28 specified features per
          row.
        - 'metropolis', 'gibbs' and 'metropolized_gibbs': the Markov chain samplers of
          the paper.

        See the :ref:`user guide <samplers>`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.

    n_features_in_ : int
        Number of features seen in `fit`.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features seen in `fit`. Defined only if all names are strings.

    estimators_ : list of DNFWinnowClassifier
        The models whose log-odds are averaged, each as a fitted classifier with
        ``n_estimators=1``; the one of the best candidate first. A single model, too, is
        in such a list. The fitted attributes below that describe a single model, such
        as `stored_examples_`, `alpha_` and `screening_`, raise an AttributeError for an
        average; its `estimators_` have them.

    estimator_weights_ : ndarray of shape (n_models,), float64
        Weights of `estimators_` in the mean of the log-odds. Their sum is 1.

    categories_ : list of `n_features_in_` ndarrays
        Values of each feature. Code k + 1 stands for the value at index k. For a
        feature that `discretizer_` cuts, the values are the numbers of its intervals.

    discretizer_ : ClassEntropyDiscretizer or None
        Discretizer fitted in the first training call. None if no feature is cut. For an
        average, it cuts wherever one of the models does.

    stored_examples_ : ndarray of shape (n_updates, `n_features_in_`), int32
        Codes of the stored examples: the training rows that were promoted or demoted
        in any class and not discarded. 0 stands for unspecified. The examples of the
        first class come first, in order of arrival, then those that only later classes
        have.

    net_promotion_counts_ : ndarray of shape (n_classes, n_updates), int64
        Net promotion count of each stored example in each class, in units of
        ``1 / denominator_``.

    denominator_ : int
        Denominator of `net_promotion_counts_`. It is 1, unless averaging or fractional
        sample weights led to fractional net promotion counts.

    log_threshold_ : float
        Natural logarithm of theta.

    margin_ : float or None
        Value of `margin` in the last training call; None for updates by residuals.

    alpha_ : float
        Promotion factor of the first training call, the unit of the net promotion
        counts.

    literal_weight_ : float
        Initial weight per literal (beta) of the first training call.

    literals_ : {'equal', 'ordered', 'intervals'}
        Kinds of conditions on a feature, of the first training call.

    missing_ : {'unspecified', 'category', 'most_frequent'}
        Treatment of missing values, of the first training call.

    max_term_size_ : int or None
        Maximum number of literals in a term. None means no limit.

    screening_ : float or None
        Strength of the choice of terms; None if all terms were learned. If terms were
        chosen, `stored_examples_` contains them in codes with literals, and
        `net_promotion_counts_` refers to single terms.

    n_iter_ : int
        Number of epochs on all rows, of the class with the most epochs. Each call of
        `partial_fit` counts as 1.

    n_updates_ : ndarray of shape (`n_iter_`, n_classes), int64
        Number of updates of each class in each epoch. With ``margin=0``, these are its
        mistakes. After many calls of `partial_fit`, only the last 1,000 are kept.

    scale_ : float
        Factor of the scores in `predict_proba`. For updates by residuals it is their
        `scale`. Otherwise it is selected by internal cross-validation,
        and is 1 without it. The scores of an average are in log-odds: its scale is the
        factor of their mean that gives the lowest log loss on held-out rows.

    intercept_ : ndarray of shape (n_classes,), float64
        Intercepts of the classes in `predict_proba`, in log-odds. Their sum is 0. They
        are fitted after training, so that the mean probability of a class is about its
        fraction of the training rows. They are 0 without internal cross-validation.

    validation_ : dict of str to ndarray of shape (n_looks,), or None
        Results of the internal cross-validation, by column:
        ``pandas.DataFrame(validation_)`` is a data frame. 'candidate' is the position
        of the candidate. Its parameters follow: a parameter without effect is NaN or
        None, and a discretizer is given as text. 'main_effects' says whether training
        started from an additive model, see :ref:`main_effects`. 'n_epochs' is the
        number of epochs, 'log_loss' the log loss on held-out rows, and 'scale\\_'
        the best scale of the probabilities. None without internal cross-validation.

    chains_ : dict of str to int
        Number of Markov chains in training. 'run' counts the chains whose ratios were
        used. 'ladder' counts the chains of the full temperature ladders, which an
        implementation without early stopping runs. 'simulated' is 'run', rounded up to
        the groups in which chains are simulated together.

    sums_ : dict of str to int
        Number of weighted sums in training: those computed in 'full', and those
        'skipped' because bounds determined the result. See the :ref:`user guide
        <skipped>`.

    See Also
    --------
    ClassEntropyDiscretizer : Cut numeric features into intervals.
    sklearn_dnfwinnow.sums.log_weighted_sum : Compute a single weighted sum.

    Notes
    -----
    The net promotion counts and codes of a fitted classifier depend on `alpha_`,
    `literal_weight_`, `literals_`, `missing_`, `max_term_size_`, `discretizer_`,
    `screening_` and `monotonic_cst`. A change of one of these parameters takes effect
    in the next `fit`. Predictions do not change until then, and `partial_fit` raises an
    error. All other parameters are read in each call. The parameters of the
    computation, such as `sampler` and `n_jobs`, can be changed at any time.

    A row with weight w is presented w times in an epoch. A fraction of a repetition
    is a fraction of an update. `fit` divides whole weights by their greatest common
    divisor, other equal weights by their value, weights of which none reaches 1/4 by
    the largest one, and weights with a mean above 4 by their mean. Then weights are
    rounded to multiples of 1/100, or of 1/10,000 if a weight is below 1/200, but never
    to 0. `fit` merges equal rows of the same class, and sorts them before it shuffles
    their repetitions. A weight of 2 and two copies of a row therefore have the same
    effect. A weight above 32 gives 32 repetitions, and each is presented several
    times in succession, until the row is classified correctly. `partial_fit`
    processes the rows in the given order, and presents each w times in succession.

    Class weights are rounded to 24 significant bits. In `fit`, they multiply the
    weights of merged rows, and the products are rounded as above. In `partial_fit`,
    they multiply each repetition of a row.

    Each training call builds a new explicit weight table, for the rows of the call
    and all stored examples. The table is not part of the fitted model. With
    ``max_term_size=None``, the terms may be too many for a table. Then all terms that
    are satisfied by exactly the same training rows share one weight [3]_.

    References
    ----------
    .. [1] Q. Tao and S. D. Scott, "An Analysis of MCMC Sampling Methods for Estimating
       Weighted Sums in Winnow", University of Nebraska-Lincoln, 2004.
    .. [2] N. Littlestone, "Learning Quickly When Irrelevant Attributes Abound: A New
       Linear-threshold Algorithm", Machine Learning 2, 285-318, 1988.
    .. [3] L. Li and R. M. Neal, "Compressing Parameters in Bayesian High-order Models
       with Application to Logistic Sequence Models", Bayesian Analysis 3(4), 793-821,
       2008.
    .. [4] N. Littlestone, "Mistake Bounds and Logarithmic Linear-threshold Learning
       Algorithms", PhD thesis, University of California, Santa Cruz, 1989.
    .. [5] J. Kivinen and M. K. Warmuth, "Exponentiated Gradient versus Gradient Descent
       for Linear Predictors", Information and Computation 132(1), 1-63, 1997.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> X = [["sunny", "warm"], ["sunny", "cold"], ["rainy", "warm"], ["rainy", "cold"]]
    >>> y = ["out", "in", "in", "in"]
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> clf.predict([["sunny", "warm"], ["rainy", None]])
    array(['out', 'in'], dtype='<U3')
    """

    _parameter_constraints = CONSTRAINTS

    # The fitted attributes are parts of the model.
    categories_ = FittedAttribute("encoding.categories", average="encoding.categories")
    discretizer_ = FittedAttribute("encoding.discretizer", average="discretizer")
    missing_ = FittedAttribute("encoding.missing", average="encoding.missing")
    literals_ = FittedAttribute("candidate.literals")
    stored_examples_ = FittedAttribute("stored.examples")
    net_promotion_counts_ = FittedAttribute("stored.net_counts")
    denominator_ = FittedAttribute("stored.denominator")
    alpha_ = FittedAttribute("candidate.alpha")
    literal_weight_ = FittedAttribute("candidate.literal_weight")
    max_term_size_ = FittedAttribute("candidate.max_term_size", average="max_term_size")
    screening_ = FittedAttribute("candidate.screening")
    log_threshold_ = FittedAttribute("log_threshold")
    margin_ = FittedAttribute("candidate.margin")
    scale_ = FittedAttribute("scale", average="scale")
    intercept_ = FittedAttribute("intercepts", average="intercepts")
    n_iter_ = FittedAttribute("record.n_iter", average="n_iter")
    n_updates_ = FittedAttribute("record.n_mistakes")
    chains_ = FittedAttribute("record.chains")
    sums_ = FittedAttribute("record.sums")
    validation_ = FittedAttribute("record.validation", average="validation")
    estimator_weights_ = FittedAttribute("weights", average="weights")

    # Functions of `inspection`.
    terms = LazyMethod("terms")
    explain = LazyMethod("explain")
    counterfactuals = LazyMethod("counterfactuals")
    to_dnf = LazyMethod("to_dnf")

    def __init__(
        self,
        *,
        max_term_size="auto",
        literals="auto",
        screening="auto",
        discretizer="auto",
        margin="auto",
        scale="auto",
        alpha="auto",
        literal_weight="auto",
        missing="unspecified",
        class_weight=None,
        monotonic_cst=None,
        n_estimators="auto",
        cv="auto",
        max_iter="auto",
        average=True,
        max_stored_examples=None,
        multi_class="joint",
        threshold="auto",
        n_jobs=None,
        random_state=None,
        verbose=0,
        sampler="auto",
    ):
        self.max_term_size = max_term_size
        self.literals = literals
        self.screening = screening
        self.discretizer = discretizer
        self.margin = margin
        self.scale = scale
        self.alpha = alpha
        self.literal_weight = literal_weight
        self.missing = missing
        self.class_weight = class_weight
        self.monotonic_cst = monotonic_cst
        self.n_estimators = n_estimators
        self.cv = cv
        self.max_iter = max_iter
        self.average = average
        self.max_stored_examples = max_stored_examples
        self.multi_class = multi_class
        self.threshold = threshold
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.sampler = sampler

    @classmethod
    def paper_settings(cls, sampler=None):
        """Return the parameters of the algorithm of the paper.

        The paper does not state alpha and theta. The values here are those that its
        mistake bound corresponds to.

        Parameters
        ----------
        sampler : str, default=None
            Name of a sampler. The returned parameters then include `sampler`, as an
            object with the options of the paper: the temperature ladder has
            ``ladder_scale='sum'``. With None, they do not include `sampler`.

        Returns
        -------
        params : dict
            Parameters for the constructor or `set_params`.

        Examples
        --------
        >>> from sklearn_dnfwinnow import DNFWinnowClassifier
        >>> settings = DNFWinnowClassifier.paper_settings("gibbs")
        >>> DNFWinnowClassifier(**settings).sampler
        Gibbs(ladder_scale='sum')
        """
        return paper_settings(sampler)

    # -- training ----------------------------------------------------------------------

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None, groups=None):
        """Fit the classifier, in at most `max_iter` epochs.

        A previous fit is discarded.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows, with hashable values of any type. None, NaN, NaT and
            pandas.NA are missing values.

        y : array-like of shape (n_samples,)
            Class labels, with two or more distinct values.

        sample_weight : array-like of shape (n_samples,), default=None
            Row weights, not negative: numbers of copies, which may be in different
            folds. Only their ratios matter if all are equal, have a common factor as
            whole numbers, are all below 1/4, or have a mean above 4; so time does not
            grow with weights. Rows with weight 0 are ignored. None is weight 1 for all
            rows.

        groups : array-like of shape (n_samples,), default=None
            Groups of the rows, for a splitter in `cv` that keeps groups together.

        Returns
        -------
        self : DNFWinnowClassifier
            The fitted classifier.

        Raises
        ------
        ValueError
            If X is empty, complex or infinite, or has more than 4,096 columns. If y has
            one class, a missing label, or is not categorical. If `cv` is larger than
            the number of rows, or of rows of each class. If a row has too many
            features for sampler='brute_force', or there are too many terms for
            sampler='table'. If `max_term_size` is a number and the sampler does not
            accept one. If 64 or more classes take more than 4 GiB.
        TypeError
            If a value of X is not hashable, or is a date, a time or a duration.

        Warns
        -----
        UserWarning
            If Markov chains get no settings from internal cross-validation, see `cv`.
            If a feature has more than 32 distinct values, and these are numbers, text
            that reads as numbers, dates as text, free text, rare categories, or differ
            in nearly all rows. If a feature has more than 32 intervals, to which
            `literals` adds no conditions. If interactions are lost, see
            `max_term_size`. If `max_stored_examples` is too small. If a class has fewer
            rows than `cv`. If a parameter is not at its default, but has no effect
            with the values of the other parameters.
        ConvergenceWarning
            If `sampler` is a Markov chain and most chains are too short, judged by four
            rows. See :func:`sklearn_dnfwinnow.diagnostics.diagnose_chains`.
        """
        with (
            all_or_nothing(self),
            callback_context(self, X, y, sample_weight) as context,
        ):
            progress = Progress(self, context)
            progress.stage("reading the table").start()
            # 1. Check the input. A column becomes its distinct values and their places.
            X, y, weights = check_samples(self, X, y, sample_weight)
            weights = in_repetitions(weights)
            check_max_term_size(self.sampler, self.max_term_size)
            seed = self._start(unique_labels(y[weights > 0]))
            batch = self._batch(X, y, weights)
            # 2. Read the folds of `cv`.
            check_fold_count(self.cv, batch.labels)
            check_groups(self.cv, groups)
            folds = folds_of_splits(self.cv, X, y, groups=groups)
            # 3. Select candidates by internal cross-validation.
            choices = choose(
                estimator=self,
                batch=batch,
                seed=seed,
                progress=progress,
                folds=None if folds is None else folds[batch.kept],
            )
            models = []
            for choice in choices:
                # 4. Encode all rows as the candidate needs them: cuts, literals, terms,
                # and an additive start. The first model has warned of columns.
                which = f" for model {len(models) + 1} of {len(choices)}"
                which *= len(choices) > 1
                progress.stage(f"encoding all rows{which}").start()
                with without_column_warnings() if models else nullcontext():
                    model, rows = take_in(
                        choice.model(self, batch, seed),
                        batch,
                        is_auto=self.discretizer == "auto",
                    )
                # 5. Merge equal rows, in an order that is not that of the table.
                rows = canonical_rows(
                    rows,
                    seed=seed,
                    class_weights=batch.class_weights,
                    parts=model.rule.parts,
                )
                rows = replace(rows, n_epochs=choice.n_epochs)
                # 6. Train the classes, epoch by epoch. Callbacks read the estimator.
                self._model = model.in_units_of(rows.one)
                model = train(self._model, rows, progress, self.classes_)
                # 7. Fit the intercepts of the probabilities.
                self._model = choice.calibrated(model, rows)
                if sampler_of(self.sampler).runs_chains and not models:
                    self._look_at_chains(rows)
                models.append(self._model)
            # 8. Average the log-odds of the models; a single one is the result.
            self._model = averaged(
                models=models,
                weights=[choice.weight for choice in choices],
                scale=choices[0].scale_of_average,
                batch=batch,
            )
        return self

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Update the classifier with a batch of rows, in the given order.

        Previously learned weights are kept, up to `max_stored_examples` stored
        examples. Each model of an average is trained; `estimator_weights_` do not
        change. New values of a feature get new codes, and with threshold='auto' the
        threshold increases with the number of values. The size of the batches does not
        affect the model, with few exceptions. The threshold, the literals of new
        values, the ends of nested intervals, max_term_size='auto' and the most frequent
        values of missing='most_frequent' depend on all values of a batch. So does the
        selection of rows that Shapley values compare to. A call that fails or is
        interrupted changes nothing.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows, with hashable values of any type. None, NaN, NaT and
            pandas.NA are missing values.

        y : array-like of shape (n_samples,)
            Class labels, a subset of `classes`.

        classes : array-like of shape (n_classes,), default=None
            All class labels that can occur in any call. Required in the first call,
            unless `fit` was called before.

        sample_weight : array-like of shape (n_samples,), default=None
            Row weights, not negative: the number of times that each row is
            presented in succession. None is weight 1 for all rows. A warning is
            issued if their mean is below 1/10: rows then have little effect.

        Returns
        -------
        self : DNFWinnowClassifier
            The updated classifier.

        Raises
        ------
        ValueError
            For the same reasons as in `fit`. If `classes` is missing in the first call,
            differs from the classes of an earlier call, or does not contain a label of
            y. If `alpha`, `literal_weight`, `literals`, `max_term_size` or `missing`
            has changed since the first call. Other parameters may change between calls.

        Warns
        -----
        UserWarning
            For the same reasons as in `fit`: of features in the call in which one first
            has more than 32 values, and of lost interactions in the first call.
        """
        refuse_missing_labels(classes, "classes")
        with all_or_nothing(self):
            first = not hasattr(self, "classes_")
            if first or not (classes is None or np.array_equal(classes, self.classes_)):
                check_partial_fit_first_call(self, classes)
            if not first:
                # scikit-learn validates in the first call only; parameters may change.
                self._validate_params()
            X, y, weights = check_samples(self, X, y, sample_weight, reset=first)
            check_max_term_size(
                self.sampler, self.max_term_size if first else self.max_term_size_
            )
            unknown = np.setdiff1d(y, self.classes_)
            if len(unknown):
                raise ValueError(
                    f"classes should include all valid labels that can be in y; "
                    f"{unknown.tolist()} are missing."
                )
            if first:
                seed = self._start(self.classes_)
            if self.class_weight == "balanced":
                raise ValueError(
                    "class_weight 'balanced' is not supported for partial_fit, because "
                    "the class frequencies of a batch are not those of all data. Pass "
                    "a dict of class weights, such as one computed by "
                    "sklearn.utils.class_weight.compute_class_weight."
                )
            warn_of_small_weights(weights)
            batch = self._batch(X, y, weights)
            if first:
                candidate = single_candidate(self, batch)
                before = Model.untrained(
                    estimator=self,
                    candidate=candidate,
                    seed=seed,
                    directions=batch.directions,
                    settings=Settings.of(self),
                )
            else:
                before = self._model.with_parameters(self)
            models = []
            for model in before.models:
                if not first:
                    model.check_unchanged(self, batch.directions)
                with without_column_warnings() if models else nullcontext():
                    model, rows = take_in(
                        model, batch, is_auto=self.discretizer == "auto"
                    )
                rows = rows_in_order(rows, batch.class_weights, model.rule.parts)
                self._model = model.in_units_of(rows.one)
                progress = Progress(self)
                models.append(train(self._model, rows, progress, self.classes_))
            self._model = before.with_models(models, batch)
        return self

    def _start(self, classes):
        """Set the classes and return the seed of all randomness."""
        refuse_single_class(classes)
        self.classes_ = classes
        warn_of_ineffective_parameters(self)
        check_rule(self)
        return check_random_state(self.random_state).randint(np.iinfo(np.int32).max)

    def _batch(self, X, y, weights):
        """Return the rows with positive weight."""
        batch = Batch.of(self, X, y, weights)
        return replace(batch, directions=read_directions(self, batch))

    def _look_at_chains(self, rows):
        """Warn if most chains are too short, judged by a few of the rows."""
        few = np.linspace(0, len(rows.codes) - 1, _ROWS_LOOKED_AT).astype(int)
        n_features = len(self._model.encoding.attributes)
        codes = rows.codes[np.unique(few), :n_features]
        diagnostics = diagnose_model(self._model, codes).ravel()
        if 2 * sum(found.too_short for found in diagnostics) > len(diagnostics):
            warn_of_short_sums(sampler_of(self.sampler).name, diagnostics)

    @property
    def estimators_(self):
        """The classifiers whose log-odds are averaged, the selected one first."""
        check_is_fitted(self)
        found = []
        for model in self._model.models:
            one = copy(self).set_params(n_estimators=1)
            one._model = model
            found.append(one)
        return found

    def fitted_params(self):
        """Return the parameters, with what was learned in the place of 'auto'.

        They are those of the best candidate, without internal cross-validation: with
        its cut points and its number of epochs. Classifiers with these parameters,
        fitted to parts of the data, can be merged by :func:`merge`. Therefore it is the
        best one of those that neither choose terms nor start from main effects, which
        each part of the data would do in another way.

        Returns
        -------
        params : dict
            Parameters for the constructor or `set_params`.

        Raises
        ------
        ValueError
            If internal cross-validation did not compare such a candidate.

        Examples
        --------
        >>> from sklearn_dnfwinnow import DNFWinnowClassifier
        >>> from sklearn_dnfwinnow.datasets import load_tic_tac_toe
        >>> X, y = load_tic_tac_toe(return_X_y=True)
        >>> params = DNFWinnowClassifier(random_state=0).fit(X, y).fitted_params()
        >>> params["literals"], params["cv"]
        ('equal', None)
        """
        check_is_fitted(self)
        model = self._model.models[0]
        candidate, discretizer = model.candidate, model.encoding.discretizer
        n_epochs = model.record.n_iter
        if not candidate.is_plain:
            if model.record.plain is None:
                raise ValueError(
                    "All models chose their terms, or started from main effects: parts "
                    "of the data would do so in other ways. Set screening=None and "
                    f"literal_weight={self.n_features_in_**-0.5:.2g} before `fit`."
                )
            candidate, discretizer, n_epochs = model.record.plain
        rule = "scale" if candidate.margin is None else "margin"
        return {
            **self.get_params(deep=False),
            **{name: getattr(candidate, name) for name in (*UNCHANGED, rule)},
            "discretizer": discretizer and FrozenEstimator(discretizer),
            "n_estimators": 1,
            "cv": None,
            "max_iter": n_epochs,
        }

    def _table_model(self):
        """Return the model of the fitted classifier, with its current parameters."""
        validate_call(self)
        return self._model.with_parameters(self)

    # -- scores ------------------------------------------------------------------------

    def log_weighted_sums(self, X):
        """Scores of all classes: log W - log theta + `intercept_` / `scale_`.

        The scores of an average are the weighted means of `scale_` times the scores of
        its models.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows. A category that does not occur in the training data is unspecified.

        Returns
        -------
        scores : ndarray of shape (n_samples, n_classes), float64
            Natural logarithms. With multi_class='ovr' and without intercepts, the
            binary learner of a class predicts the class if its score is >= 0.

        Raises
        ------
        ValueError
            If X has other features than in training, or infinite values.
        """
        model, rows, inverse = self._model_and_rows(X)
        return model.log_scores(rows)[inverse]

    def _model_and_rows(self, X):
        """Return the model, distinct rows of codes, and the place of each row."""
        found = super()._model_and_rows(X)
        check_max_term_size(self.sampler, self.max_term_size_)
        return found

    def decision_function(self, X):
        """Scores that determine the prediction.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows. A category that does not occur in the training data is unspecified.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            The result of `log_weighted_sums`. With two classes, its second column minus
            its first.
        """
        scores = self.log_weighted_sums(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict(self, X):
        """Predict the class with the highest score, the first of them in a tie.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows. A category that does not occur in the training data is unspecified.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Predicted class labels.

        Raises
        ------
        ValueError
            If X has other columns than in `fit`; or text in a column that had numbers,
            or numbers only in one that had text.

        Warns
        -----
        UserWarning
            If none of the values of a column is one that `fit` had.
        """
        model, rows, inverse = self._model_and_rows(X)
        return self.classes_[model.winners(rows)[inverse]]

    def predict_proba(self, X):
        """Predict class probabilities: the softmax of `scale_` times the scores.

        The scores include `intercept_`: the log-odds are those of W to the power of
        `scale_`, plus differences of intercepts. `fit` selects the scale with the
        lowest log loss on held-out rows, and then fits the intercepts to the
        training rows, unless `cv` is None. Without internal cross-validation, and
        after `partial_fit` alone, the order of the probabilities is meaningful, but
        they are not calibrated. Use
        :class:`sklearn.calibration.CalibratedClassifierCV` in these cases.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows. A category that does not occur in the training data is unspecified.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Probabilities of the classes in the order of `classes_`. Each row sums to 1.
        """
        scores = self.log_weighted_sums(X)
        return softmax(self.scale_ * scores, axis=1)

    def predict_log_proba(self, X):
        """Predict the logarithms of class probabilities.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows, as `predict_proba` takes them.

        Returns
        -------
        log_probabilities : ndarray of shape (n_samples, n_classes)
            Natural logarithms of `predict_proba`, in the order of `classes_`. They
            are exact where a probability is too small for float64.
        """
        scores = self.log_weighted_sums(X)
        return log_softmax(self.scale_ * scores, axis=1)
