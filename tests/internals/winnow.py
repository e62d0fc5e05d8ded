"""Private names of `winnow` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from contextlib import contextmanager
from unittest.mock import patch

from sklearn_dnfwinnow._winnow import (
    _candidate,
    _classifier,
    _model,
    _training,
)
from sklearn_dnfwinnow._winnow._averaging._shared_encoding import SharedEncoding
from sklearn_dnfwinnow._winnow._blocks import _lane_block, _memory, _progress
from sklearn_dnfwinnow._winnow._blocks._block import checkpoints, learn
from sklearn_dnfwinnow._winnow._blocks._class_block import ClassBlock
from sklearn_dnfwinnow._winnow._blocks._lane_block import Lane, LaneBlock
from sklearn_dnfwinnow._winnow._blocks._progress import Printed, Silent
from sklearn_dnfwinnow._winnow._blocks._repetitions import (
    Repetitions,
    canonical_rows,
    whole_units,
)
from sklearn_dnfwinnow._winnow._candidate import Candidate, UpdateRule
from sklearn_dnfwinnow._winnow._main_effects import _ValueSets
from sklearn_dnfwinnow._winnow._model import Model
from sklearn_dnfwinnow._winnow._monotone import Chain, Directions
from sklearn_dnfwinnow._winnow._net_counts import LARGEST_SUM, check_sum, largest_sum
from sklearn_dnfwinnow._winnow._selection import (
    _candidate_blocks,
    _choice,
    _selection,
    _work,
)
from sklearn_dnfwinnow._winnow._selection._calibration import fit_intercepts, fit_scales
from sklearn_dnfwinnow._winnow._selection._folds import FoldedTable, assign_folds
from sklearn_dnfwinnow._winnow._selection._selection import Selection
from sklearn_dnfwinnow._winnow._settings import CONSTRAINTS, EFFECTIVE_WITH
from sklearn_dnfwinnow._winnow._stores import _implicit_weights, _term_table
from sklearn_dnfwinnow._winnow._stores._class_state import ClassState, union
from sklearn_dnfwinnow._winnow._stores._implicit_weights import _Ask
from sklearn_dnfwinnow._winnow._stores._row_tables import log_sums
from sklearn_dnfwinnow._winnow._stores._term_table import TermTable
from sklearn_dnfwinnow._winnow._stores._update_budget import merged
from sklearn_dnfwinnow._winnow._sums import _summation, _term_sums
from sklearn_dnfwinnow._winnow._sums._summation import Summation
from sklearn_dnfwinnow._winnow._sums._term_sums import Cache, TermSums


@contextmanager
def given_candidates(*candidates):
    """Let internal cross-validation select among other candidates, for any table."""
    with (
        patch.object(_candidate, "AUTO_CANDIDATES", candidates),
        patch.object(_candidate, "_which_screened", lambda *_: (False, True)),
    ):
        yield


@contextmanager
def additive_start():
    """Let training without internal cross-validation start from main effects."""
    set_values = _candidate._set_values
    with patch.object(
        _candidate,
        "_set_values",
        lambda estimator: {**set_values(estimator), "main_effects": True},
    ):
        yield
