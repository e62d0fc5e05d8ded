"""BayesianInteractionClassifier: logistic regression on all interactions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._bayes._settings import CONSTRAINTS, paper_settings
from sklearn_dnfwinnow._bayes._training import train
from sklearn_dnfwinnow._preprocessing._column_warnings import warn_of_columns
from sklearn_dnfwinnow._preprocessing._columns import check_table
from sklearn_dnfwinnow._preprocessing._discretizer import with_intervals
from sklearn_dnfwinnow._preprocessing._discretizer_choice import (
    chosen_discretizer,
    fitted_discretizer,
)
from sklearn_dnfwinnow._preprocessing._labelled_table import (
    LabelledTable,
    refuse_single_class,
)
from sklearn_dnfwinnow._preprocessing._sample_weights import check_weights
from sklearn_dnfwinnow._preprocessing._value_encoder import ValueEncoder
from sklearn_dnfwinnow._terms._interaction_model import InteractionModelMixin
from sklearn_dnfwinnow._utils._compat import fit_context
from sklearn_dnfwinnow._utils._estimator_mixins import (
    DocumentationLinkMixin,
    VersionedMixin,
)
from sklearn_dnfwinnow._utils._rollback import all_or_nothing
from sklearn_dnfwinnow.inspection._interactions._inspection_mixin import (
    InteractionInspectionMixin,
)


class BayesianInteractionClassifier(
    InteractionModelMixin,
    InteractionInspectionMixin,
    DocumentationLinkMixin,
    VersionedMixin,
    ClassifierMixin,
    BaseEstimator,
):
    """Bayesian logistic regression on all interactions of attribute values.

    A term is a conjunction of literals ``attribute = value``; its order is the number
    of its literals. Each term up to `max_order` has a parameter, and the log odds of a
    row are the sum of the parameters of the terms that it satisfies. Parameters have a
    Cauchy or normal prior, of a width for each order that is learned. Terms that the
    same training rows satisfy share one parameter, the sum of theirs [1]_, which makes
    this feasible; predictions split the sums at random. Draws from the posterior give
    probabilities with intervals, see :meth:`sample_proba`.

    Columns may hold any hashable values, as for :class:`DNFWinnowClassifier`. Columns
    of more than ten distinct numbers are cut into intervals, see `discretizer`. A value
    that training did not have satisfies no literal.

    Read more in the :ref:`user guide <bayesian>`.

    Parameters
    ----------
    interactions : {'all', 'nested'}, default='all'
        Which terms there are. 'all' are all conjunctions. 'nested' are the contexts of
        a sequence: the last t columns, for each t; the last column is the nearest to
        the response.

    max_order : int or 'auto', default='auto'
        Most literals of a term; length of the longest context. 'auto' is the largest of
        3, 2 and 1 with at most 32,768 sums (groups, times classes if there are more
        than two) whose draws fit into 512 MiB; for nested interactions it is the number
        of columns.

    prior : {'cauchy', 'normal'}, default='cauchy'
        Law of the parameters, around 0. 'cauchy' has heavy tails: a few parameters are
        large, and the others near 0. It suits tables in which rules hold.

    hyperprior : {'half_t', 'half_cauchy', 'log_normal', 'inverse_gamma'}, \
            default='half_t'
        Law of the width of each order above 0. 'half_t', of three degrees of freedom,
        and 'half_cauchy' have a density at 0, so that an order can be nearly left out;
        'half_cauchy' has the heavier tail. 'inverse_gamma', of shape 1 and with its
        mode at the scale, is the paper; each order has a part under it. 'log_normal'
        has a standard deviation of ln(10) / 2 in natural logarithms.

    scale : float, default=1.0
        Scale of `hyperprior`, from 1e-6 to 1e6, on the natural log scale of odds. The
        sum of the parameters of all terms of order o that a row without missing values
        satisfies has a width of the scale ``scale / o``. So the prior of probabilities
        hardly depends on the number of columns.

    intercept_scale : float, default=2.5
        Width of the parameter of the empty term, which all rows satisfy, from 1e-6 to
        1e6. It is not learned.

    sampler : {'gibbs', 'slice'}, default='gibbs'
        How the posterior is drawn from. 'gibbs' draws all sums of parameters at once,
        given Polya-Gamma variables [2]_. 'slice' is the paper: one at a time. It takes
        many times as long for draws that are as good.

    n_draws : int, default=200
        Draws that each chain keeps, 4 or more.

    burn_in : int, default=200
        Sweeps of each chain before the first draw.

    n_chains : int, default=4
        Markov chains, from starts that are far apart.

    thin : int, default=1
        Sweeps for each draw that is kept.

    discretizer : {'auto'}, ClassEntropyDiscretizer or None, default='auto'
        How columns of numbers are cut into intervals. 'auto' cuts the columns of more
        than ten distinct numbers by the defaults of :class:`ClassEntropyDiscretizer`.
        An object is cloned, and cuts the columns that it says. None cuts nothing: each
        number is a category.

    class_weight : dict, 'balanced' or None, default=None
        Weights of classes, by which sample weights are multiplied; 1 for classes that a
        dict does not have. 'balanced' gives all classes the same total weight.

    missing : {'unspecified', 'category', 'most_frequent'}, default='unspecified'
        What None, NaN, NaT and pandas.NA mean: an attribute on which a row satisfies no
        literal; a category of its own; or the most frequent value, among the training
        rows of the same class in `fit` and among all training rows later.

    n_jobs : int or None, default=None
        Threads, over chains. Results do not depend on it.

    random_state : int, RandomState instance or None, default=None
        Seeds the chains and the splits of predictions. `fit` draws one integer from it;
        after that the result is a function of data and parameters, and predictions of a
        row depend neither on other rows nor on their order.

    verbose : int, default=0
        If positive, print how far each chain is, every ten seconds.

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
        What cuts columns, fitted; None where none is cut.

    missing_ : {'unspecified', 'category', 'most_frequent'}
        What missing values mean.

    max_order_ : int
        Most literals of a term.

    n_terms_ : int
        Terms that some training row satisfies.

    n_groups_ : int
        Groups of terms that the same training rows satisfy.

    group_sizes_ : ndarray of shape (n_groups,), float64
        Weight of the training rows in each group.

    group_orders_ : ndarray of shape (n_groups,), int
        Least order of the terms of each group.

    scales_ : ndarray of shape (max_order + 1,), float64
        Width of order 0, and scales of `hyperprior` for the width of a single term of
        each other order.

    draws_ : dict of str to ndarray
        Draws from the posterior, chain by chain:

        - 'sums', of shape (n_chains, n_draws, n_groups, n_sets), float32: the sum of
          the parameters of each group. With two classes there is one set, of the log
          odds of the second class; with more, one a class.
        - 'log_sigma', of shape (n_chains, n_draws, max_order + 1), float64: natural
          logarithms of the widths of orders.
        - 'log_likelihood', of shape (n_chains, n_draws), float64: of the training rows.

    r_hat_ : dict of str to ndarray
        Rank-normalized R-hat [3]_ of 'log_sigma', from order 1, and 'log_likelihood':
        1 where the chains agree.

    ess_ : dict of str to ndarray
        Effective sample sizes of the same, of all chains together.

    See Also
    --------
    DNFWinnowClassifier : A classifier over the same terms that is a formula.
    summaries.representative_draws : A few of the draws that stand for all.

    Notes
    -----
    The same table of distinct rows and weights gives the same result: a row of weight 2
    is two rows. Memory is `n_chains` times `n_draws` times the number of groups and
    sets, times four bytes. Time grows with the cube of the number of distinct rows up
    to some 1,500; sums of larger tables are drawn one by one.

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

    Examples
    --------
    >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> clf = BayesianInteractionClassifier(random_state=0).fit(X, y)
    >>> X_test, y_test = load_monks(1, subset="test", return_X_y=True, as_frame=True)
    >>> bool(clf.score(X_test, y_test) > 0.98)
    True
    """

    _parameter_constraints = CONSTRAINTS

    def __init__(
        self,
        *,
        interactions="all",
        max_order="auto",
        prior="cauchy",
        hyperprior="half_t",
        scale=1.0,
        intercept_scale=2.5,
        sampler="gibbs",
        n_draws=200,
        burn_in=200,
        n_chains=4,
        thin=1,
        discretizer="auto",
        class_weight=None,
        missing="unspecified",
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.interactions = interactions
        self.max_order = max_order
        self.prior = prior
        self.hyperprior = hyperprior
        self.scale = scale
        self.intercept_scale = intercept_scale
        self.sampler = sampler
        self.n_draws = n_draws
        self.burn_in = burn_in
        self.n_chains = n_chains
        self.thin = thin
        self.discretizer = discretizer
        self.class_weight = class_weight
        self.missing = missing
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def paper_settings(cls):
        """Return the parameters that make this the model and sampler of the paper.

        Returns
        -------
        params : dict
            For the constructor, or `set_params`.

        Examples
        --------
        >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
        >>> BayesianInteractionClassifier.paper_settings()["sampler"]
        'slice'
        """
        return paper_settings()

    # -- training ----------------------------------------------------------------------

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Draw from the posterior, given some rows and their classes.

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
        self : BayesianInteractionClassifier

        Raises
        ------
        ValueError
            If X is empty, sparse, complex or infinite, y has one class, a missing
            label, or is not categorical; or if there are too many groups of
            interactions up to `max_order`: the message says which order would do.
        TypeError
            If a value of X is not hashable, or a date, a time or a duration.

        Warns
        -----
        UserWarning
            If a column has more than 32 distinct values, and these are numbers or text
            that reads as numbers, or differ in nearly all rows.
        ConvergenceWarning
            If the chains disagree, or have too few effective samples, see `r_hat_` and
            `ess_`.
        """
        with all_or_nothing(self):
            X, y = check_table(self, X, y, reset=True)
            check_classification_targets(y)
            weights = check_weights(sample_weight, X)
            self.classes_ = unique_labels(y[weights > 0])
            refuse_single_class(self.classes_)
            random = check_random_state(self.random_state)
            seed = random.randint(np.iinfo(np.int32).max)
            table = LabelledTable.of(self, X, y, weights)
            discretizer, encoder, codes = self._encode(X, table)
            self._become(
                train(
                    self,
                    codes=codes,
                    table=table,
                    discretizer=discretizer,
                    encoder=encoder,
                    seed=seed,
                )
            )
        return self

    def _encode(self, X, table):
        """Return a fitted discretizer, or None, an encoder, and codes of a table."""
        discretizer = fitted_discretizer(
            chosen_discretizer(self.discretizer, table),
            table,
            is_auto=isinstance(self.discretizer, str),
        )
        columns = with_intervals(table.columns, discretizer)
        untrained, encoder = (
            ValueEncoder(self.missing, self.n_features_in_, len(self.classes_))
            for _ in range(2)
        )
        codes = encoder.learn(columns, table.labels, table.weights, table.label)
        warn_of_columns(
            X,
            table.columns,
            codes=codes,
            before=untrained,
            after=encoder,
            discretizer=discretizer,
            label=table.label,
        )
        return discretizer, encoder, codes

    def _interaction_model(self):
        """Return the model of the fitted classifier."""
        return self._model

    def _become(self, model):
        """Have the attributes of a model, in place of those of the one before."""
        for name, value in model.attributes().items():
            setattr(self, name, value)

    # -- predictions -------------------------------------------------------------------

    def sample_proba(self, X):
        """Draws of the probabilities of classes from their posterior.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            A value that training did not have counts as unspecified.

        Returns
        -------
        probabilities : ndarray of shape (n_draws, n_samples, n_classes)
            Of `n_chains` times `n_draws` draws, chain after chain; each row sums to 1.
            Quantiles over the first axis are intervals of credibility.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
        >>> from sklearn_dnfwinnow.datasets import load_monks
        >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
        >>> clf = BayesianInteractionClassifier(random_state=0).fit(X, y)
        >>> draws = clf.sample_proba(X.iloc[:2])
        >>> draws.shape
        (800, 2, 2)
        >>> low, high = np.quantile(draws[:, :, 1], [0.05, 0.95], axis=0)
        >>> bool((low > 0.5).all())
        True
        """
        model, rows, inverse = self._model_and_rows(X)
        return model.sample_probabilities(rows)[:, inverse]

    def predict_proba(self, X):
        """Probabilities of classes: means over the draws of `sample_proba`.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            A value that training did not have counts as unspecified.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Rows sum to 1.
        """
        model, rows, inverse = self._model_and_rows(X)
        return model.probabilities(rows)[inverse]

    def predict_log_proba(self, X):
        """Logarithms of `predict_proba`.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        log_probabilities : ndarray of shape (n_samples, n_classes)
        """
        return np.log(self.predict_proba(X))

    def decision_function(self, X):
        """Logarithms of `predict_proba`; with two classes, log odds of the second.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        scores = self.predict_log_proba(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict(self, X):
        """The class of the highest probability; the first of them in a tie.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Class labels.
        """
        winners = self.predict_proba(X).argmax(axis=1)
        return self.classes_[winners]

    def _model_and_rows(self, X):
        """Return the model, distinct rows of codes, and which of them each row is."""
        check_is_fitted(self)
        return self._model, *self._model.distinct_rows(X, self)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags
