"""The release: versions, changelog, citation, recipe, licences and extras."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
import tomllib
from pathlib import Path

import pytest

import sklearn_dnfwinnow

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def text_of(*parts):
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


def test_versions_agree():
    citation = yaml.safe_load(text_of("CITATION.cff"))
    recipe = yaml.safe_load(text_of("conda", "recipe.yaml"))
    # Between releases, the version of the package is a later one.
    version = sklearn_dnfwinnow.__version__
    assert citation["version"] == recipe["context"]["version"]
    assert version == citation["version"] or ".dev" in version


def test_the_recipe_needs_what_the_package_needs():
    recipe = yaml.safe_load(text_of("conda", "recipe.yaml"))
    needs = {
        kind: {need.lower().replace(" ", "") for need in recipe["requirements"][kind]}
        for kind in ("host", "run")
    }
    assert needs["run"] == {"python", *SETTINGS["project"]["dependencies"]}
    building = map(str.lower, SETTINGS["build-system"]["requires"])
    assert needs["host"] == {"python", "pip", *building}
    assert recipe["about"]["license"] == SETTINGS["project"]["license"]
    assert recipe["about"]["license_file"] == SETTINGS["project"]["license-files"]


def test_addresses_agree():
    about = yaml.safe_load(text_of("conda", "recipe.yaml"))["about"]
    citation = yaml.safe_load(text_of("CITATION.cff"))
    addresses = {about["homepage"], about["documentation"], citation["url"]}
    (address,) = addresses | {*SETTINGS["project"]["urls"].values()}
    html = sklearn_dnfwinnow.DNFWinnowClassifier()._repr_html_()
    assert f'href="{address}/api/' in html


def test_each_data_set_has_its_licence_in_the_wheel():
    data = sorted((ROOT / "sklearn_dnfwinnow" / "datasets" / "data").iterdir())
    described = {path.stem for path in data if path.suffix == ".rst"}
    sets = {path.name.split(".")[0] for path in data} - {"columns"}
    assert described == sets
    licensed = {
        path
        for kind in SETTINGS["project"]["license-files"]
        for path in ROOT.glob(kind)
    }
    assert licensed == {ROOT / "LICENSE"} | {
        path for path in data if ".rst" in path.name
    }


def test_extras_that_are_named_exist():
    extras = set(SETTINGS["project"]["optional-dependencies"])
    pages = ROOT / "README.rst", *(ROOT / "doc").glob("*.rst")
    named = {
        extra
        for path in pages
        for names in re.findall(r'"\.\[([a-z,]+)\]"', path.read_text("utf-8"))
        for extra in names.split(",")
    }
    assert named == extras
