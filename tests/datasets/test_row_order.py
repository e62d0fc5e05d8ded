"""Row order: which bundled sets are sorted, as their descriptions say."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest

from sklearn_dnfwinnow import datasets

LOADERS = [name for name in datasets.__all__ if name.startswith("load_")]
SORTED_BY_CLASS = {"load_breast_cancer_ljubljana", "load_tic_tac_toe"}
# By the values of this column.
SORTED_BY_COLUMN = {"load_auto": 1, "load_car": 0}


def n_runs(values):
    return 1 + np.count_nonzero(values[1:] != values[:-1])


@pytest.mark.parametrize("name", LOADERS)
def test_descriptions_say_how_rows_are_sorted(name):
    loader = getattr(datasets, name)
    bunch = loader(as_frame=False)
    by_class = n_runs(bunch.target) == len(bunch.target_names)
    assert by_class == (name in SORTED_BY_CLASS)
    if name in SORTED_BY_COLUMN:
        column = bunch.data[:, SORTED_BY_COLUMN[name]]
        assert n_runs(column) == len(set(column))
    for text in (":Order:" in bunch.DESCR, "shuffle=True" in loader.__doc__):
        assert text == (name in {*SORTED_BY_CLASS, *SORTED_BY_COLUMN})
