"""Methods by name, each with its sizes: a function makes a learner for one.

Learners have `fit`, `predict`, and after it `lengths_`: the number of literals of each
rule, None for a model that has no size. `target` is the class of the rules, None for
all classes.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from importlib import import_module, metadata
from typing import Any

from benchmarks.rules.ours import Formula, Model, RuleSets
from benchmarks.rules.ripper import Ripper
from benchmarks.rules.tasks import KINDS
from benchmarks.rules.trees import BoostedRules, Figs, OptimalTree, PrunedTree

# The size that a method chooses by itself.
DEFAULT = "default"


@dataclass(frozen=True)
class Method:
    """What makes a learner, of which sizes, for which tasks, and its module."""

    make: Any
    sizes: tuple
    module: str
    kinds: tuple = KINDS

    def learner(self, size, target, seed):
        """Return a learner that is not fitted."""
        return self.make(None if size == DEFAULT else size, target, seed)

    def version(self):
        """Import the module; return its name and version, None if it is not there."""
        try:
            module = import_module(self.module)
        except ModuleNotFoundError:
            return None
        number = getattr(module, "__version__", None)
        return f"{self.module} {number or metadata.version(self.module)}"


METHODS = {
    "tree": Method(
        make=lambda size, target, seed: PrunedTree(size, seed),
        sizes=(2, 4, 8, 16, 32, 64, DEFAULT),
        module="sklearn",
    ),
    "optimal tree": Method(
        make=lambda size, target, seed: OptimalTree(size, seed),
        sizes=(1, 2, 3, DEFAULT),
        module="pystreed",
    ),
    "FIGS": Method(
        make=lambda size, target, seed: Figs(size or 12),
        sizes=(2, 4, 8, DEFAULT, 24),
        module="imodels",
    ),
    "boosted rules": Method(
        make=lambda size, target, seed: BoostedRules(size or 15, seed),
        sizes=(5, DEFAULT, 60),
        module="imodels",
    ),
    "RIPPER": Method(
        make=lambda size, target, seed: Ripper(size, target, seed),
        sizes=(1, 2, 4, DEFAULT),
        module="wittgenstein",
    ),
    "model": Method(
        make=lambda size, target, seed: Model(),
        sizes=(DEFAULT,),
        module="sklearn_dnfwinnow",
    ),
    "to_dnf": Method(
        make=lambda size, target, seed: Formula(target),
        sizes=(DEFAULT,),
        module="sklearn_dnfwinnow",
        kinds=("one",),
    ),
    "DNFClassifier": Method(
        make=lambda size, target, seed: RuleSets(target),
        sizes=(DEFAULT,),
        module="sklearn_dnfwinnow",
    ),
}
