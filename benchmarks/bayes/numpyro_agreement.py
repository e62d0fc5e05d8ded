"""Our samplers beside the no-U-turn sampler of numpyro, on the rows of monks-1.

``python -m benchmarks.bayes.numpyro_agreement`` runs chains for the same compressed
model: sums of groups, and widths of orders. Those of numpyro draw sums in units of
their widths. For each prior it prints

- effective samples of the log width that mixes worst, a second of processor time, with
  and without warm-up or burn-in. There is one thread: chains of ``hmc`` move together,
  others follow one another. The time that numpyro takes to compile, at each run and
  more at the first, is that of runs of one draw: it is printed, and does not count;
- posterior means of log widths, with Monte Carlo standard errors, and the gaps between
  two samplers in units of them (z), the largest too of probabilities of new rows.

It takes numpyro, and float64 throughout.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import json
import os
from itertools import combinations
from time import process_time

import numpy as np

from benchmarks.bayes.chains import run_chains
from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow._bayes._chains import Draws
from sklearn_dnfwinnow._bayes._prediction import Prediction
from sklearn_dnfwinnow._bayes._prior import HYPERPRIORS, Prior
from sklearn_dnfwinnow._bayes._problem import Problem, group_interactions
from sklearn_dnfwinnow._utils._draws import effective_sample_size, r_hat
from sklearn_dnfwinnow.datasets import load_monks

_HALF_T_FREEDOM = 3


def monks(prior, hyperprior, max_order):
    """Return the problem of the training rows, and rows that are not among them."""
    X, y = load_monks(1, subset="train", return_X_y=True, as_frame=False)
    X_all, _ = load_monks(1, subset="test", return_X_y=True, as_frame=False)
    values = [np.unique(column) for column in X_all.T]

    def codes(table):
        columns = [np.searchsorted(v, c) + 1 for v, c in zip(values, table.T)]
        return np.column_stack(columns).astype(np.int32)

    rows, inverse = np.unique(codes(X), axis=0, return_inverse=True)
    weights = np.zeros((len(rows), 2))
    labels = np.unique(y, return_inverse=True)[1]
    np.add.at(weights, (inverse.ravel(), labels), 1.0)
    known = {tuple(row) for row in rows.tolist()}
    new = np.array([row for row in codes(X_all) if tuple(row.tolist()) not in known])
    estimator = BayesianInteractionClassifier(
        prior=prior, hyperprior=hyperprior, max_order=max_order
    )
    groups = group_interactions(estimator, rows, 1)
    problem = Problem(groups, weights, Prior.of(estimator, rows.shape[1], max_order))
    return problem, new


def by_ours(problem, sampler, lengths, options):
    """Return draws, and seconds of burn-in and of draws of chains, by our samplers."""
    burn_in, n_draws = lengths
    started = process_time()
    draws = run_chains(
        problem,
        sampler=sampler,
        n_chains=options.chains,
        burn_in=burn_in,
        n_draws=n_draws,
        thin=1,
        seed=options.seed,
        n_jobs=1,
    )
    a_sweep = (process_time() - started) / (burn_in + n_draws)
    return draws, np.array([[burn_in * a_sweep, n_draws * a_sweep]])


def by_numpyro(problem, lengths, options):
    """Return draws, and seconds of warm-up and of draws of chains, by NUTS."""
    import jax.numpy as jnp
    import numpyro
    from numpyro import distributions as laws
    from numpyro.infer import MCMC, NUTS

    numpyro.enable_x64()
    groups, prior = problem.groups, problem.prior
    z = np.zeros((len(groups.rows), groups.n_groups))
    z[groups.members, np.repeat(np.arange(groups.n_groups), groups.sizes)] = 1.0
    z, counts = jnp.asarray(z), jnp.asarray(groups.counts)
    ones, totals = problem.weights_of_sets[:, 0], problem.totals
    log_scales = np.log(prior.scales)
    own = laws.Normal(0, 1) if prior.family == "normal" else laws.Cauchy(0, 1)

    def log_density(relative):
        if prior.hyperprior == "half_t":
            nu = _HALF_T_FREEDOM
            tail = jnp.logaddexp(0.0, 2 * relative - np.log(nu))
            return relative - (nu + 1) / 2 * tail
        if prior.hyperprior == "half_cauchy":
            return relative - jnp.logaddexp(0.0, 2 * relative)
        if prior.hyperprior == "log_normal":
            return -0.5 * (relative / (np.log(10) / 2)) ** 2
        return -relative - 2 * jnp.exp(-relative)

    def model():
        flat = laws.ImproperUniform(laws.constraints.real, (), (len(log_scales) - 1,))
        relative = numpyro.sample("relative", flat)
        numpyro.factor("hyperprior", log_density(relative).sum())
        log_sigma = jnp.append(log_scales[0], log_scales[1:] + relative)
        widths = (counts @ jnp.exp(prior.power * log_sigma)) ** (1 / prior.power)
        sums = widths * numpyro.sample("own", own.expand([groups.n_groups]).to_event(1))
        numpyro.deterministic("sums", sums)
        numpyro.deterministic("log_sigma", log_sigma)
        predictor = z @ sums
        log_likelihood = ones @ predictor - totals @ jnp.logaddexp(0.0, predictor)
        numpyro.factor("classes", log_likelihood)
        numpyro.deterministic("log_likelihood", log_likelihood)

    warm_up, n_draws = lengths
    quiet = {"progress_bar": False}
    short = MCMC(NUTS(model), num_warmup=1, num_samples=1, **quiet)
    compiling = [run_nuts(short, options.seed)[1] for _ in range(2)]
    mcmc = MCMC(NUTS(model), num_warmup=warm_up, num_samples=n_draws, **quiet)
    chains, seconds, steps = [], [], []
    for chain in range(options.chains):
        found, taken = run_nuts(mcmc, options.seed + chain)
        seconds.append(np.maximum(taken - compiling[min(chain, 1)], 1e-3))
        steps.append(np.mean(mcmc.get_extra_fields()["num_steps"]))
        chains.append(
            Draws(
                sums=found["sums"][..., None].astype(np.float32),
                log_sigma=found["log_sigma"],
                log_likelihood=found["log_likelihood"],
            )
        )
    of_compiling = [round(float(taken.sum()), 2) for taken in compiling]
    print(json.dumps({"seconds_of_compiling": of_compiling}))
    print(json.dumps({"nuts_steps_a_draw": round(float(np.mean(steps)), 1)}))
    return Draws.stack(chains), np.array(seconds)


def run_nuts(mcmc, seed):
    """Return the draws of a chain, by name, and seconds of warm-up and of draws."""
    import jax

    mcmc.post_warmup_state = None
    started = process_time()
    mcmc.warmup(jax.random.PRNGKey(seed))
    jax.block_until_ready(mcmc.post_warmup_state)
    warm = process_time()
    mcmc.run(mcmc.post_warmup_state.rng_key, extra_fields=("num_steps",))
    found = {name: np.asarray(values) for name, values in mcmc.get_samples().items()}
    return found, np.array([warm - started, process_time() - warm])


def summary(problem, draws, new, seed):
    """Return means and Monte Carlo errors of log widths, and of new probabilities."""
    prediction = Prediction(problem.groups, problem.prior, draws, seed)
    probabilities = prediction.sample_probabilities(new)[:, :, 1]
    shape = *draws.log_likelihood.shape, len(new)
    found = {}
    for name, values in (
        ("log_sigma", draws.log_sigma[..., 1:]),
        ("probability", probabilities.reshape(shape)),
    ):
        ess = effective_sample_size(values)
        found[name] = values.mean(axis=(0, 1)), values.std(axis=(0, 1)) / np.sqrt(ess)
    return found


def compare(prior, options):
    """Print figures of all samplers for one prior."""
    problem, new = monks(prior, options.hyperprior, options.max_order)
    head = {
        "prior": prior,
        "hyperprior": options.hyperprior,
        "groups": problem.groups.n_groups,
        "rows": len(problem.groups.rows),
    }
    print(json.dumps(head), flush=True)
    summaries, rates = {}, {}
    for name in options.samplers:
        lengths = getattr(options, name)
        if name == "nuts":
            found = by_numpyro(problem, lengths, options)
        else:
            found = by_ours(problem, name, lengths, options)
        draws, seconds = found
        before, after = seconds.sum(axis=0)
        worst = float(effective_sample_size(draws.log_sigma[..., 1:]).min())
        rates[name] = worst / (before + after), worst / after
        record = {
            "prior": prior,
            "sampler": name,
            "chains": options.chains,
            "burn_in": lengths[0],
            "draws": lengths[1],
            "seconds": round(before + after, 2),
            "r_hat": round(float(r_hat(draws.log_sigma[..., 1:]).max()), 3),
            "worst_ess": round(worst, 1),
            "ess_a_second": round(rates[name][0], 2),
            "ess_a_second_after_burn_in": round(rates[name][1], 2),
        }
        summaries[name] = summary(problem, draws, new[:: options.every], options.seed)
        means, errors = summaries[name]["log_sigma"]
        record["log_sigma"] = means.round(3).tolist()
        record["errors"] = errors.round(3).tolist()
        print(json.dumps(record), flush=True)
    for one, other in combinations(options.samplers, 2):
        record = {"prior": prior, "pair": [one, other]}
        for of in ("log_sigma", "probability"):
            means, errors = zip(summaries[one][of], summaries[other][of])
            gap = means[0] - means[1]
            z = gap / np.hypot(*errors)
            record[of] = {
                "largest_z": round(float(np.abs(z).max()), 2),
                "mean_z_squared": round(float((z**2).mean()), 2),
                "largest_gap": round(float(np.abs(gap).max()), 4),
            }
        record["ess_a_second_ratio"] = [
            round(float(a / b), 1) for a, b in zip(rates[one], rates[other])
        ]
        print(json.dumps(record), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--priors", nargs="+", default=["cauchy", "normal"])
    parser.add_argument("--hyperprior", choices=HYPERPRIORS, default="half_t")
    parser.add_argument("--max-order", type=int, default=6)
    names = ["hmc", "gibbs", "slice", "nuts"]
    parser.add_argument("--samplers", nargs="+", default=names)
    parser.add_argument("--chains", type=int, default=4)
    # Burn-in or warm-up, and draws.
    parser.add_argument("--hmc", type=int, nargs=2, default=[200, 2000])
    parser.add_argument("--gibbs", type=int, nargs=2, default=[500, 4000])
    parser.add_argument("--slice", type=int, nargs=2, default=[500, 4000])
    parser.add_argument("--nuts", type=int, nargs=2, default=[300, 500])
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for prior in options.priors:
        compare(prior, options)


if __name__ == "__main__":
    # Read when jax and BLAS are first imported or used.
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    main()
