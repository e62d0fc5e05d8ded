"""Changed files of all kinds of models are refused, or are estimators that work."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import subprocess
import sys
from collections import Counter
from pathlib import Path

import mutations
import pytest


@pytest.mark.slow_beyond(3)
@pytest.mark.parametrize("name", mutations.NAMES)
def test_mutations_are_refused_or_work(name):
    text, X = mutations.stored_models()[name]
    assert "write" in mutations.outcome(text, X)
    counts = Counter()
    for number in range(30):
        counts.update(mutations.outcome_of(name, number))
    assert counts["refused"] > 9 and counts["accepted"] > 0
    assert counts["write"] == counts["accepted"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
def test_mutations_are_refused_or_work_within_the_memory():
    run = [sys.executable, "-m", "mutations", "260", "1000"]
    tests = Path(mutations.__file__).parent
    found = subprocess.run(run, cwd=tests, capture_output=True, text=True, timeout=600)
    assert found.returncode == 0, found.stdout + found.stderr
    assert found.stdout.startswith("260 mutations: {")
