"""Row bases: chains of coordinates have the law of those of sums."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from bayes_problems import make_problem
from internals.bayes import in_row_basis


def both(**options):
    """Return a problem with more groups than rows, and the same over a basis."""
    problem = make_problem(
        family="normal", max_order=3, n_rows=4, n_values=3, **options
    )
    basis = in_row_basis(problem)
    return problem, basis


def standard_normal_second_moments(white):
    """Return the second moments of vectors in standard errors, if they are white."""
    gap = white.T @ white / len(white) - np.eye(white.shape[1])
    return np.abs(gap).max() / np.sqrt(2 / len(white))


@pytest.mark.parametrize("wrong", [1.0, 1.2])
def test_sums_given_coordinates_have_their_prior(wrong, global_random_seed):
    problem, basis = both(n_classes=3)
    generator = np.random.default_rng(global_random_seed)
    n_draws, n_groups = 4000, problem.groups.n_groups
    log_sigma = generator.normal(size=(n_draws, len(basis.prior.scales)))
    widths = basis.prior.widths(log_sigma, basis.groups.counts)
    coordinates = generator.standard_normal((*widths.shape, 3)) * widths[..., None]
    sums = basis.groups.draw_sums(
        problem=problem,
        coordinates=coordinates,
        log_sigma=log_sigma + np.log(wrong),
        generator=generator,
    )
    assert sums.dtype == np.float32
    for own, of_coordinates in zip(sums[:100], coordinates):
        np.testing.assert_allclose(
            problem.to_rows(own), basis.to_rows(of_coordinates), atol=1e-4
        )
    white = sums / basis.prior.widths(log_sigma, problem.groups.counts)[..., None]
    white = white.transpose(0, 2, 1).reshape(-1, n_groups)
    assert (standard_normal_second_moments(white) < 5.5) == (wrong == 1.0)
