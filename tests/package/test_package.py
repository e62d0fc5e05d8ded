"""The demo, and the version of the package."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from pathlib import Path

import numpy as np
import pytest

from sklearn_dnfwinnow import __main__ as demo
from sklearn_dnfwinnow.datasets import load_house_votes_84
from sklearn_dnfwinnow.samplers import SAMPLERS

ROOT = Path(__file__).parents[2]


def test_demo_begins_with_the_defaults(monkeypatch, capsys):
    loaders = {"tic-tac-toe": demo.LOADERS["tic-tac-toe"]}
    monkeypatch.setattr(demo, "LOADERS", loaders)
    monkeypatch.setattr(demo.FOLDS, "n_splits", 2)
    monkeypatch.setattr(demo, "compare_samplers", lambda: print("samplers"))
    demo.main([])
    out = capsys.readouterr().out
    accuracy, confidence = re.search(
        r"^tic-tac-toe +958 x 9 +2 +([\d.]+) +([\d.]+) +[\d.]+$", out, re.MULTILINE
    ).groups()
    assert float(accuracy) > 97 and 90 < float(confidence) <= 100
    rules = re.search(r"Rules for class 'positive'.*\n\n((?:.+\n)+)", out)[1]
    # Each rule has a comment: its held-out precision, and its rows.
    assert len(re.findall(r" or +#", rules)) == 7 and rules.count(" = x") == 24
    assert out.index("Rules for") < out.index("explained") < out.index("samplers")
    assert "in\nview" in out


def test_demo_ends_quietly_when_it_is_interrupted(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "main", interrupted)
    monkeypatch.setattr(demo.sys.stdout, "reconfigure", lambda **_: None, raising=False)
    with pytest.raises(SystemExit) as ended:
        demo.run()
    assert ended.value.code == 130
    assert capsys.readouterr().out == "\n"


@pytest.mark.slow
def test_demo_compares_samplers(monkeypatch, capsys):
    votes = load_house_votes_84(as_frame=False)
    few = np.random.RandomState(0).permutation(len(votes.target))[:60]
    votes.update(data=votes.data[few], target=votes.target[few])
    monkeypatch.setattr(demo, "load_house_votes_84", lambda as_frame: votes)
    monkeypatch.setattr(demo, "MAX_ITER", 1)
    demo.main(["--samplers"])
    out = capsys.readouterr().out
    for sampler, cls in SAMPLERS.items():
        rows = re.findall(
            rf"^{sampler}\b.* (\d+\.\d) \+- \d+\.\d +[\d.]+ +([\d,]+) +(-|\d folds)$",
            out,
            re.MULTILINE,
        )
        assert len(rows) == (2 if cls.runs_chains else 1)
        for error, chains, short in rows:
            assert float(error) < 50
            assert (chains == "0") == (short == "-") == (not cls.runs_chains)
    assert "3-fold" in out and "max_iter=1" in out and "ladder_scale='range'" in out
    assert "Rules" not in out
