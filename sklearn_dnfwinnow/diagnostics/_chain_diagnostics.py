"""Chain diagnostics: mixing and length of the chains behind an estimate."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field
from math import exp, hypot, isfinite, log

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from sklearn_dnfwinnow._utils._computing import stream
from sklearn_dnfwinnow._utils._draws import autocorrelation_times
from sklearn_dnfwinnow._utils._estimators import validate_params, warn
from sklearn_dnfwinnow.inspection._steps import steps_of, transform_through
from sklearn_dnfwinnow.samplers._agreement_problem import WeightedSum, closed_form
from sklearn_dnfwinnow.samplers._registry import names_of_chains, sampler_of
from sklearn_dnfwinnow.sums._log_weighted_sum import (
    PROBLEM_CONSTRAINTS,
    problem_of_agreements,
)

# Maximum number of agreement sets in the search for a term of large weight.
_MOST_CANDIDATES = 256
# With fewer effective samples, estimates were too low, and standard errors too small
# (benchmarks/paper/coverage.py). Two estimates that differ by this number of standard
# errors depend on the starts of their chains.
_FEWEST_EFFECTIVE, _MOST_APART = 20.0, 4.0


def _no_chains():
    """Return what a sum with a closed form has for each chain: nothing."""
    return np.empty(0)


@dataclass(frozen=True, eq=False)
class ChainDiagnostics:
    """Diagnostics of the Markov chains behind one estimate, chain by chain.

    Chains are in the order of the :term:`temperature ladder`, from the value next to
    alpha = 1 up to alpha. Sums with a closed form have no chains.

    Attributes
    ----------
    weighted_sum : WeightedSum
        The estimate. Its chains start from the distribution at alpha = 1.
    from_heavy : WeightedSum
        A second estimate, whose chains all start from a term of large weight. If the
        chains are long enough, both estimates are independent of the start and agree. A
        difference shows that chains are too short. Terms of large weight that are far
        from both starts remain undetected.
    alphas : ndarray of shape (n_rungs,), float64
        Value alpha_i of each chain.
    log_ratios : ndarray of shape (n_rungs,), float64
        Estimates of log(W(alpha_i) / W(alpha_i-1)).
    std_errors : ndarray of shape (n_rungs,), float64
        Standard errors of `log_ratios`, by batch means. The errors of tempered chains
        are correlated; here they are equal parts of the error of their sum.
    acceptance : ndarray of shape (n_rungs,), float64
        Acceptance rate: fraction of the updates of a single feature that changed it,
        after burn-in.
    swap_rates : ndarray of shape (n_rungs - 1,), float64
        Fraction of the attempted swaps with the next chain that were accepted. NaN if
        none was attempted, as without tempering.
    autocorrelation_times : ndarray of shape (n_rungs,), float64
        Integrated autocorrelation time of the averaged quantity, (alpha_i-1 /
        alpha_i)^phi, in updates of a single feature. NaN if it never changed.
    effective_sample_sizes : ndarray of shape (n_rungs,), float64
        Number of independent samples with the same variance of the mean.
    relative_variances : ndarray of shape (n_rungs,), float64
        Variance of the averaged quantity, divided by the square of its mean. It is the
        weight of the chain in the error.
    burn_in, n_steps : int
        Number of updates of a single feature in each chain, before and after the
        first sample.
    """

    weighted_sum: WeightedSum
    from_heavy: WeightedSum
    alphas: np.ndarray = field(default_factory=_no_chains)
    log_ratios: np.ndarray = field(default_factory=_no_chains)
    std_errors: np.ndarray = field(default_factory=_no_chains)
    acceptance: np.ndarray = field(default_factory=_no_chains)
    swap_rates: np.ndarray = field(default_factory=_no_chains)
    autocorrelation_times: np.ndarray = field(default_factory=_no_chains)
    effective_sample_sizes: np.ndarray = field(default_factory=_no_chains)
    relative_variances: np.ndarray = field(default_factory=_no_chains)
    burn_in: int = 0
    n_steps: int = 0

    @property
    def effective_sample_size(self):
        """Return the effective sample size of all chains together: float.

        It is the harmonic mean of `effective_sample_sizes`, weighted by
        `relative_variances`. Infinite without chains.
        """
        total = self.relative_variances.sum()
        if not total > 0:
            return np.inf
        matters = self.relative_variances > 0
        of_rungs = self.effective_sample_sizes[matters]
        return float(total / (self.relative_variances[matters] / of_rungs).sum())

    @property
    def distance_of_starts(self):
        """Return the difference of both estimates of log W in standard errors."""
        apart = abs(self.weighted_sum.log_value - self.from_heavy.log_value)
        error = hypot(self.weighted_sum.std_error, self.from_heavy.std_error)
        # Equal except for rounding; the standard error may be 0.
        if apart <= 1e-9 * max(1.0, abs(self.weighted_sum.log_value)):
            return 0.0
        return apart / error if error > 0 else np.inf

    @property
    def complaints(self):
        """Return the reasons why the chains are too short: list of str, or empty.

        There are three reasons: no standard error, an `effective_sample_size` below 20,
        and a `distance_of_starts` above 4.
        """
        found = []
        if not isfinite(self.weighted_sum.std_error):
            found.append("they have no standard error")
        if self.effective_sample_size < _FEWEST_EFFECTIVE:
            found.append(
                f"they have {self.effective_sample_size:.1f} effective samples"
            )
        if self.distance_of_starts > _MOST_APART:
            found.append(
                "the sums from two starts differ by a factor of "
                f"{_factor(self.weighted_sum, self.from_heavy)}, or "
                f"{self.distance_of_starts:.0f} standard errors"
            )
        return found

    @property
    def too_short(self):
        """Return whether there are `complaints`. Then the standard error is too small.

        It is never certain that chains are long enough.
        """
        return bool(self.complaints)

    def __str__(self):
        found = self.weighted_sum
        lines = [f"log W = {found.log_value:.6g} ± {found.std_error:.2g} "
                 f"({found.sampler})"]  # fmt: skip
        if len(self.alphas):
            lines += [
                f"{len(self.alphas)} chains of {self.burn_in:,} + {self.n_steps:,} "
                "updates of a feature",
                f"acceptance {_span(self.acceptance)}",
                f"swap rate {_span(self.swap_rates)}",
                f"autocorrelation time {_span(self.autocorrelation_times)}",
                f"effective samples {_span(self.effective_sample_sizes)}, "
                f"in total {self.effective_sample_size:.0f}",
                f"from a term of large weight {self.from_heavy.log_value:.6g} ± "
                f"{self.from_heavy.std_error:.2g}",
            ]
        lines += [f"too short: {complaint}" for complaint in self.complaints]
        return "\n".join(lines)


def _factor(a, b):
    """Return the factor by which two sums differ, as text that does not overflow."""
    apart = abs(a.log_value - b.log_value)
    return f"{exp(apart):.3g}" if apart < 700 else f"e^{apart:.0f}"


def _span(values):
    """Return minimum, maximum and median of the finite values as text."""
    values = values[np.isfinite(values)]
    if not len(values):
        return "-"
    return f"{values.min():.3g} to {values.max():.3g} (median {np.median(values):.3g})"


def diagnose_model(model, rows):
    """Diagnose the chains behind the sums of some rows of codes.

    Parameters
    ----------
    model : Model
    rows : ndarray of shape (n_rows, n_features), int32

    Returns
    -------
    diagnostics : ndarray of shape (n_rows, n_classes), object
        ChainDiagnostics of each sum.
    """
    questions = model.questions(rows)
    diagnostics = np.empty((len(rows), model.n_classes), dtype=object)
    for place in np.ndindex(diagnostics.shape):
        question = next(questions)
        random = question.pop("stream")
        diagnostics[place] = diagnose_problem(
            **question,
            random=random,
            # The second run has another random stream.
            again=stream(random >> 32, random & 0xFFFFFFFF, row=rows[place[0]]),
        )
    return diagnostics


def diagnose_problem(engine, problem, log_alpha, log_beta, random, again):
    """Diagnose the chains that estimate the sum of one agreement problem.

    Parameters
    ----------
    engine : object
        A Markov chain, see `samplers`.
    problem : AgreementProblem
    log_alpha, log_beta : float
    random, again : int
        Seeds of the chains, and of the chains that start from a term of large weight.

    Returns
    -------
    diagnostics : ChainDiagnostics
    """
    question = problem, log_alpha, log_beta
    known = closed_form(*question)
    if known is not None:
        return ChainDiagnostics(known, known)
    weighted_sum, seen = engine.observed(*question, random)
    from_heavy = engine.log_sum(*question, again, heavy_term(*question))
    n_rungs = len(seen.log_ratios)
    log_step = log_alpha / n_rungs
    burn_in, n_steps = engine.steps(problem.n)
    sites = engine.sites_a_sample(problem)
    n_samples = engine.n_samples(problem)
    averaged = np.exp(-log_step * (seen.traces + float(problem.phi_low)))
    times = autocorrelation_times(averaged) * seen.every
    with np.errstate(invalid="ignore", divide="ignore"):
        swap_rates = (seen.accepted / seen.attempted)[:-1]
    return ChainDiagnostics(
        weighted_sum=weighted_sum,
        from_heavy=from_heavy,
        alphas=np.exp(log_step * np.arange(1, n_rungs + 1)),
        log_ratios=seen.log_ratios,
        std_errors=np.sqrt(seen.variances),
        acceptance=seen.moves / (n_samples * sites),
        swap_rates=swap_rates,
        autocorrelation_times=times * sites,
        # Samples that never changed count as independent.
        effective_sample_sizes=n_samples / np.where(np.isnan(times), 1.0, times),
        relative_variances=averaged.var(axis=1) / averaged.mean(axis=1) ** 2,
        burn_in=burn_in,
        n_steps=n_steps,
    )


def heavy_term(problem, log_alpha, log_beta):
    """Return a term of large weight, by ascent from an agreement set of large weight.

    A term that dominates the sum is contained in sets of promoted examples. The more
    literals it has, the fewer sets contain it. The search therefore starts from the
    sets.

    Returns
    -------
    term : ndarray of shape (n,), uint8
        1 where constrained.
    """
    sets, net_counts = problem.agreements, problem.net_counts
    log_odds = problem.log_odds(log_beta)

    def log_weight(term):
        return log_alpha * net_counts[sets[:, term].all(axis=1)].sum() + (
            log_odds[term].sum()
        )

    promoted = np.argsort(-net_counts, kind="stable")[:_MOST_CANDIDATES]
    term = max(sets[promoted], key=log_weight)
    weight = log_weight(term)
    for _ in range(2 * problem.n):
        # All terms with one literal more or less.
        neighbours = term ^ np.eye(problem.n, dtype=bool)
        best = max(neighbours, key=log_weight)
        if not log_weight(best) > weight:
            break
        term, weight = best, log_weight(best)
    return term.astype(np.uint8)


def warn_of_short_sums(sampler, diagnostics):
    """Warn once, with the worst sum, if the chains of any sum are too short."""
    short = [each for each in diagnostics if each.too_short]
    if not short:
        return
    worst, share = max(short, key=lambda each: each.distance_of_starts), ""
    if len(diagnostics) > 1:
        share = f"in {len(short)} of {len(diagnostics)} diagnosed sums; in the worst "
        share += "one, "
    warn(
        f"The Markov chains of sampler={sampler!r} are too short: {share}"
        f"{'; '.join(worst.complaints)}. Increase burn_in and n_steps (here "
        f"{worst.burn_in} and {worst.n_steps}), or use sampler='auto', which runs no "
        "chains.",
        ConvergenceWarning,
    )


@validate_params(PROBLEM_CONSTRAINTS)
def diagnose_weighted_sum(
    agreements,
    net_promotion_counts,
    *,
    alpha=1.5,
    literal_weight=1.0,
    sampler="gibbs",
    random_state=None,
):
    """Diagnose the Markov chains that estimate a weighted sum.

    The chains are the same as in :func:`~sklearn_dnfwinnow.sums.log_weighted_sum` with
    the same parameters. All chains are then run a second time, from a term of large
    weight.

    Parameters
    ----------
    agreements : array-like of shape (n_updates, n_attributes), bool
        Agreement of each stored example with the query on each feature.

    net_promotion_counts : array-like of shape (n_updates,), int
        Net promotion count of each stored example, of any sign.

    alpha : float, default=1.5
        Promotion factor, greater than 1.

    literal_weight : float, default=1.0
        Initial weight per literal, beta: the initial weight of a term with k literals
        is ``literal_weight ** k``.

    sampler : {'metropolis', 'gibbs', 'metropolized_gibbs'} or Sampler, default='gibbs'
        Markov chain sampler: a name, or an object of :mod:`sklearn_dnfwinnow.samplers`,
        such as ``Gibbs(n_steps=3000)``.

    random_state : int, RandomState instance or None, default=None
        Seed of the chains.

    Returns
    -------
    ChainDiagnostics
        The diagnostics of the chains.

    Raises
    ------
    ValueError
        For the same reasons as in :func:`~sklearn_dnfwinnow.sums.log_weighted_sum`, or
        if the sampler runs no chains.

    Warns
    -----
    ConvergenceWarning
        If the chains are too short for a reliable standard error.

    See Also
    --------
    diagnose_chains : Diagnose the sums of an estimator.
    sample_size : Compute the theoretical number of samples.

    References
    ----------
    .. [1] Q. Tao and S. D. Scott, "An Analysis of MCMC Sampling Methods for Estimating
       Weighted Sums in Winnow", University of Nebraska-Lincoln, 2004.
    .. [2] A. Sokal, "Monte Carlo Methods in Statistical Mechanics: Foundations and New
       Algorithms", in: Functional Integration, Springer, 1997.

    Examples
    --------
    >>> from sklearn_dnfwinnow.diagnostics import diagnose_weighted_sum
    >>> from sklearn_dnfwinnow.samplers import Gibbs
    >>> agreements = [[True, True, False], [True, False, True], [False, True, True]]
    >>> found = diagnose_weighted_sum(
    ...     agreements, [2, -1, 1], sampler=Gibbs(n_steps=3000), random_state=0
    ... )
    >>> len(found.alphas), found.too_short
    (2, False)
    >>> bool((found.acceptance > 0.3).all())
    True
    """
    sampler = _checked(sampler)
    problem, row, _ = problem_of_agreements(agreements, net_promotion_counts)
    seed = check_random_state(random_state).randint(np.iinfo(np.int32).max)
    diagnostics = diagnose_problem(
        engine=sampler.engine().in_full(),
        problem=problem,
        log_alpha=log(alpha),
        log_beta=log(literal_weight),
        random=stream(seed, row=row),
        again=stream(seed, 1, row=row),
    )
    warn_of_short_sums(sampler.name, [diagnostics])
    return diagnostics


def diagnose_chains(estimator, X):
    """Diagnose the Markov chains behind the scores of an estimator.

    The chains are the same as in predictions. All chains are then run a second time,
    from terms of large weight. This takes more than twice as long as
    `decision_function`, so use a few samples only.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, Pipeline that ends with one, or a search for these
        Fitted estimator, with a Markov chain as its `sampler`.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Samples. A category that does not occur in the training data is unspecified.

    Returns
    -------
    diagnostics : ndarray of shape (n_samples, n_classes), object
        ChainDiagnostics of each sum.

    Raises
    ------
    TypeError
        If the estimator does not contain a DNFWinnowClassifier.
    ValueError
        If its `sampler` is not a Markov chain, if it averages several models, or if X
        does not have the features of the training data.

    Warns
    -----
    ConvergenceWarning
        If the chains of any sum are too short. There is one warning per call.

    See Also
    --------
    diagnose_weighted_sum : Diagnose the chains behind one sum.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.diagnostics import diagnose_chains
    >>> from sklearn_dnfwinnow.samplers import Gibbs
    >>> X, y = load_monks(1, subset="train", return_X_y=True)
    >>> gibbs = Gibbs(n_steps=5000, burn_in=500)
    >>> clf = DNFWinnowClassifier(sampler=gibbs, max_iter=2, random_state=0)
    >>> diagnostics = diagnose_chains(clf.fit(X, y), X[:2])
    >>> diagnostics.shape, bool(diagnostics[0, 1].too_short)
    ((2, 2), False)
    """
    steps, classifier = steps_of(estimator)
    sampler = _checked(classifier.sampler)
    model, rows, inverse = classifier._model_and_rows(transform_through(steps, X))
    if len(model.models) > 1:
        raise ValueError(
            f"estimator averages {len(model.models)} models, which have chains of "
            "their own. Pass one of its `estimators_`."
        )
    diagnostics = diagnose_model(model, rows)[inverse]
    warn_of_short_sums(sampler.name, diagnostics.ravel())
    return diagnostics


def _checked(sampler):
    """Return the sampler of a parameter; raise an error if it runs no chains."""
    checked = sampler_of(sampler)
    if not checked.runs_chains:
        raise ValueError(
            f"sampler must be one that runs Markov chains: {names_of_chains()}, or an "
            f"object of such a class; got sampler={sampler!r}."
        )
    return checked
