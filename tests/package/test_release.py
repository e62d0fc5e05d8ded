"""The release: versions, changelog, citation, recipe, workflows and their scripts."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import datetime
import os
import re
import tomllib
from pathlib import Path

import pytest

import sklearn_dnfwinnow

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
# Commands of workflows that install what a script needs.
PREPARATIONS = ["sudo apt-get update && sudo apt-get install -y valgrind"]
in_a_checkout = pytest.mark.skipif(
    not WORKFLOWS, reason="source distributions have no workflows"
)


def text_of(*parts):
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


def headings(text, mark):
    return re.findall(rf"^(.+)\n{re.escape(mark)}{{3,}}$", text, re.MULTILINE)


def released():
    """The versions of the changelog with their dates, the newest first."""
    unreleased, *sections = headings(text_of("CHANGELOG.rst"), "-")
    assert unreleased == "Unreleased"
    return [tuple(section.split(" - ")) for section in sections]


def workflows():
    return {path.name: yaml.safe_load(path.read_text("utf-8")) for path in WORKFLOWS}


def jobs():
    return [
        job for workflow in workflows().values() for job in workflow["jobs"].values()
    ]


def commands_of(job):
    """The commands of a job, one for each entry of its matrix that has one."""
    matrix = job.get("strategy", {}).get("matrix", {})
    several = [entry["command"] for entry in matrix.get("include", [])]
    several += matrix.get("command", [])
    for step in job["steps"]:
        if (command := step.get("run")) == "${{ matrix.command }}":
            yield from several
        elif command is not None:
            yield command


def scripts():
    """The scripts of `.ci/`, by name."""
    return {
        path.name
        for path in (ROOT / ".ci").iterdir()
        if path.is_file() and path.read_bytes().startswith(b"#!")
    }


def test_versions_agree():
    newest, date = released()[0]
    citation = yaml.safe_load(text_of("CITATION.cff"))
    recipe = yaml.safe_load(text_of("conda", "recipe.yaml"))
    # Between releases, the version of the package is a later one.
    version = sklearn_dnfwinnow.__version__
    assert version == newest or ".dev" in version
    assert newest == citation["version"] == recipe["context"]["version"]
    assert date == citation["date-released"]


def test_the_changelog_has_the_sections_of_keep_a_changelog():
    text = text_of("CHANGELOG.rst")
    dates = [datetime.date.fromisoformat(date) for _, date in released()]
    assert dates == sorted(dates, reverse=True)
    versions = [tuple(map(int, version.split("."))) for version, _ in released()]
    assert versions == sorted(versions, reverse=True)
    for section in re.split(r"^.+\n-{3,}$", text, flags=re.MULTILINE)[2:]:
        kinds = headings(section, "~")
        assert kinds == [kind for kind in KINDS if kind in kinds] != []
        for entries in re.split(r"^.+\n~{3,}$", section, flags=re.MULTILINE)[1:]:
            assert re.search(r"^- ", entries, re.MULTILINE)


def test_the_page_of_news_is_the_changelog_without_its_title():
    page = text_of("doc", "whats_new.rst")
    assert page.endswith(".. include:: ../CHANGELOG.rst\n   :start-line: 3\n")
    assert text_of("CHANGELOG.rst").splitlines()[:3] == ["Changelog", "=" * 9, ""]


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


@in_a_checkout
def test_workflows_run_scripts_that_exist():
    commands = {command for job in jobs() for command in commands_of(job)}
    run = set()
    for command in commands - {*PREPARATIONS}:
        folder, name = re.match(r"(\.ci)/(\w+)(?= |$)", command).groups()
        assert name in scripts(), command
        assert os.access(ROOT / folder / name, os.X_OK) or os.name == "nt"
        run.add(name)
    # `run` is the test command of the README, `try_wheel` is part of `build`, and
    # `style` of `lint`.
    assert scripts() - run <= {"run", "style", "try_wheel"}


@in_a_checkout
def test_workflows_have_pinned_actions_and_few_rights():
    for path in WORKFLOWS:
        text = path.read_text(encoding="utf-8")
        uses = re.findall(r"uses: (.*)", text)
        assert uses
        for action in uses:
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)
        assert yaml.safe_load(text)["permissions"] == {"contents": "read"}
    for job in jobs():
        assert "permissions" not in job
        assert job["timeout-minutes"] <= 360
        checkout = job["steps"][0]
        assert checkout["uses"].startswith("actions/checkout@")
        assert checkout["with"]["persist-credentials"] is False


@in_a_checkout
def test_every_push_is_tested_on_three_systems_and_all_pythons():
    workflow = workflows()["ci.yml"]
    # YAML 1.1 reads `on` as True.
    assert workflow[True] == ["push", "pull_request"]
    tests = workflow["jobs"]["tests"]
    assert tests["needs"] == ["lint", "quick"]
    systems = {name.split("-")[0] for name in tests["strategy"]["matrix"]["os"]}
    assert systems == {"ubuntu", "macos", "windows"}
    promised = re.findall(
        r"Python :: (3\.\d+)", "\n".join(SETTINGS["project"]["classifiers"])
    )
    assert tests["strategy"]["matrix"]["python"] == promised
    assert SETTINGS["project"]["requires-python"] == f">={promised[0]}"


def test_linters_have_one_version():
    pinned = dict(
        line.split("==") for line in text_of(".ci", "lint.txt").split("\n")[1:-1]
    )
    hooks = yaml.safe_load(text_of(".pre-commit-config.yaml"))["repos"]
    for hook in hooks:
        name = hook["repo"].rpartition("/")[2].removesuffix("-pre-commit")
        assert hook["rev"] == f"v{pinned[name]}"


@in_a_checkout
def test_forms_of_issues_are_complete():
    forms = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    assert {path.stem for path in forms} == {
        "bug",
        "config",
        "documentation",
        "feature",
    }
    for path in forms:
        form = yaml.safe_load(path.read_text("utf-8"))
        if path.stem != "config":
            assert form["name"] and form["description"]
            names = [part["id"] for part in form["body"] if part["type"] != "markdown"]
            assert len(names) == len(set(names)) > 0


def test_pages_of_the_root_lead_to_the_documentation():
    for name in ("CONTRIBUTING", "SECURITY"):
        page = f"doc/{name.lower()}.rst"
        assert f"``{page}``" in text_of(f"{name}.rst") and (ROOT / page).is_file()


def test_the_paper_cites_its_references():
    text = text_of("doc", "paper", "paper.md")
    entries = re.findall(r"^@\w+\{(\w+),", text_of("doc", "paper", "paper.bib"), re.M)
    assert sorted(entries) == sorted(set(re.findall(r"@(\w+)", text)))
    # A page: JOSS asks for 250 to 1000 words.
    assert 250 < len(text.split("---", 2)[2].split()) < 1000
    for part in ("Summary", "Statement of need", "Functionality", "References"):
        assert f"\n# {part}\n" in text
