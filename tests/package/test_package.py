"""The package as a stranger meets it: README, main job, version."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import contextlib
import importlib
import io
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

import sklearn_dnfwinnow
from sklearn_dnfwinnow import __main__ as main_job
from sklearn_dnfwinnow.datasets import load_house_votes_84
from sklearn_dnfwinnow.samplers import SAMPLERS

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "sklearn_dnfwinnow").rglob("*.py"))


def test_readme_example_says_what_it_prints():
    text = (ROOT / "README.rst").read_text()
    block = re.search(r"code-block:: python\n\n((?:    .*\n|\n)+)", text)[1]
    code = "\n".join(line[4:] for line in block.splitlines())
    promised = re.search(r"predict\(games\)\)\s+# (.*)", code)[1]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})
    assert out.getvalue().splitlines()[0] == promised


@pytest.mark.slow
def test_main_job(monkeypatch, capsys):
    votes = load_house_votes_84(as_frame=False)
    few = np.random.RandomState(0).permutation(len(votes.target))[:60]
    votes.update(data=votes.data[few], target=votes.target[few])
    monkeypatch.setattr(main_job, "load_house_votes_84", lambda as_frame: votes)
    monkeypatch.setattr(main_job, "MAX_ITER", 1)
    main_job.main()
    out, progress = capsys.readouterr()
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
    assert "5-fold" in out and "max_iter=1" in out and "ladder_scale='range'" in out
    assert "55/55" in progress


def test_version_stands_in_one_file():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" not in settings["project"]
    attribute = settings["tool"]["setuptools"]["dynamic"]["version"]["attr"]
    module, _, name = attribute.rpartition(".")
    version = getattr(importlib.import_module(module), name)
    assert version == sklearn_dnfwinnow.__version__
    holders = [path for path in SOURCES if f'"{version}"' in path.read_text()]
    assert [path.stem for path in holders] == [module.rpartition(".")[2]]
