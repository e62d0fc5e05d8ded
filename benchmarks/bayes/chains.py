"""Chains of a given length, for what is known of their posterior."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._bayes._chains import Chains


def run_chains(
    problem,
    *,
    sampler,
    n_chains,
    burn_in,
    n_draws,
    thin,
    seed,
    n_jobs=None,
    progress=None,
):
    """Return the draws of chains of a problem.

    Each chain makes ``burn_in + n_draws * thin`` sweeps, and keeps every `thin`-th one
    after the burn-in. The other parameters are those of `Chains`.

    Returns
    -------
    draws : Draws
        The first axis are the chains.
    """
    chains = Chains(
        problem,
        sampler=sampler,
        n_chains=n_chains,
        capacity=n_draws,
        step=thin,
        seed=seed,
        n_jobs=n_jobs,
        progress=progress,
    )
    chains.warm_up(burn_in)
    chains.record(n_draws * thin)
    return chains.draws()
