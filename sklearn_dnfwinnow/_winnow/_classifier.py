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

    A rule, or :term:`term`, is a conjunction of conditions on different features, such
    as ``plan = basic & age > 40``. Each class has a weight for each of them: its
    initial weight times alpha to the power of its :term:`net promotion count`. The
    score of a class is log W - log theta, plus a constant that calibrates its
    probability. W is the sum of the weights of all terms that the row satisfies,
    computed exactly or estimated by Markov chains [1]_, and theta is a threshold. The
    class with the highest score is predicted.

    Parameters that are 'auto' are selected in `fit` by :term:`internal
    cross-validation`, by the log loss on held-out rows. :meth:`paper_settings` returns
    those of the paper.

    X is an array, a list or a data frame of up to 4,096 columns, with hashable values
    of any type but dates and times. Numeric features with more than ten distinct values
    are cut into intervals, and all others are categorical. A category that `fit` did
    not have satisfies no condition; another number belongs to the nearest one. See
    :ref:`guide_data`.

    Parameters
    ----------
    random_state : int, RandomState instance or None, default=None
        Seed of the order of rows and of Markov chains.

    n_jobs : int or None, default=None
        Number of threads. Results do not depend on it. None is 1 unless in a
        :obj:`joblib.parallel_config` context, and -1 uses all processors.

    verbose : int, default=0
        If positive, progress is printed, with the seconds so far and an estimate of
        those left.

    missing : {'auto', 'unspecified', 'category', 'most_frequent'}, default='auto'
        Treatment of the missing values None, NaN, NaT and pandas.NA.

        - 'auto': 'category' in columns whose missing values tell the classes apart (a
          likelihood ratio test at 1 %), and 'unspecified' in others; 'unspecified' in
          all if `cv` is None, and in `partial_fit`.
        - 'unspecified': a missing value satisfies no literal.
        - 'category': missing values form a separate category.
        - 'most_frequent': the most frequent value replaces a missing one: in `fit` that
          of the training rows of the same class, in prediction that of all.

    class_weight : dict, 'balanced' or None, default=None
        Factors of the row weights of each class, 1 for a class that a dict does not
        contain. 'balanced' gives all classes the same total weight, in `fit` only.

    monotonic_cst : array-like of shape (n_features,), dict or None, default=None
        Constraints on numeric features: with two classes, 1 means that the score of the
        second class may only rise with the feature, -1 that it may only fall, and 0 no
        constraint. The keys of a dict are names or positions of features. With more
        classes, its values are dicts of signs by class. The guarantee requires exact
        sums, and a feature that is cut, as 'auto' does. See the :ref:`user guide
        <monotone>`.

    max_term_size : int, 'auto' or None, default='auto'
        Maximum number of conditions in a rule. None means no limit.
        'auto' is at most None for up to 12 specified features, 3 up to 29, 2 up to 90,
        and 1 beyond, or less for many rows or classes. If pairs are too many, `fit`
        warns. Markov chains accept only 'auto' and None, which are the same.

    n_estimators : int or 'auto', default='auto'
        Maximum number of models whose log-odds are averaged. Candidates join one after
        the other, first the best one, if they lower the log loss on held-out rows by
        0.3 %.
        'auto' is 3 if numbers are cut, for up to 24,576 rows and a million entries. It
        is 1 otherwise, without internal cross-validation, with Markov chains, and if
        `multi_class` is 'ovr', `missing` is 'most_frequent', or `max_stored_examples`
        is set. See :ref:`averages`.

    cv : int, splitter, iterable, 'auto' or None, default='auto'
        Folds of the internal cross-validation, which selects all that is 'auto', the
        number of epochs and the scale of the probabilities.

        - int: the number of stratified folds.
        - splitter of :mod:`sklearn.model_selection`, or iterable of pairs (train, test)
          of indices. Each split must train on all rows that it does not hold out, and
          no row may be held out twice. For groups, pass `groups` to `fit`.
        - 'auto': 5 folds for 30 or more rows, and 3 for 500 or more, of which only
          one is held out from 1,500 rows on. None for fewer rows, or if the terms do
          not fit into a table.
        - None: a single candidate, for `max_iter` epochs, with the sums of `sampler`.

    discretizer : {'auto'}, ClassEntropyDiscretizer, FrozenEstimator or None, \
            default='auto'
        How numeric features are cut into intervals, in each fold without its held-out
        rows.

        - 'auto': features with more than ten distinct numbers, with parameters that
          internal cross-validation selects, or by default those of
          :class:`ClassEntropyDiscretizer`.
        - ClassEntropyDiscretizer: a clone cuts the features that its `columns` selects.
        - :class:`~sklearn.frozen.FrozenEstimator` of a fitted one: its cut points are
          kept. `screening` must be None or 'auto'.
        - None: no feature is cut, and each number is a category.

    literals : {'auto', 'equal', 'ordered', 'intervals'}, default='auto'
        Kinds of conditions on a feature.

        - 'equal': the feature equals a value, as in the paper.
        - 'ordered': in addition, a category differs from a value, and a number is at
          most, or above, a value; for features with 3 to 32 values.
        - 'intervals': as 'equal', and a number is also in one of two wide intervals,
          and in one of 4, 8, ... narrower ones within them.
        - 'auto': selected by internal cross-validation, and 'equal' without it.

        A missing or unseen value satisfies none.

    screening : {'auto'}, float or None, default='auto'
        Whether the terms to learn are chosen; None learns all up to `max_term_size`. A
        positive number is the gain that a term must have against the residuals of an
        additive model of those chosen so far, relative to that of the best term in
        noise: 1 chooses few terms, and 0.05 many. All others keep their initial
        weights. Then `max_term_size` is at most 8 ('auto' means 3), 'auto' means 0.001
        for `literal_weight` (0.00001 with `monotonic_cst`), `literals` has no effect,
        and smooth effects of single features are learned beside the terms. Infinity
        chooses none: the effects are all that is learned.

        'auto' compares infinity and None, and 0.05 and 0.3 if there are at least 500
        rows, and numbers or more than 29 features; or more than 90 features. With more
        than 50,000 rows, it compares infinity and None if rows times features are more
        than 1,000,000. It cannot be combined with `max_stored_examples`, or with Markov
        chains. See :ref:`screening`.

    max_iter : int or 'auto', default='auto'
        Maximum number of epochs in `fit`. Training stops after an epoch without
        updates. 'auto' is 20 without internal cross-validation and with Markov chains,
        and 512 otherwise, or down to 64 on large data sets.

    margin : float or 'auto', default='auto'
        Updates by margin: a training row triggers an update unless log W of its class
        exceeds that of every other class by at least `margin`. Then its class is
        promoted, and all classes that it does not exceed by `margin` are demoted. 0 is
        the rule of the paper. If `margin` and `scale` are both 'auto', internal
        cross-validation selects one of them and its value; without it, `margin` is 0.5.
        At most one of both can be set.

    scale : float or 'auto', default='auto'
        Updates by residual: class k changes by [k is the class of the row] - p_k,
        rounded to 1/64, with the softmax p of `scale` times log W. A small value suits
        contradictory labels, and a large one rules.

    alpha : float or 'auto', default='auto'
        Factor by which an update multiplies or divides weights, above 1 (1.1 without
        internal cross-validation). A large value gives few terms of large weight; near
        1, it is nearly a kernel machine.

    literal_weight : float or 'auto', default='auto'
        Weight of a term before training, for each of its conditions (beta in the
        paper, which has 1). Values below 1 favour short terms. 'auto' is
        ``n_features_in_ ** -0.5`` without internal cross-validation.

    average : bool, default=True
        Whether the net promotion counts are averaged over the epochs after the
        second-to-last comparison of candidates.

    max_stored_examples : int or None, default=None
        Maximum number of training rows that the model stores for a class. Beyond it,
        those with the smallest absolute net promotion counts are discarded, see the
        :ref:`user guide <long_streams>`.

    sampler : {'auto', 'table', 'exact', 'frontier', 'brute_force', 'metropolis', \
            'gibbs', 'metropolized_gibbs'} or Sampler, default='auto'
        The :term:`engine` that computes sums over all terms: a name, or an object of
        :mod:`sklearn_dnfwinnow.samplers`, whose parameters `set_params` and searches
        reach, as in ``sampler__n_steps``. It decides how sums are computed, not what is
        learned. See the :ref:`user guide <samplers>`.

        - 'auto': a table if it fits into memory, otherwise exact sums within a fixed
          budget, and unbiased estimates beyond it.
        - 'table': an explicit weight table, or an error if it does not fit.
        - 'exact': exact sums without a table, or an error beyond the budget.
        - 'frontier': a state-merging dynamic program, beyond its budget an estimate.
        - 'brute_force': all terms one by one, for up to 28 specified features.
        - 'metropolis', 'gibbs', 'metropolized_gibbs': the Markov chains of the paper.

    multi_class : {'joint', 'ovr'}, default='joint'
        'joint': the classes compete, and theta has no effect. With two classes and
        updates by `margin`, this is Balanced Winnow. 'ovr': each class against the
        rest, as in the paper: log W must reach log theta for the rows of the class,
        and must stay below for all others.

    threshold : float or 'auto', default='auto'
        theta, for multi_class='ovr'. 'auto' is the total initial weight of all terms,
        prod(1 + literal_weight * k_j) over features of k_j values without a limit.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.

    n_features_in_ : int
        Number of features in `fit`.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features in `fit`, if all are strings.

    validation_ : dict of str to ndarray of shape (n_looks,), or None
        Results of the internal cross-validation, for ``pandas.DataFrame``: the position
        of each 'candidate', its parameters (NaN or None without effect), 'n_epochs',
        'log_loss' on held-out rows, and 'scale\\_', the best scale of the
        probabilities. In large tables, the log loss of most candidates is that of the
        first fold. Where smooth effects suffice, there are two or three candidates.

    estimators_ : list of DNFWinnowClassifier
        The models whose log-odds are averaged, the best candidate first. Of an average,
        only they have the attributes below that describe a single model.

    estimator_weights_ : ndarray of shape (n_models,), float64
        Weights of `estimators_`, with the sum 1.

    scale_ : float
        Factor of the scores in `predict_proba`.

    intercept_ : ndarray of shape (n_classes,), float64
        Constants of the classes in `predict_proba`, in log-odds, with the sum 0.

    categories_ : list of `n_features_in_` ndarrays
        Values of each feature: code k + 1 stands for the value at index k. For a
        feature that `discretizer_` cuts, the numbers of its intervals.

    discretizer_ : ClassEntropyDiscretizer or None
        Fitted discretizer; None if no feature is cut.

    stored_examples_ : ndarray of shape (n_updates, `n_features_in_`), int32
        Codes of the training rows that were promoted or demoted in any class and not
        discarded, 0 for unspecified; or of the terms that were chosen.

    net_promotion_counts_ : ndarray of shape (n_classes, n_updates), int64
        Net promotion count of each stored example in each class, in units of
        ``1 / denominator_``.

    denominator_ : int
        Above 1 if averaging or weights led to fractional counts.

    log_threshold_ : float
        Natural logarithm of theta.

    margin_ : float or None
        Selected `margin`; None for updates by residual.

    alpha_, literal_weight_, literals_, max_term_size_, screening_
        Selected values, of the first training call.

    missing_ : {'unspecified', 'category', 'most_frequent'} or tuple of int
        Treatment of missing values. A tuple has the positions of the features where
        they are a category; elsewhere, they are unspecified.

    n_iter_ : int
        Number of epochs on all rows, of the class with the most; each call of
        `partial_fit` counts as 1.

    n_updates_ : ndarray of shape (`n_iter_`, n_classes), int64
        Number of updates of each class in each epoch; with ``margin=0``, its mistakes.
        Only the last 1,000 calls of `partial_fit` are kept.

    chains_ : dict of str to int
        Number of Markov chains in training: 'run', 'simulated', and those of the full
        temperature ladders, 'ladder'.

    sums_ : dict of str to int
        Number of weighted sums in training: computed in 'full', and 'skipped' because
        bounds determined the result (:ref:`skipped sums <skipped>`).

    See Also
    --------
    sklearn_dnfwinnow.rules.DNFClassifier : Learn a few rules.
    BayesianInteractionClassifier : Credible intervals of probabilities.
    ClassEntropyDiscretizer : Cut numeric features into intervals.

    Notes
    -----
    A parameter of the model that is changed takes effect in the next `fit`. Parameters
    of the computation, such as `sampler` and `n_jobs`, can be changed at any time.

    A row with weight w counts as w copies of it. Weights far from 1 are relative, see
    :ref:`how weights are used <guide_how_it_works>`. `fit` merges equal rows, so that
    their order has no effect; `partial_fit` processes rows in the given order.

    References
    ----------
    .. [1] Q. Tao and S. D. Scott, "An Analysis of MCMC Sampling Methods for Estimating
       Weighted Sums in Winnow", University of Nebraska-Lincoln, 2004.

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
        random_state=None,
        n_jobs=None,
        verbose=0,
        missing="auto",
        class_weight=None,
        monotonic_cst=None,
        max_term_size="auto",
        n_estimators="auto",
        cv="auto",
        discretizer="auto",
        literals="auto",
        screening="auto",
        max_iter="auto",
        margin="auto",
        scale="auto",
        alpha="auto",
        literal_weight="auto",
        average=True,
        max_stored_examples=None,
        sampler="auto",
        multi_class="joint",
        threshold="auto",
    ):
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.missing = missing
        self.class_weight = class_weight
        self.monotonic_cst = monotonic_cst
        self.max_term_size = max_term_size
        self.n_estimators = n_estimators
        self.cv = cv
        self.discretizer = discretizer
        self.literals = literals
        self.screening = screening
        self.max_iter = max_iter
        self.margin = margin
        self.scale = scale
        self.alpha = alpha
        self.literal_weight = literal_weight
        self.average = average
        self.max_stored_examples = max_stored_examples
        self.sampler = sampler
        self.multi_class = multi_class
        self.threshold = threshold

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
            in nearly all rows. If interactions are lost, see `max_term_size`. If
            `max_stored_examples` is too small. If a class has fewer rows than `cv`.
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
            batch = Batch(self, X, y, weights)
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
                    model, rows = take_in(choice.model(self, batch, seed), batch)
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
            self._model = averaged(models, choices, batch)
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
            batch = Batch(self, X, y, weights)
            if first:
                candidate = single_candidate(self, batch)
                before = Model.untrained(
                    estimator=self,
                    candidate=candidate,
                    seed=seed,
                    # A first batch does not say what missing values mean.
                    missing="unspecified" if self.missing == "auto" else self.missing,
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
                    model, rows = take_in(model, batch)
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
        check_rule(self)
        return check_random_state(self.random_state).randint(np.iinfo(np.int32).max)

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
        fitted to parts of the data, can be merged by :func:`merge`, if screening=None:
        otherwise each part would choose other terms, and start from other effects.

        Returns
        -------
        params : dict
            Parameters for the constructor or `set_params`.

        Raises
        ------
        ValueError
            If the model chose its terms.

        Examples
        --------
        >>> from sklearn_dnfwinnow import DNFWinnowClassifier
        >>> from sklearn_dnfwinnow.datasets import load_tic_tac_toe
        >>> X, y = load_tic_tac_toe(return_X_y=True)
        >>> params = DNFWinnowClassifier(screening=None).fit(X, y).fitted_params()
        >>> params["literals"], params["cv"]
        ('equal', None)
        """
        check_is_fitted(self)
        model = self._model.models[0]
        candidate, discretizer = model.candidate, model.encoding.discretizer
        if candidate.screening is not None:
            raise ValueError(
                "The model chose its terms and started from an additive model, which "
                "would differ from part to part. Set screening=None before `fit`."
            )
        rule = "scale" if candidate.margin is None else "margin"
        return {
            **self.get_params(deep=False),
            **{name: getattr(candidate, name) for name in (*UNCHANGED, rule)},
            "discretizer": discretizer and FrozenEstimator(discretizer),
            "n_estimators": 1,
            "cv": None,
            "max_iter": model.record.n_iter,
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
        return self.classes_[model.log_scores(rows).argmax(axis=1)[inverse]]

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
