"""ONNX graphs: node by node, from columns of data to conjunctions of literals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial, reduce

import numpy as np

from sklearn_dnfwinnow._utils._estimator_mixins import __version__
from sklearn_dnfwinnow.rules._checks import check
from sklearn_dnfwinnow.rules._writers._plain_values import encodable

#: Versions of the operators, and of those for machine learning.
OPSET, ML_OPSET = 18, 3
_ML = "ai.onnx.ml"
# The IR version for these operators, since 2022.
_IR_VERSION = 8
_encodable = partial(encodable, language="ONNX")


class Graph:
    """An ONNX graph under construction.

    Samples are the last axis inside the graph, so that gathered data are contiguous.

    Parameters
    ----------
    names : iterable of str
        Names of the inputs; all other names differ from these.

    missing : str
        The string that represents a missing string.

    Attributes
    ----------
    onnx : module
    """

    def __init__(self, names, missing):
        try:
            import onnx
        except ImportError:
            raise ImportError("to_onnx needs onnx: pip install onnx.") from None
        check(type(missing) is str, "missing to be a string", missing)
        self.onnx = onnx
        self._missing = _encodable(missing)
        self._taken = set(names)
        self._nodes, self._constants, self._inputs, self._outputs = [], [], [], []
        self._places = {}

    def add(self, kind, *inputs, domain="", **attributes):
        """Append a node, and return the name of its output; arrays are constants."""
        inputs = [i if isinstance(i, str) else self._constant(i) for i in inputs]
        name = self._new(kind)
        node = self.onnx.helper.make_node(
            kind, inputs, [name], name=name, domain=domain, **attributes
        )
        self._nodes.append(node)
        return name

    def cast(self, name, dtype):
        """Return a named tensor as another type."""
        of_onnx = self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return self.add("Cast", name, to=of_onnx)

    def place(self, cells):
        """Append an input for a column once, and return the cells of its values.

        Parameters
        ----------
        cells : Cells

        Returns
        -------
        name : str
            Of shape (n_rows,), int64.
        """
        if cells.feature not in self._places:
            self._places[cells.feature] = self._place(cells)
        return self._places[cells.feature]

    def _place(self, cells):
        """Append an input for a column, see `place`."""
        name = _encodable(cells.feature)
        check(name, "columns of a name", name)
        types = self.onnx.TensorProto
        of_type = types.DOUBLE if cells.of_numbers else types.STRING
        make = self.onnx.helper.make_tensor_value_info
        self._inputs.append(make(name, of_type, ["n_rows", 1]))
        flat = self.add("Reshape", name, np.array([-1]))
        n = len(cells.points)
        if not cells.of_numbers:
            if self._missing in cells.points:
                raise ValueError(
                    "`missing` must differ from all values in the formula; column "
                    f"{name!r} is compared with {self._missing!r}."
                )
            return self.add(
                "LabelEncoder",
                flat,
                domain=_ML,
                keys_strings=[*map(_encodable, cells.points), self._missing],
                values_int64s=[*range(n), n + 1],
                default_int64=n,
            )
        is_above = self.add("Greater", name, np.array([cells.points], dtype=float))
        n_below = self.add(
            "ReduceSum", self.cast(is_above, np.int64), np.array([1]), keepdims=0
        )
        return self.add("Where", self.add("IsNaN", flat), np.array(n + 1), n_below)

    def conjunctions(self, tables, terms):
        """Append inputs for columns, and the comparison of rows with terms.

        Parameters
        ----------
        tables : list of (Cells, list of n keys, ndarray of shape (n, n_cells), bool)
            Keys of literals, and which cells satisfy them.
        terms : iterable of tuples of keys
            At least one; the empty tuple is always satisfied.

        Returns
        -------
        holds : str
            Of shape (n_terms, n_rows), bool.
        places : list of str
            The cells of the rows, by column.
        """
        known, rows, places = {}, [], []
        for cells, keys, holds in tables:
            if not known:  # the literal of the empty term
                keys = [None, *keys]
                holds = [np.ones(len(cells), dtype=bool), *holds]
            for key in keys:
                known[key] = len(known)
            places.append(self.place(cells))
            rows.append(self.add("Gather", np.array(holds), places[-1], axis=1))
        literals = self.add("Concat", *rows, axis=0)
        terms = [[known[key] for key in term or (None,)] for term in terms]
        longest = max(map(len, terms))
        # Repeated literals change nothing.
        padded = np.array([[*t, *[t[0]] * (longest - len(t))] for t in terms])
        held = [self.add("Gather", literals, of_terms) for of_terms in padded.T]
        return reduce(partial(self.add, "And"), held), places

    def labels(self, values, places):
        """Return labels by their indices, and their type."""
        labels = _label_array(values)
        return self.add("Gather", labels, places), labels.dtype

    def output(self, name, called, dtype, shape=("n_rows",)):
        """Declare a named tensor as an output, and rename it."""
        while called in self._taken:
            called += "_"
        self._taken.add(called)
        node = self.onnx.helper.make_node("Identity", [name], [called])
        self._nodes.append(node)
        of_onnx = self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        make = self.onnx.helper.make_tensor_value_info
        self._outputs.append(make(called, of_onnx, shape))

    def model(self, notice):
        """Check and return the graph as a ModelProto."""
        helper = self.onnx.helper
        graph = helper.make_graph(
            nodes=self._nodes,
            name="dnfwinnow",
            inputs=self._inputs,
            outputs=self._outputs,
            initializer=self._constants,
        )
        versions = helper.make_opsetid("", OPSET), helper.make_opsetid(_ML, ML_OPSET)
        model = helper.make_model(
            graph,
            opset_imports=versions,
            ir_version=_IR_VERSION,
            producer_name="sklearn-dnfwinnow",
            producer_version=__version__,
            doc_string=_encodable(notice),
        )
        self.onnx.checker.check_model(model)
        return model

    def _constant(self, array):
        """Return the name of a new constant."""
        name = self._new("constant")
        self._constants.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def _new(self, kind):
        """Return an unused name."""
        name = f"{kind}_{len(self._nodes) + len(self._constants)}"
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name


def _label_array(values):
    """Return class labels, plain values of one type, as an array."""
    (of_type, *others) = {type(value) for value in values}
    check(not others, "classes of one type", values)
    if of_type is str:
        return np.array([_encodable(value) for value in values], dtype=object)
    try:
        return np.array(values, dtype={int: np.int64}.get(of_type, of_type))
    except OverflowError:
        raise ValueError(f"ONNX has only 64-bit integers; got {values!r}.") from None
