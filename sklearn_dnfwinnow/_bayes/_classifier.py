"""BayesianInteractionClassifier: logistic regression on all interactions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import unique_labels
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._bayes._model import train
from sklearn_dnfwinnow._bayes._settings import CONSTRAINTS
from sklearn_dnfwinnow._encoding._table import (
    LabelledTable,
    check_samples,
    refuse_single_class,
)
from sklearn_dnfwinnow._utils._draws import COVERAGE_CONSTRAINTS
from sklearn_dnfwinnow._utils._estimators import (
    FittedAttribute,
    InteractionModelMixin,
    LogProbaMixin,
    PackageMixin,
    all_or_nothing,
    fit_context,
    validate_params,
)
from sklearn_dnfwinnow.inspection import LazyMethod

_DIMS = {"sums": ["group", "set"], "log_sigma": ["order"], "y": ["row"]}


# Weights, all together, up to which all moves are exact in double precision.
_MOST_WEIGHT = 1e12


class BayesianInteractionClassifier(
    InteractionModelMixin,
    LogProbaMixin,
    PackageMixin,
    ClassifierMixin,
    BaseEstimator,
):
    """Bayesian logistic regression on all interactions of feature values.

    A :term:`term` is a conjunction of literals ``feature = value``; its order is the
    number of its literals. Each term up to `max_order` has a parameter. The log-odds of
    a row are the sum of the parameters of the terms that it satisfies. The
    parameters have a Cauchy or normal prior, and the prior width of each order is
    learned. Terms that are satisfied by the same training rows form a :term:`group
    of terms`. They share one parameter, which is the sum of their parameters [1]_. This
    makes the computation feasible. Predictions divide the sums at random among the
    terms. Draws from the posterior give probabilities with credible intervals, see
    :meth:`sample_proba`.

    X is an array, a list or a data frame with hashable values of any type, as for
    :class:`DNFWinnowClassifier`. Numeric features with more than ten distinct values
    are cut into intervals, see `discretizer`. A category that does not occur in the
    training data satisfies no literal; another number belongs to the nearest one.

    Read more in the :ref:`user guide <bayesian>`.

    Parameters
    ----------
    interactions : {'all', 'nested'}, default='all'
        Combinations of features that have a parameter.

        - 'all': all conjunctions.
        - 'nested': the contexts of a sequence, which are the conjunctions of the last t
          features, for each t. The last feature is the nearest to the response.

    max_order : int or 'auto', default='auto'
        Maximum number of literals in a term. For nested interactions, it is the length
        of the longest context. 0 is a model of the intercept alone: the probabilities
        are about the class frequencies, the same for all rows. 'auto' is the number
        of features for nested interactions. Otherwise it is the largest of 3, 2 and 1
        with at most 32,768 sums whose draws fit into 512 MiB. The number of sums is the
        number of groups, times the number of classes if there are more than two.

    discretizer : {'auto'}, ClassEntropyDiscretizer or None, default='auto'
        Discretizer that cuts numeric features into intervals.

        - 'auto': the features with more than ten distinct numbers are cut into eight
          intervals of about the same number of rows, as
          ``ClassEntropyDiscretizer(selection='quantiles', max_intervals=8)`` does. The
          places of the cuts do not depend on the classes. So the intervals of
          probabilities account for all that was learned from the classes.
        - ClassEntropyDiscretizer: a clone of the object cuts the features that its
          parameter `columns` selects.
        - None: no feature is cut, and each number is a category.

    missing : {'unspecified', 'category', 'most_frequent'}, default='unspecified'
        Treatment of the missing values None, NaN, NaT and pandas.NA.

        - 'unspecified': a missing value satisfies no literal.
        - 'category': missing values form a separate category.
        - 'most_frequent': a missing value is replaced by the most frequent value of the
          feature. In `fit` it is the most frequent value among the training rows of
          the same class, and in prediction among all training rows.

    class_weight : dict, 'balanced' or None, default=None
        Class weights, by which sample weights are multiplied. A class that a dict does
        not contain has weight 1. 'balanced' gives all classes the same total weight.
        None gives all classes weight 1.

    prior : {'cauchy', 'normal'}, default='normal'
        Prior distribution of the parameters, with centre 0. 'cauchy' has heavy tails: a
        few parameters are large, and the others are near 0. It suits data that follow
        rules without exceptions. Its chains take several times as long to converge.
        With several classes or thousands of groups of terms, they often do not.

    scale : float, default=1.0
        Typical size of effects: the scale of `hyperprior`, from 1e-6 to 1e6, in log
        odds (natural logarithms). For a row without missing values, the sum of the
        parameters of all its terms of order o has a width with scale ``scale / o``. The
        prior of the probabilities therefore hardly depends on the number of features.

    hyperprior : {'half_t', 'log_normal', 'inverse_gamma'}, default='half_t'
        Prior distribution of the widths of the priors, one width for each order from 1.

        - 'half_t': half-t distribution with three degrees of freedom. Its density is
          positive at 0, so that an order can be nearly excluded.
        - 'log_normal': log-normal distribution, with a standard deviation of ln(10) / 2
          in natural logarithms.
        - 'inverse_gamma': inverse gamma distribution of shape `hyperprior_shape`, with
          its mode at the scale. It is the hyperprior of the paper. Each order
          contributes to the sums.

    hyperprior_shape : float, default=1.0
        Shape of the distribution for hyperprior='inverse_gamma', from 0.1 to 1000. The
        larger the shape is, the nearer the widths are to their scales. Ignored by other
        hyperpriors.

    intercept_scale : float, default=2.5
        Prior width of the intercept, which is the parameter of the empty term that all
        rows satisfy, from 1e-6 to 1e6, in log-odds.

    fit_intercept_scale : bool, default=False
        Whether the prior width of the intercept is learned, as those of the other
        orders are. If True, `intercept_scale` is the scale of `hyperprior` for this
        width. If False, it is the width.

    n_chains : int, default=4
        Number of Markov chains. With sampler='hmc' and normal priors they start in
        modes of the posterior, which are drawn with their approximate probabilities.
        Otherwise they start far apart from each other.

    n_draws : int, default=200
        Number of draws that each chain keeps, at least 4. They are spread evenly over
        the last four fifths of its sweeps after the warm-up.

    burn_in : int, default=100
        Number of sweeps of the warm-up of each chain, in which the sampler is adapted.

    max_rhat : float, default=1.01
        Largest R-hat [3]_ at which chains end, at least 1. It concerns the logarithms
        of the widths and the log-odds of 16 training rows.

    min_ess : float, default=400
        Smallest bulk effective sample size of the same quantities at which chains end,
        over all chains.

    max_sweeps : int, default=10_000
        Maximum number of sweeps of each chain after the warm-up. Each chain makes at
        least a quarter more sweeps than `n_draws`.

    max_time : float or None, default=None
        Seconds after which chains are not continued, approximately. Results then depend
        on the speed of the computer. None is no limit.

    n_jobs : int or None, default=None
        Number of threads, over which the chains are distributed: with sampler='hmc',
        four at a time, one at a time otherwise. Results do not depend on `n_jobs`. None
        is 1 unless in a :obj:`joblib.parallel_config` context, and -1 uses all
        processors.

    random_state : int, RandomState instance or None, default=None
        Seed of the chains and of the random division of sums in predictions. `fit`
        draws one integer from it. All results are then a function of data and
        parameters. The prediction for a row depends neither on the other rows nor
        on their order.

    verbose : int, default=0
        Verbosity level. If positive, `fit` prints R-hat and the effective sample size
        whenever it measures them.

    sampler : {'auto', 'hmc', 'gibbs', 'slice'}, default='auto'
        Method that draws from the posterior distribution.

        - 'auto': 'hmc' if it is possible and the interactions are not nested,
          otherwise 'gibbs'.
        - 'hmc': Hamiltonian Monte Carlo moves all sums and widths together [4]_. With a
          normal prior, it requires at most 1,500 distinct rows or 1,500 groups; with
          a Cauchy prior, at most 33 million pairs of a distinct row and a group. Up
          to four chains move together in one thread.
        - 'gibbs': sums of parameters are drawn given Polya-Gamma variables [2]_, those
          of nested interactions jointly, and then the widths of the orders. With
          Cauchy priors, sums are drawn one at a time too, as by 'slice'.
        - 'slice': the sums are drawn one at a time, as in the paper. For draws of the
          same quality, it takes many times as long.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.

    n_features_in_ : int
        Number of features seen in `fit`.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features seen in `fit`. Defined only if all names are strings.

    categories_ : list of `n_features_in_` ndarrays
        Values of each feature. Code k + 1 stands for the value at index k. For a
        feature that `discretizer_` cuts, the values are the numbers of its intervals.

    discretizer_ : ClassEntropyDiscretizer or None
        Fitted discretizer. None if no feature is cut.

    missing_ : {'unspecified', 'category', 'most_frequent'}
        Treatment of missing values.

    max_order_ : int
        Maximum number of literals in a term.

    n_terms_ : int
        Number of terms that some training row satisfies.

    n_groups_ : int
        Number of groups of terms that are satisfied by the same training rows.

    group_sizes_ : ndarray of shape (n_groups,), float64
        Total weight of the training rows that satisfy the terms of each group.

    group_orders_ : ndarray of shape (n_groups,), int
        Lowest order of the terms of each group.

    scales_ : ndarray of shape (max_order + 1,), float64
        Scale of `hyperprior` for the width of a single term of each order. The entry of
        order 0 is the width itself, unless `fit_intercept_scale`.

    draws_ : dict of str to ndarray
        Draws from the posterior, by chain:

        - 'sums', of shape (n_chains, n_draws, n_groups, n_sets), float32: the sum of
          the parameters of each group. With two classes there is one set, for the log
          odds of the second class. With more classes there is one set per class.
        - 'log_sigma', of shape (n_chains, n_draws, max_order + 1), float64: natural
          logarithms of the widths of the orders.
        - 'log_likelihood', of shape (n_chains, n_draws), float64: log likelihood of the
          training rows.

    r_hat_ : dict of str to ndarray
        Rank-normalized R-hat [3]_ of 'log_sigma', from the first order whose width is
        learned, of the 'log_odds' of 16 training rows or fewer, and of
        'log_likelihood'. It concerns the last four fifths of all sweeps after the
        warm-up. It is near 1 if the chains agree. Chains end if the first two are
        small.

    ess_ : dict of str to ndarray
        Bulk effective sample sizes [3]_ of the same quantities, over all chains.

    n_sweeps_ : int
        Number of sweeps of each chain, with the warm-up.

    See Also
    --------
    DNFWinnowClassifier : A classifier over the same terms that can be written as a DNF.
    summaries.representative_draws : Represent all draws by a few of them.

    Notes
    -----
    Results depend only on the distinct rows and their total weights: a row of
    weight 2 is equivalent to two copies. Memory in bytes is 4 times `n_chains` times
    `n_draws` times the number of groups times the number of sets; `fit` uses two and a
    half times as much. With normal priors, the time of a sweep grows with the square of
    the number of distinct rows, up to 1,500 of them. With Cauchy priors, it grows
    with their number times that of the groups. For larger data sets, the sums are drawn
    one by one.

    References
    ----------
    .. [1] L. Li and R. M. Neal, "Compressing Parameters in Bayesian High-order Models
       with Application to Logistic Sequence Models", Bayesian Analysis 3(4), 793-821,
       2008.
    .. [2] N. G. Polson, J. G. Scott and J. Windle, "Bayesian Inference for Logistic
       Models Using Polya-Gamma Latent Variables", Journal of the American Statistical
       Association 108, 1339-1349, 2013.
    .. [3] A. Vehtari, A. Gelman, D. Simpson, B. Carpenter and P.-C. Buerkner,
       "Rank-Normalization, Folding, and Localization: An Improved R-hat for Assessing
       Convergence of MCMC", Bayesian Analysis 16(2), 667-718, 2021.
    .. [4] R. M. Neal, "MCMC Using Hamiltonian Dynamics", in Handbook of Markov Chain
       Monte Carlo, Chapman & Hall/CRC, 113-162, 2011.

    Examples
    --------
    >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> clf = BayesianInteractionClassifier(random_state=0).fit(X, y)
    >>> X_test, y_test = load_monks(1, subset="test", return_X_y=True, as_frame=True)
    >>> bool(clf.score(X_test, y_test) > 0.95)
    True
    """

    _parameter_constraints = CONSTRAINTS

    # The fitted attributes are parts of the model.
    categories_ = FittedAttribute("encoding.categories")
    discretizer_ = FittedAttribute("encoding.discretizer")
    missing_ = FittedAttribute("encoding.missing")
    max_order_ = FittedAttribute("groups.max_order")
    n_terms_ = FittedAttribute("groups.n_terms")
    n_groups_ = FittedAttribute("groups.n_groups")
    group_sizes_ = FittedAttribute("group_sizes")
    group_orders_ = FittedAttribute("group_orders")
    scales_ = FittedAttribute("prior.scales")
    draws_ = FittedAttribute("draws.by_name")
    r_hat_ = FittedAttribute("r_hat")
    ess_ = FittedAttribute("ess")
    n_sweeps_ = FittedAttribute("convergence.n_sweeps")

    # Functions of `inspection`.
    terms = LazyMethod("terms")
    explain = LazyMethod("explain")

    def __init__(
        self,
        *,
        interactions="all",
        max_order="auto",
        discretizer="auto",
        missing="unspecified",
        class_weight=None,
        prior="normal",
        scale=1.0,
        hyperprior="half_t",
        hyperprior_shape=1.0,
        intercept_scale=2.5,
        fit_intercept_scale=False,
        n_chains=4,
        n_draws=200,
        burn_in=100,
        max_rhat=1.01,
        min_ess=400,
        max_sweeps=10_000,
        max_time=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
        sampler="auto",
    ):
        self.interactions = interactions
        self.max_order = max_order
        self.discretizer = discretizer
        self.missing = missing
        self.class_weight = class_weight
        self.prior = prior
        self.scale = scale
        self.hyperprior = hyperprior
        self.hyperprior_shape = hyperprior_shape
        self.intercept_scale = intercept_scale
        self.fit_intercept_scale = fit_intercept_scale
        self.n_chains = n_chains
        self.n_draws = n_draws
        self.burn_in = burn_in
        self.max_rhat = max_rhat
        self.min_ess = min_ess
        self.max_sweeps = max_sweeps
        self.max_time = max_time
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.sampler = sampler

    @classmethod
    def paper_settings(cls):
        """Return the parameters of the model and the sampler of the paper.

        Returns
        -------
        params : dict
            Parameters for the constructor or `set_params`.

        Examples
        --------
        >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
        >>> BayesianInteractionClassifier.paper_settings()["sampler"]
        'slice'
        """
        return {
            "prior": "cauchy",
            "hyperprior": "inverse_gamma",
            "hyperprior_shape": 1.0,
            "fit_intercept_scale": True,
            "sampler": "slice",
            "n_draws": 50,
            "burn_in": 1000,
            "max_sweeps": 1000,
            "n_chains": 1,
        }

    # -- training ----------------------------------------------------------------------

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Draw from the posterior distribution given training data.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows, with hashable values of any type. None, NaN, NaT and
            pandas.NA are missing values.

        y : array-like of shape (n_samples,)
            Class labels, with two or more distinct values.

        sample_weight : array-like of shape (n_samples,), default=None
            Row weights, not negative. A weight of 2 has the effect of two copies of
            the row. Rows with weight 0 are ignored. None is weight 1 for all
            rows.

        Returns
        -------
        self : BayesianInteractionClassifier
            The fitted classifier.

        Raises
        ------
        ValueError
            If X is empty, complex or infinite, or has more than 4,096 columns. If y has
            one class, a missing label, or is not categorical. If there are too many
            groups of interactions up to `max_order`. The last message states the
            largest possible order. If the sum of `sample_weight` is above 1e12.
        TypeError
            If a value of X is not hashable, or is a date, a time or a duration.

        Warns
        -----
        UserWarning
            If a feature has more than 32 distinct values, and these are numbers, text
            that reads as numbers, dates as text, free text, rare categories, or differ
            in nearly all rows.
        ConvergenceWarning
            If the chains ended before `max_rhat` and `min_ess` were reached, see
            `r_hat_` and `ess_`.
        """
        with all_or_nothing(self):
            X, y, weights = check_samples(self, X, y, sample_weight)
            if weights.sum() > _MOST_WEIGHT:
                raise ValueError(
                    f"The sum of sample_weight must be at most {_MOST_WEIGHT:.0e}; got "
                    f"{weights.sum():.3g}. A weight is a number of equal rows."
                )
            self.classes_ = unique_labels(y[weights > 0])
            refuse_single_class(self.classes_)
            random = check_random_state(self.random_state)
            seed = random.randint(np.iinfo(np.int32).max)
            table = LabelledTable(self, X, y, weights)
            self._model = train(self, table, seed)
        return self

    # -- predictions -------------------------------------------------------------------

    def predict_proba(self, X):
        """Predict class probabilities: the means over the draws of `sample_proba`.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows. A category that does not occur in the training data is unspecified.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Probabilities of the classes in the order of `classes_`. Each row sums to 1.
        """
        model, rows, inverse = self._model_and_rows(X)
        return model.probabilities(rows)[inverse]

    def decision_function(self, X):
        """Scores of the classes: logarithms of `predict_proba`.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows. A category that does not occur in the training data is unspecified.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Natural logarithms of `predict_proba`. With two classes, the log-odds of the
            second class.
        """
        scores = self.predict_log_proba(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict(self, X):
        """Predict the class with the highest probability, the first of them in a tie.

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
        winners = self.predict_proba(X).argmax(axis=1)
        return self.classes_[winners]

    # -- draws -------------------------------------------------------------------------

    def sample_proba(self, X):
        """Draw class probabilities from their posterior distribution.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows. A category that does not occur in the training data is unspecified.

        Returns
        -------
        probabilities : ndarray of shape (n_draws, n_samples, n_classes)
            Probabilities of the classes for `n_chains` times `n_draws` draws, chain
            after chain. They sum to 1 over the last axis.

        See Also
        --------
        predict_interval : Credible intervals of the probabilities.
        sample_y : Draws of classes.

        Notes
        -----
        Each row of the result has its own random division of the effects of groups.
        So the draws of several rows are those of each row, not joint ones.

        Examples
        --------
        >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
        >>> from sklearn_dnfwinnow.datasets import load_monks
        >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
        >>> clf = BayesianInteractionClassifier(max_order=1, random_state=0).fit(X, y)
        >>> draws = clf.sample_proba(X.iloc[:2])
        >>> draws.shape
        (800, 2, 2)
        """
        model, rows, inverse = self._model_and_rows(X)
        return model.sample_probabilities(rows)[:, inverse]

    @validate_params(COVERAGE_CONSTRAINTS)
    def predict_interval(self, X, coverage=0.9):
        """Predict credible intervals of the class probabilities.

        The intervals are central: of the draws of `sample_proba`, as many are below an
        interval as above it. The true probability is in the interval with the posterior
        probability `coverage`.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows. A category that does not occur in the training data is unspecified.

        coverage : float, default=0.9
            Fraction of the draws in each interval, between 0 and 1.

        Returns
        -------
        intervals : ndarray of shape (n_samples, n_classes, 2), float64
            Lower and upper end for each class, in the order of `classes_`. The mean
            that `predict_proba` returns can be outside if the distribution is skew.

        Raises
        ------
        ValueError
            If X does not have the features of the training data, or `coverage` is not
            between 0 and 1.

        Examples
        --------
        >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
        >>> from sklearn_dnfwinnow.datasets import load_monks
        >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
        >>> clf = BayesianInteractionClassifier(max_order=1, random_state=0).fit(X, y)
        >>> intervals = clf.predict_interval(X.iloc[:2])
        >>> intervals.shape
        (2, 2, 2)
        >>> bool((intervals[:, :, 0] < intervals[:, :, 1]).all())
        True
        """
        model, rows, inverse = self._model_and_rows(X)
        return model.intervals(rows, coverage)[inverse]

    def sample_y(self, X):
        """Draw classes from their posterior predictive distribution.

        Each draw takes the probabilities of one draw of `sample_proba`, and then a
        class with these probabilities.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows. A category that does not occur in the training data is unspecified.

        Returns
        -------
        y : ndarray of shape (n_draws, n_samples)
            Class labels, for `n_chains` times `n_draws` draws, chain after chain. Equal
            rows have the same probabilities in each draw, but independent classes.

        Examples
        --------
        >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
        >>> from sklearn_dnfwinnow.datasets import load_monks
        >>> X, y = load_monks(3, subset="train", return_X_y=True, as_frame=True)
        >>> clf = BayesianInteractionClassifier(max_order=1, random_state=0).fit(X, y)
        >>> draws = clf.sample_y(X)
        >>> draws.shape == (800, len(X))
        True
        >>> n_of_class = (draws == "1").sum(axis=1)
        >>> bool(n_of_class.min() < (y == "1").sum() < n_of_class.max())
        True
        """
        model, rows, inverse = self._model_and_rows(X)
        return self.classes_[model.sample_classes(rows, inverse)]

    def to_inference_data(self, X, y):
        """Return draws and log likelihoods in the form of ArviZ.

        `arviz.loo` and, before ArviZ 1.0, `arviz.waic` estimate from the result how
        well the model predicts new rows. `arviz.summary` and the plots of ArviZ show
        the chains. Requires ArviZ.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows: the training rows for `loo` and `waic`.

        y : array-like of shape (n_samples,)
            Their class labels.

        Returns
        -------
        inference_data : xarray.DataTree, or arviz.InferenceData before ArviZ 1.0
            Groups of arrays, with the dimensions 'chain' and 'draw' first:

            - 'posterior': 'log_sigma', with the dimension 'order', for the orders whose
              width is learned; 'sums', with the dimensions 'group' and 'set'. Both are
              described at `draws_`.
            - 'log_likelihood': 'y', with the dimension 'row', the natural logarithm
              of the probability of the label of each row.
            - 'posterior_predictive': 'y', with the dimension 'row', draws of
              `sample_y` as indices into `classes_`.
            - 'observed_data': 'y', with the dimension 'row', the labels as indices
              into `classes_`.

        Raises
        ------
        ImportError
            If ArviZ is not installed.
        ValueError
            If X and y have different lengths, or y has a label that is not in
            `classes_`.

        Notes
        -----
        Weights are not taken into account. If `fit` had sample weights or class
        weights, the log likelihoods are not those of the posterior distribution.

        Examples
        --------
        >>> import arviz  # doctest: +SKIP
        >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
        >>> from sklearn_dnfwinnow.datasets import load_monks
        >>> X, y = load_monks(3, subset="train", return_X_y=True, as_frame=True)
        >>> clf = BayesianInteractionClassifier(max_order=1, random_state=0).fit(X, y)
        >>> arviz.loo(clf.to_inference_data(X, y))  # doctest: +SKIP
        """
        check_is_fitted(self)
        X, y, _ = check_samples(self, X, y, None, reset=False)
        unknown = np.setdiff1d(y, self.classes_).tolist()
        if unknown:
            raise ValueError(
                f"y must contain the classes of the training rows only, "
                f"{self.classes_.tolist()}; got {unknown[0]!r}."
            )
        model, rows, inverse = self._model_and_rows(X)
        try:
            import arviz
        except ImportError as error:
            raise ImportError(
                "to_inference_data requires ArviZ: install it with `pip install arviz`."
            ) from error
        draws, labels = model.draws, np.searchsorted(self.classes_, y)
        log_sigma, shape = draws.log_sigma, draws.log_likelihood.shape
        orders = np.arange(model.prior.first, log_sigma.shape[-1])
        log_probabilities = model.sample_log_probabilities(rows)[:, inverse, labels]
        classes = model.sample_classes(rows, inverse)
        groups = {
            "posterior": {"log_sigma": log_sigma[..., orders], "sums": draws.sums},
            "log_likelihood": {"y": log_probabilities.reshape(*shape, -1)},
            "posterior_predictive": {"y": classes.reshape(*shape, -1)},
            "observed_data": {"y": labels},
        }
        names = {"dims": _DIMS, "coords": {"order": orders}}
        if int(arviz.__version__.split(".")[0]) >= 1:
            return arviz.from_dict(groups, **names)
        return arviz.from_dict(**groups, **names)
