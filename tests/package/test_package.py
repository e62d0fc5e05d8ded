"""The demo, and the version of the package."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from pathlib import Path

from sklearn_dnfwinnow import __main__ as demo
from sklearn_dnfwinnow.samplers import SAMPLERS

ROOT = Path(__file__).parents[2]


def test_demo_shows_a_real_table(monkeypatch, capsys):
    X, y = demo.load_breast_cancer(return_X_y=True, as_frame=True)
    few = X.columns[[7, 23, 21, 28]]
    monkeypatch.setattr(demo, "load_breast_cancer", lambda **_: (X[few], y))
    demo.show_table()
    out = capsys.readouterr().out
    losses = re.findall(r"^\w+Classifier +(0\.\d+) +\d+ +[\d.]+$", out, re.MULTILINE)
    assert len(losses) == 3 and max(map(float, losses)) < 0.5
    assert "class: malignant  # held out: precision" in out
    explained = re.search(r"row 0: predicted(.*)\n\n\nThe rules in SQL", out, re.S)
    assert "malignant: " in explained[1]
    assert re.search(r"^CASE WHEN\n    \(`\w+ .*` > ", out, re.MULTILINE)


def test_demo_compares_samplers(monkeypatch, capsys):
    X, y = demo.load_tic_tac_toe(return_X_y=True, as_frame=True)
    monkeypatch.setattr(demo, "load_tic_tac_toe", lambda **_: (X[::8], y[::8]))
    monkeypatch.setattr(demo, "N_STEPS", 100)
    demo.show_samplers()
    out = capsys.readouterr().out
    exact = float(re.search(r"^exact +([\d.]+) exact", out, re.MULTILINE)[1])
    for sampler, cls in SAMPLERS.items():
        sums = re.findall(
            rf"^{sampler}(?:, tempering)? +([\d.]+) (exact|\+- \S+) +([\d.]+) +\S+$",
            out,
            re.MULTILINE,
        )
        assert len(sums) == (2 if cls.runs_chains else 1)
        for value, error, accuracy in sums:
            assert (error == "exact") == (not cls.runs_chains)
            assert float(accuracy) > 50 and abs(float(value) - exact) < 1
