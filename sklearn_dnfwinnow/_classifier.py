"""DNFWinnowClassifier: Winnow over all conjunctions of attribute values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from functools import partial
from time import monotonic

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._preprocessing._column_warnings import warn_of_columns
from sklearn_dnfwinnow._preprocessing._columns import (
    check_table,
)
from sklearn_dnfwinnow._preprocessing._discretizer import with_intervals
from sklearn_dnfwinnow._preprocessing._labelled_table import refuse_single_class
from sklearn_dnfwinnow._preprocessing._missing import refuse_missing_labels
from sklearn_dnfwinnow._preprocessing._sample_weights import check_weights
from sklearn_dnfwinnow._terms._term_model import TermModelMixin
from sklearn_dnfwinnow._utils._callbacks import callback_context
from sklearn_dnfwinnow._utils._compat import CallbackSupportMixin, fit_context
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._estimator_mixins import (
    DocumentationLinkMixin,
    VersionedMixin,
)
from sklearn_dnfwinnow._utils._rollback import all_or_nothing
from sklearn_dnfwinnow._winnow._batch import Batch
from sklearn_dnfwinnow._winnow._candidate import check_candidates, single_candidate
from sklearn_dnfwinnow._winnow._conditions._condition_reader import read_conditions
from sklearn_dnfwinnow._winnow._ineffective_parameters import (
    warn_of_ineffective_parameters,
)
from sklearn_dnfwinnow._winnow._model import Model, with_former
from sklearn_dnfwinnow._winnow._presentations import canonical_rows
from sklearn_dnfwinnow._winnow._progress import CandidateProgress, progress_of
from sklearn_dnfwinnow._winnow._selection._choice import choose
from sklearn_dnfwinnow._winnow._settings import CONSTRAINTS, paper_settings
from sklearn_dnfwinnow._winnow._training import take_in, train
from sklearn_dnfwinnow.diagnostics._chain_diagnostics import (
    diagnose_model,
    warn_of_short_sums,
)
from sklearn_dnfwinnow.inspection._inspection_mixin import InspectionMixin
from sklearn_dnfwinnow.samplers._registry import check_max_term_size, sampler_of

# Rows whose chains `fit` looks at, to say whether they are long enough.
_ROWS_LOOKED_AT = 4


class DNFWinnowClassifier(
    TermModelMixin,
    InspectionMixin,
    DocumentationLinkMixin,
    VersionedMixin,
    CallbackSupportMixin,
    ClassifierMixin,
    BaseEstimator,
):
    """Winnow over every possible conjunction of attribute values: a DNF learner.

    A term is a conjunction of literals ``attribute = value``. One Winnow per class
    keeps a weight for each of the prod(k_j + 1) terms over attributes with k_j values,
    implicitly: a term's weight is alpha to the power of its net promotions, which
    follow from the stored updates. The score of a class is log W - log theta, W being
    the sum of the weights of all terms that a row satisfies; the class of the highest
    score wins. W is computed exactly or estimated by Markov chain Monte Carlo [1]_.

    The defaults go beyond the paper. Classes are trained together, exponents are
    averaged, and parameters that are 'auto' are chosen inside of `fit`: several
    candidates are trained side by side without each fold of the rows in turn, and the
    one of the least log loss on the rows held out is trained with all rows.
    :meth:`paper_settings` has the paper's own.

    Columns may hold any hashable values, in arrays, lists or data frames, but for
    dates, times and durations, which are refused: make categories or numbers of them
    first. Columns of more than ten distinct numbers are cut into intervals, see
    `discretizer`; all others are categories. A value that training did not have
    satisfies no literal.

    Parameters
    ----------
    sampler : {'auto', 'table', 'exact', 'frontier', 'brute_force', 'metropolis', \
            'gibbs', 'metropolized_gibbs'} or Sampler, default='auto'
        How weighted sums are computed: a name, or an object of
        :mod:`sklearn_dnfwinnow.samplers` with parameters of its own, which `set_params`
        and searches reach as ``sampler__n_steps``, for example. A name stands for the
        defaults of the object.

        'auto' takes a term table where it fits, exact sums up to a budget elsewhere,
        and unbiased estimates beyond. It suits most tables. 'table' keeps the weights
        of all terms up to `max_term_size` that training rows satisfy: exact, and
        fastest. 'exact' sums over terms that no table has room for, and raises an error
        where that exceeds a budget; 'frontier' resamples what it sums over there;
        'brute_force' takes at most 28 specified attributes a row; the others are the
        paper's three samplers. See the :ref:`user guide <samplers>`.

    max_term_size : int, 'auto' or None, default='auto'
        Most literals of a term, None for any number, as in the paper. 'auto' is left to
        the candidates, none of which has larger terms than the largest of None, 3, 2
        and 1 with which training is quick: the terms fit into 512 MiB, a row has at
        most 4,096 of them on average (None for up to 12 specified attributes, 3 up to
        29, 2 up to 90), and an epoch of all classes sums at most 2^30. It is None for
        samplers other than 'auto' and 'table'; the paper's three take no number.

    multi_class : {'joint', 'ovr'}, default='joint'
        Whom a row is to convince. 'ovr', one against the rest, is the paper: in each
        class log W is to reach log theta for the rows of the class, and no others. In
        'joint' the classes compete: log W of a row's own class is to be the largest.
        With two classes and update='margin' this is Balanced Winnow [4]_; theta plays
        no part.

    update : {'auto', 'margin', 'residual'}, default='auto'
        When, and by how much, a row updates the classes.

        - 'margin': where log W is not on the right side by `margin`. The row's own
          class is promoted, and all that are not behind it are demoted: whole steps, as
          in the paper.
        - 'residual': always. Class k moves by [k is the row's] - p_k, rounded to 1/64,
          where the probabilities p are the softmax of `scale` times log W, or in 'ovr'
          the logistic function of `scale` times log W - log theta. This is the gradient
          of the log loss, as an exponentiated update [5]_.
        - 'auto': the rule of which only the parameter is set, `margin` or `scale`; else
          as the folds choose, and 'margin' without folds.

    margin : float or 'auto', default='auto'
        For update='margin': by which log W is to be on the right side of log theta, or
        ahead of the other classes, not to need an update. 0 is the paper. 'auto' is as
        the folds choose; 0.5 without folds.

    scale : float or 'auto', default='auto'
        For update='residual': the factor of log W in probabilities. A small one is for
        tables in which labels contradict each other, a large one for tables in which
        rules hold. 'auto' is as the folds choose; 30 without folds.

    alpha : float or 'auto', default='auto'
        Promotion factor, above 1. The paper's constants stand for 1.5. As it goes to 1,
        the learner goes from sparse, with a few heavy terms, to a kernel machine.
        'auto' is as the folds choose; 1.1 without folds.

    threshold : float or 'auto', default='auto'
        theta, not in logarithms; 'auto' is the total initial weight of all terms,
        prod(1 + term_prior * k_j) where `max_term_size` is None.

    term_prior : float or 'auto', default='auto'
        beta: the initial weight of a term of k literals is ``term_prior ** k``. 1 is
        the paper; less prefers short terms. 'auto' is as the folds choose;
        ``n_features_in_ ** -0.5`` without folds.

    literals : {'auto', 'equal', 'both', 'ordered'}, default='auto'
        What terms may say of an attribute: that it equals a value, as in the paper; in
        'both' also that it differs from one; in 'ordered' the same, but for columns of
        numbers that it is at most, or above, a value. Attributes of two values, or of
        more than 32, are left as they are. What is missing, or was not seen in
        training, satisfies nothing. 'auto' is as the folds choose; 'equal' without
        folds.

    discretizer : {'auto'}, ClassEntropyDiscretizer or None, default='auto'
        How columns of numbers are cut into intervals: in each fold without the rows
        that it holds out, and by the first batch in `partial_fit`. 'auto' cuts the
        columns of more than ten distinct numbers, as the folds choose; without folds by
        the defaults of :class:`ClassEntropyDiscretizer`. An object is cloned, and cuts
        the columns that it says. None cuts nothing: each number is a category.

    monotone : array-like of shape (n_features,), dict or None, default=None
        How the score may depend on columns of numbers: 1 for one that the second of two
        classes may only rise with, -1 for one that it may only fall with, 0 for no
        condition. A dict has signs by names, or positions, of columns; with more than
        two classes, its values are dicts of signs by class. In the class that is to
        rise, terms have only literals ``column > c``, in the one that is to fall only
        ``column <= c``. So log W of the first less log W of the second never falls as
        the column rises, all else being equal, nor does the probability with two
        classes; see the :ref:`user guide <conditions>` for a proof. This holds for sums
        that are exact, and for all numbers of a column that `discretizer` cuts, as
        'auto' does with these columns; else for the numbers that training had.

    forbidden : list or None, default=None
        What no term may have: names or positions of columns; pairs of them, as tuples,
        that must not meet in a term; and literals, as text such as "age > 40", or
        objects :class:`sklearn_dnfwinnow.rules.Literal`. A literal also forbids those
        that imply it: "age > 40" forbids "age > 50". The weight of such a term is 0.

    initial_terms : list of tuple or None, default=None
        Terms with a weight of their own before training, such as the rules of an
        expert: triples of a term, a class and a positive weight. A term is a text, such
        as "age > 40 & sex = male", or a :class:`sklearn_dnfwinnow.rules.Term`. The
        weight is not in logarithms; the empty term has 1, and others of k literals
        ``term_prior ** k``. Training promotes and demotes these terms as all others. In
        columns that are cut, ends of intervals go to the nearest cut; a literal of
        several values may stand for several terms, of which a row satisfies one.

    candidates : 'auto' or list of dict, default='auto'
        What the folds choose among: dicts of the parameters `update`, `margin`,
        `scale`, `alpha`, `term_prior`, `max_term_size`, `literals` and `discretizer`,
        such as those of :class:`sklearn.model_selection.ParameterGrid`. A parameter
        that a dict lacks is the classifier's own; where that is 'auto', its value
        without folds. 'auto' is a list that does well on many tables, in which
        parameters that are set are as they are set; of large tables, those of them that
        take about as long as a forest of 200 trees.

    max_iter : int or 'auto', default='auto'
        Most epochs that `fit` makes; training stops after one without updates. 'auto'
        is 20 without folds; with them 512, or for large tables what takes about as long
        as a forest of 200 trees, but not fewer than 64.

    max_time : float or None, default=None
        Seconds after which `fit` takes the best candidate so far, or makes no more
        epochs; a warning says so. At least one epoch of all candidates, and one with
        all rows, are made. None is no limit. Results depend on the machine then.

    n_folds : int, 'auto' or None, default='auto'
        Into how many folds `fit` divides the rows to choose among the candidates, and
        to choose the number of epochs and the scale of probabilities. It looks at log
        losses after 2, 4, 8, 12, 16, 24, ... and `max_iter` epochs; after 8 of them the
        better half of the candidates goes on, after 24 the best two, after 48 one. None
        makes `max_iter` epochs of a single candidate, as the paper does. 'auto' is 5
        for 30 rows or more, and 3 for 500 or more, with the samplers 'auto' and
        'table', where terms fit a table; and with several `candidates` of one's own.
        Else it is None. Of more than 8,192 rows, so many at random choose for all.

    average : bool, default=True
        Whether `fit` averages the exponents over the late epochs, a quarter to a third
        of all: those after the last look of `n_folds` but one. False is the paper.

    class_weight : dict, 'balanced' or None, default=None
        Weights of classes, by which sample weights are multiplied; 1 for classes that a
        dict does not have. 'balanced' gives all classes the same total weight, and is
        for `fit` only.

    shuffle : bool, default=True
        Whether to shuffle the rows in each epoch of `fit`. Without, they come sorted by
        their codes, not as given: `fit` merges equal rows (see Notes).

    max_updates : int or None, default=None
        Most updates kept for a class, None being any number. A class that comes to more
        forgets, right then, those of the smallest absolute exponents, of these the ones
        that came first, until four fifths are left. An `average` has those of all its
        epochs. See the :ref:`user guide <long_streams>`.

    missing : {'unspecified', 'category', 'most_frequent'}, default='unspecified'
        What None, NaN, NaT and pandas.NA mean: an attribute on which a row satisfies no
        literal; a category of its own; or the most frequent value, among the training
        rows of the same class in `fit` and among all training rows later.

    n_jobs : int or None, default=None
        Threads: over candidates and folds, and without folds over classes if
        `multi_class` is 'ovr', in `fit`; over rows in prediction. Results do not depend
        on it.

    random_state : int, RandomState instance or None, default=None
        Seeds the order of rows and the chains. `fit` draws one integer from it; after
        that the result is a function of data and parameters, and predictions of a row
        depend neither on other rows nor on their order.

    verbose : int, default=0
        If positive, print how many candidates go on at each look, the updates of each
        epoch with all rows, and of one that takes long every ten seconds.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.

    n_features_in_ : int
        Number of columns seen in `fit`.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns, where all are strings.

    categories_ : list of `n_features_in_` ndarrays
        Values of each column; code k + 1 stands for the k-th. Of a column that
        `discretizer_` cuts, the numbers of its intervals.

    discretizer_ : ClassEntropyDiscretizer or None
        What cuts columns, fitted in the first training call; None where none is cut.

    updates_ : ndarray of shape (n_updates, `n_features_in_`), int32
        Codes of the rows that were promoted or demoted in any class and not forgotten,
        0 = unspecified; those of the first class in order of arrival, then those that
        only later classes have.

    exponents_ : ndarray of shape (n_classes, n_updates), int64
        Net promotions of each update in each class, in units of ``1 / denominator_``.

    denominator_ : int
        1, unless averages or fractional sample weights led to fractional exponents.

    log_threshold_ : float
        Natural logarithm of theta.

    update_ : {'margin', 'residual'}
        Rule of updates of the last training call.

    margin_ : float
        `margin` of that rule, if it is 'margin'.

    alpha_ : float
        Promotion factor that the exponents are of, of the first training call.

    term_prior_ : float
        beta, as a number, of the first training call.

    literals_ : {'equal', 'both', 'ordered'}
        What terms say of an attribute, of the first training call.

    missing_ : {'unspecified', 'category', 'most_frequent'}
        What missing values mean: `missing` in the first training call.

    conditions_ : ColumnConditions
        What `monotone`, `forbidden` and `initial_terms` said in the first training
        call; false if there are none.

    max_term_size_ : int or None
        Most literals of a term, None for any number.

    n_iter_ : int
        Epochs made with all rows, by the class that took the most; calls of
        `partial_fit` count 1 each.

    n_mistakes_ : ndarray of shape (`n_iter_`, n_classes), int64
        Updates of each class in each epoch, which are its mistakes if `margin` is 0;
        after long `partial_fit`, in the last 1,000.

    scale_ : float
        By which `predict_proba` multiplies scores: for update='residual' the `scale` of
        the residuals; else as the folds choose, and 1 without folds.

    validation_ : dict of str to ndarray of shape (n_looks,), or None
        What the folds found, as columns: ``pandas.DataFrame(validation_)`` is a table.
        'candidate' is its position, then come its parameters (NaN or None where one
        does not count, a discretizer as text), 'n_epochs', the 'log_loss' on rows held
        out, and 'scale\\_', the scale of probabilities that is the best for it. None
        without folds.

    chains_ : dict of str to int
        Markov chains in training: 'run', those whose ratios were used; 'ladder', those
        that the ladders have in full, which the unoptimized solution runs; 'simulated',
        'run' rounded up to the groups in which chains are simulated side by side.

    sums_ : dict of str to int
        Sums that training asked for: those computed in 'full', and those 'skipped' as
        bounds settled the outcome. See the :ref:`user guide <skipped>`.

    See Also
    --------
    ClassEntropyDiscretizer : Makes categories of measurements.
    sklearn_dnfwinnow.sums.log_weighted_sum : The sums on their own.

    Notes
    -----
    A fitted classifier keeps `alpha_`, `term_prior_`, `literals_`, `missing_`,
    `max_term_size_` and `conditions_`, which its exponents and codes depend on. To set
    one of these parameters takes effect in the next `fit`: predictions stay as they are
    until then, and `partial_fit` raises an error. All other parameters are read by each
    call. Those that say how to sum, such as `sampler` and `n_jobs`, can be set at any
    time.

    A row of sample weight w is presented w times in an epoch, a fraction of a
    presentation being a fraction of an update. Weights are rounded to multiples of
    1/100, or of 1/10,000 where some are below 1/200, but never to 0. `fit` merges equal
    rows of the same class and sorts them before it shuffles their presentations, so
    that weights and repeats are the same thing; a weight above 32 makes 32
    presentations, each several times in a row until the row is classified right.
    `partial_fit` is online: it takes rows one by one as they come, w times in a row.

    A term table is made anew by each training call, for the rows of that call and all
    updates; it is not part of the fitted model. With ``max_term_size=None``, where the
    terms themselves are too many, terms that exactly the same training rows satisfy
    share a weight [3]_.

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

    def __init__(
        self,
        *,
        sampler="auto",
        max_term_size="auto",
        multi_class="joint",
        update="auto",
        margin="auto",
        scale="auto",
        alpha="auto",
        threshold="auto",
        term_prior="auto",
        literals="auto",
        discretizer="auto",
        monotone=None,
        forbidden=None,
        initial_terms=None,
        candidates="auto",
        max_iter="auto",
        max_time=None,
        n_folds="auto",
        average=True,
        class_weight=None,
        shuffle=True,
        max_updates=None,
        missing="unspecified",
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.sampler = sampler
        self.max_term_size = max_term_size
        self.multi_class = multi_class
        self.update = update
        self.margin = margin
        self.scale = scale
        self.alpha = alpha
        self.threshold = threshold
        self.term_prior = term_prior
        self.literals = literals
        self.discretizer = discretizer
        self.monotone = monotone
        self.forbidden = forbidden
        self.initial_terms = initial_terms
        self.candidates = candidates
        self.max_iter = max_iter
        self.max_time = max_time
        self.n_folds = n_folds
        self.average = average
        self.class_weight = class_weight
        self.shuffle = shuffle
        self.max_updates = max_updates
        self.missing = missing
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def paper_settings(cls, sampler=None):
        """Return the parameters that make this the algorithm of the paper.

        alpha and theta, which the paper does not state, are those that its mistake
        bound stands for.

        Parameters
        ----------
        sampler : str, default=None
            Name of a sampler. The settings include it then, as an object with the
            options of the paper: chains climb its ladder, ``ladder_scale='sum'``. None
            leaves `sampler` open.

        Returns
        -------
        params : dict
            For the constructor, or `set_params`.

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
    def fit(self, X, y, sample_weight=None):
        """Learn from scratch, in up to `max_iter` epochs.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Any hashable values; None, NaN, NaT and pandas.NA are missing.

        y : array-like of shape (n_samples,)
            Class labels, two or more distinct.

        sample_weight : array-like of shape (n_samples,), default=None
            How many times each row counts, not negative. Rows of weight 0 are as good
            as absent.

        Returns
        -------
        self : DNFWinnowClassifier

        Raises
        ------
        ValueError
            If X is empty, sparse, complex or infinite, y has one class, a missing
            label, or is not categorical, a row has too many attributes for
            sampler='brute_force', there are too many terms for sampler='table', or
            `max_term_size` is a number for a sampler that does not take one.
        TypeError
            If a value of X is not hashable, or a date, a time or a duration.

        Warns
        -----
        UserWarning
            If no training row has the values of an initial term; if a column has more
            than 32 distinct values, and these are numbers or text that reads as
            numbers, or differ in nearly all rows; or if a parameter is not at its
            default, but without effect under the other parameters.
        ConvergenceWarning
            If `sampler` is a Markov chain, and most chains are too short; four rows are
            looked at. See :func:`sklearn_dnfwinnow.diagnostics.diagnose_chains`.
        """
        with (
            all_or_nothing(self),
            callback_context(self, X, y, sample_weight) as context,
        ):
            deadline = None if self.max_time is None else monotonic() + self.max_time
            X, y = check_table(self, X, y, reset=True)
            check_classification_targets(y)
            check_max_term_size(self.sampler, self.max_term_size)
            weights = check_weights(sample_weight, X)
            seed = self._start(unique_labels(y[weights > 0]))
            batch = self._batch(X, y, weights)
            choice = choose(self, batch, seed, CandidateProgress(self, context))
            model = choice.model(self, batch, seed)
            model, rows = self._take_in(model, X, batch)
            model.warn_of_absent_terms()
            rows = canonical_rows(rows, seed=model.seed if self.shuffle else None)
            rows = replace(rows, n_epochs=choice.n_epochs)
            # Callbacks look at the estimator while it learns.
            self._become(model)
            # Forgetting, and sums by chains, are for the trainer of single candidates.
            in_lanes = choice.validation is not None and (
                model.settings.sampler.term_by_term and self.max_updates is None
            )
            progress = partial(progress_of, self, context, deadline)
            self._become(train(model, rows, progress, in_lanes=in_lanes))
            if sampler_of(self.sampler).runs_chains:
                self._look_at_chains(rows)
        return self

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Learn online from one batch: each row once, in the order given.

        New values of an attribute get codes of their own, and with threshold='auto' the
        threshold grows with them; what was learned before stays, up to `max_updates`.
        Batches of any size make the same model, but for what goes by all values of a
        batch: that threshold, the literals of new values, a `max_term_size` of 'auto',
        and the most frequent values that `missing` may ask for. A call that fails or is
        interrupted changes nothing.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Any hashable values; None, NaN, NaT and pandas.NA are missing.

        y : array-like of shape (n_samples,)
            Class labels, a subset of `classes`.

        classes : array-like of shape (n_classes,), default=None
            All labels that will ever occur; required in the first call unless `fit` was
            called before.

        sample_weight : array-like of shape (n_samples,), default=None
            How many times in a row each row is presented, not negative.

        Returns
        -------
        self : DNFWinnowClassifier

        Raises
        ------
        ValueError
            As `fit`; if `classes` is missing in the first call, differs from those of
            the call before, or lacks a label of y; and if `alpha`, `term_prior`,
            `literals`, `max_term_size` or `missing` has changed since the first call.
            Other parameters may change from call to call.
        """
        first = not hasattr(self, "classes_")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        if classes is not None:
            refuse_missing_labels(classes, "classes")
            classes = unique_labels(classes)
            if not first and not np.array_equal(classes, self.classes_):
                raise ValueError(
                    f"`classes={classes!r}` is not the same as on last call "
                    f"to partial_fit, was: {self.classes_!r}"
                )
        if not first:
            # scikit-learn does so in the first call only; they may have changed.
            self._validate_params()
        with all_or_nothing(self):
            X, y = check_table(self, X, y, reset=first)
            check_classification_targets(y)
            check_max_term_size(
                self.sampler, self.max_term_size if first else self.max_term_size_
            )
            known = classes if first else self.classes_
            unknown = np.setdiff1d(y, known)
            if len(unknown):
                raise ValueError(
                    f"classes should include all valid labels that can be in y; "
                    f"{unknown.tolist()} are missing."
                )
            weights = check_weights(sample_weight, X)
            if first:
                seed = self._start(classes)
            if self.class_weight == "balanced":
                raise ValueError(
                    "class_weight 'balanced' is not supported for partial_fit: a batch "
                    "does not tell how frequent classes are. Pass a dict, such as one "
                    "made by sklearn.utils.class_weight.compute_class_weight."
                )
            fitted = None if first else Model.of(self).column_conditions
            batch = self._batch(X, y, weights, fitted)
            if first:
                model = Model.untrained(
                    estimator=self,
                    candidate=single_candidate(self, batch),
                    seed=seed,
                    conditions=batch.conditions,
                )
            else:
                model = Model.of(self)
                model.check_unchanged(self, batch.conditions)
            model, rows = self._take_in(model, X, batch)
            self._become(model)
            self._become(train(model, rows, partial(progress_of, self, None, None)))
        return self

    def _start(self, classes):
        """Set the classes, for good; return the seed of all randomness."""
        refuse_single_class(classes)
        self.classes_ = classes
        warn_of_ineffective_parameters(self)
        check_candidates(self.candidates, CONSTRAINTS)
        return check_random_state(self.random_state).randint(np.iinfo(np.int32).max)

    def _batch(self, X, y, weights, fitted=None):
        """Return the rows that have some weight.

        `fitted` has the conditions that training began with, if it goes on.
        """
        batch = Batch.of(self, X, y, weights)
        return replace(batch, conditions=read_conditions(self, batch, fitted))

    def _take_in(self, model, X, batch):
        """Return the model with a batch encoded, and the rows."""
        if model.n_iter == 0:
            is_auto = self.discretizer == "auto"
            model = model.with_fitted_discretizer(batch, is_auto=is_auto)
        known = model.encoder
        columns = with_intervals(batch.columns, model.discretizer)
        model, rows = take_in(model, columns, batch)
        warn_of_columns(
            X,
            batch.columns,
            codes=rows.codes,
            before=known,
            after=model.encoder,
            discretizer=model.discretizer,
            label=batch.label,
        )
        return model, rows

    def _look_at_chains(self, rows):
        """Warn if most chains are too short, to go by a few of the rows."""
        few = np.linspace(0, len(rows.codes) - 1, _ROWS_LOOKED_AT).astype(int)
        codes = rows.codes[np.unique(few), : self.n_features_in_]
        diagnostics = diagnose_model(Model.of(self), codes).ravel()
        if 2 * sum(found.too_short for found in diagnostics) > len(diagnostics):
            warn_of_short_sums(sampler_of(self.sampler).name, diagnostics)

    def _term_model(self):
        """Return the model of the fitted classifier."""
        return Model.of(self)

    def _become(self, model):
        """Have the attributes of a model, in place of those of the one before."""
        for name, value in model.attributes().items():
            setattr(self, name, value)

    # -- scores ------------------------------------------------------------------------

    def log_weighted_sums(self, X):
        """Scores of all classes: log W - log theta.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            A value that training did not have counts as unspecified.

        Returns
        -------
        scores : ndarray of shape (n_samples, n_classes), float64
            Natural logarithms; each Winnow on its own says yes where they are >= 0.

        Raises
        ------
        ValueError
            If X has other columns than in training, or infinite values.
        """
        model, rows, inverse = self._model_and_rows(X)
        return model.log_scores(rows)[inverse]

    def _model_and_rows(self, X):
        """Return the model, distinct rows of codes, and which of them each row is."""
        check_is_fitted(self)
        check_max_term_size(self.sampler, self.max_term_size_)
        model = Model.of(self)
        rows, _, inverse = distinct_rows(model.encode_table(X, self))
        return model, rows, inverse

    def decision_function(self, X):
        """Scores that decide the prediction.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            A value that training did not have counts as unspecified.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            `log_weighted_sums`; with two classes, the second column less the first.
        """
        scores = self.log_weighted_sums(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict(self, X):
        """The class of the highest score; the first of them in a tie.

        The sum of a class that bounds rule out is not computed, so this can be quicker
        than `decision_function`; the class is the same.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            A value that training did not have counts as unspecified.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Class labels.
        """
        model, rows, inverse = self._model_and_rows(X)
        return self.classes_[model.winners(rows)[inverse]]

    def predict_proba(self, X):
        """Probabilities of classes: the softmax of `scale_` times the scores.

        `fit` chooses the scale for the least log loss on rows held out, unless
        `n_folds` is None; then, and after `partial_fit` alone, they are in the right
        order, but not calibrated: :class:`sklearn.calibration.CalibratedClassifierCV`
        is for those.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            A value that training did not have counts as unspecified.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Rows sum to 1.
        """
        scores = self.log_weighted_sums(X)
        return softmax(self.scale_ * scores, axis=1)

    def __setstate__(self, state):
        super().__setstate__(with_former(state))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags
