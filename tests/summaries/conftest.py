"""Fixtures of the tests of summaries, and of the experiments with polynomials."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import importlib
from pathlib import Path

import pytest


@pytest.fixture
def module(monkeypatch):
    """Import a module of the experiments by its name."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    return lambda name: importlib.import_module(f"benchmarks.polynomials.{name}")
