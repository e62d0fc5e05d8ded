"""Private names of `winnow` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from contextlib import contextmanager
from types import SimpleNamespace
from unittest.mock import patch

from sklearn_dnfwinnow._utils import _progress
from sklearn_dnfwinnow._utils._progress import Progress
from sklearn_dnfwinnow._winnow import (
    _class_block,
    _classifier,
    _lane_block,
    _selection,
    _training,
)
from sklearn_dnfwinnow._winnow import _folds as _candidate_blocks
from sklearn_dnfwinnow._winnow import _selection as _choice
from sklearn_dnfwinnow._winnow import _settings as _candidate
from sklearn_dnfwinnow._winnow import _stores as _term_table
from sklearn_dnfwinnow._winnow._class_block import ClassBlock, checkpoints
from sklearn_dnfwinnow._winnow._folds import FoldedTable, assign_folds
from sklearn_dnfwinnow._winnow._lane_block import Lane, LaneBlock
from sklearn_dnfwinnow._winnow._model import StoredExamples
from sklearn_dnfwinnow._winnow._monotone import Allowed
from sklearn_dnfwinnow._winnow._repetitions import Repetitions
from sklearn_dnfwinnow._winnow._selection import Selection, fit_scales
from sklearn_dnfwinnow._winnow._settings import Candidate, UpdateRule
from sklearn_dnfwinnow._winnow._stores import TermTable
from sklearn_dnfwinnow._winnow._sums import Summation
from sklearn_dnfwinnow._winnow._sums import log_sums as sums_by_tables


@contextmanager
def given_candidates(*candidates):
    """Let internal cross-validation select among other candidates, for any table."""
    with (
        patch.object(_candidate, "AUTO_CANDIDATES", candidates),
        patch.object(
            _candidate, "_which_kinds", lambda *_: ("all", "smooth", "chosen")
        ),
    ):
        yield


def log_sums(examples, net_counts, codes, log_alpha, log_beta, max_term_size=None):
    """The weighted sums of some rows in all classes, by tables of their terms."""
    weighting = SimpleNamespace(
        log_alpha=log_alpha, log_beta=log_beta, max_term_size=max_term_size
    )
    return sums_by_tables(weighting, examples, net_counts, codes)
