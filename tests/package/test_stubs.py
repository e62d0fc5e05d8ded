r"""Stubs: they name what is public, and its parameters, attributes and defaults.

Where mypy is installed, it looks at the types themselves:

    python -m mypy.stubtest sklearn_dnfwinnow --mypy-config-file pyproject.toml \
        --allowlist .ci/stubtest.txt
    python -m mypy --strict tests/typed_use.py
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import ast
import dataclasses
import importlib
import inspect
import re
from importlib.resources import files

import pytest
from internals.inspection import LazyMethod

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.samplers import SAMPLERS
from sklearn_dnfwinnow.sums import log_weighted_sum

PACKAGE = "sklearn_dnfwinnow"
MODULES = [
    PACKAGE,
    *(
        f"{PACKAGE}.{name}"
        for name in (
            *("datasets", "diagnostics", "export", "inspection"),
            *("persistence", "rules", "samplers", "summaries", "sums"),
        )
    ),
]
FUNCTION = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY


def stub_of(module):
    """The syntax tree of the stub beside a module."""
    folder, path = files(PACKAGE), module.split(".")[1:]
    package = folder.joinpath(*path, "__init__.pyi")
    stub = package if package.is_file() else folder.joinpath(f"{path[-1]}.pyi")
    return ast.parse(stub.read_text(encoding="utf-8"))


def public(names):
    return {name for name in names if not name.startswith("_")}


def defined(body):
    """Functions, classes and variables of a body, by name; overloads in a list."""
    found = {}
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.setdefault(name, []).append(node)
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.setdefault(name, []).append(node)
            case ast.ImportFrom(names=names):
                # As stubs say that a name is public here, too.
                again = [alias.name for alias in names if alias.name == alias.asname]
                found.update({name: [node] for name in again})
    return found


def with_bases(node, classes):
    """What a class is stubbed with, and its bases in the same stub."""
    found = {}
    for base in node.bases:
        if getattr(base, "id", None) in classes:
            found.update(with_bases(classes[base.id], classes))
    return {**found, **defined(node.body)}


def own(cls):
    """What a class has of this package, by name, less what only scikit-learn made."""
    found = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith(PACKAGE):
            found.update(vars(base))
    return found


def stubbed_parameters(node):
    """(name, kind, default) of each parameter; ``...`` is a default not said."""
    arguments = node.args
    assert not (arguments.posonlyargs or arguments.vararg)
    missing = [None] * (len(arguments.args) - len(arguments.defaults))
    for kind, names, defaults in zip(
        FUNCTION,
        (arguments.args, arguments.kwonlyargs),
        (missing + arguments.defaults, arguments.kw_defaults),
    ):
        for argument, default in zip(names, defaults, strict=True):
            value = inspect.Parameter.empty
            if default is not None:
                value = ast.literal_eval(default)
            yield argument.arg, kind, value
    if arguments.kwarg:
        empty = inspect.Parameter.empty
        yield arguments.kwarg.arg, inspect.Parameter.VAR_KEYWORD, empty


def check_function(node, function):
    """One stub, perhaps one of several overloads, against what it is of."""
    real = inspect.signature(function).parameters.values()
    stubbed = list(stubbed_parameters(node))
    assert [(name, kind) for name, kind, _ in stubbed] == [
        (parameter.name, parameter.kind) for parameter in real
    ]
    for (_, _, default), parameter in zip(stubbed, real):
        # An overload for one value of a parameter needs that value.
        if any(ast.unparse(d) == "overload" for d in node.decorator_list):
            assert default in (parameter.default, inspect.Parameter.empty, ...)
        else:
            assert default == parameter.default or default is ...


def check_class(node, cls, classes):
    stubbed, real = with_bases(node, classes), own(cls)
    variables = {
        n for n, nodes in stubbed.items() if isinstance(nodes[0], ast.AnnAssign)
    }
    methods = public(stubbed) - variables
    if dataclasses.is_dataclass(cls):
        fields = {field.name: field for field in dataclasses.fields(cls)}
        assert list(fields) == [name for name in stubbed if name in variables]
        for name, field in fields.items():
            has_none = (field.default, field.default_factory) == (
                dataclasses.MISSING,
            ) * 2
            assert (stubbed[name][0].value is None) == has_none
        assert methods == public(real) - set(fields)
    else:
        assert methods == public(real) - variables
        # Python 3.13 takes the indentation off.
        _, _, documented = inspect.getdoc(cls).partition("Attributes\n----------\n")
        documented = re.split(r"\n\w[\w ]*\n---", documented)[0]
        documented = re.findall(r"^(\w+(?:, \w+)*) :", documented, re.MULTILINE)
        documented = {name for names in documented for name in names.split(", ")}
        parameters = set(inspect.signature(cls).parameters)
        learned = {name for name in variables if name.endswith("_")} - parameters
        assert learned <= documented <= variables
        if "__init__" not in stubbed:
            assert not parameters
            stubbed["__init__"] = []
        for init in stubbed["__init__"]:
            check_function(init, cls.__init__)
    for name in methods:
        (method,) = stubbed[name]
        kinds = {ast.unparse(decorator) for decorator in method.decorator_list}
        value = real[name]
        if isinstance(value, LazyMethod):
            value = getattr(cls, name)
        assert ("property" in kinds) == isinstance(value, property)
        assert ("classmethod" in kinds) == isinstance(value, classmethod)
        function = getattr(value, "__func__", value)
        if inspect.isfunction(function):
            check_function(method, function)


@pytest.mark.parametrize("name", MODULES)
def test_stub_agrees_with_module(name):
    module, stub = importlib.import_module(name), stub_of(name)
    said = next(
        node.value
        for node in stub.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"
    )
    assert ast.literal_eval(said) == module.__all__
    stubbed = defined(stub.body)
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    assert public(stubbed) == set(module.__all__)
    for each in module.__all__:
        for node in stubbed[each]:
            if isinstance(node, ast.ClassDef):
                check_class(node, getattr(module, each), classes)
            elif isinstance(node, ast.FunctionDef):
                check_function(node, getattr(module, each))


def test_names_of_samplers_are_those_of_the_registry():
    """In the type of the parameter, and where it is documented."""
    (names,) = (
        node.value
        for node in stub_of(f"{PACKAGE}.samplers").body
        if isinstance(node, ast.AnnAssign) and node.target.id == "_Name"
    )
    assert ast.literal_eval(names.slice) == tuple(SAMPLERS)
    for documented in (DNFWinnowClassifier, log_weighted_sum):
        listed = re.search(
            r"^sampler : \{(.*?)\}", inspect.getdoc(documented), re.M | re.S
        )
        assert re.findall(r"'(\w+)'", listed[1]) == list(SAMPLERS)


def test_package_says_that_it_is_typed():
    assert files(PACKAGE).joinpath("py.typed").is_file()
