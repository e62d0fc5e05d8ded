"""Trees as rules: how many there are, and how long.

A leaf is a rule. Its literals are the conditions on its path, where those on one column
of the table are one literal: `2 < x <= 5` is one condition on x, and so it is in our
rules and in those of RIPPER. A rule set has a class for rows that no rule holds for; so
the leaves of one class are not counted, those whose literals are most. In a sum of
trees one leaf of each tree is not counted: its value can be added to the constant.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause


class Leaf:
    """The encoded columns on a path, from the root on, and what is predicted."""

    def __init__(self, path, label=None):
        self.path = path
        self.label = label

    def n_literals(self, sources):
        """Return the number of columns of the table that the path asks for."""
        return len({int(sources[column]) for column in self.path})


def lengths_of_tree(leaves, sources):
    """Return the numbers of literals of all leaves but those of one class."""
    by_class = {}
    for leaf in leaves:
        by_class.setdefault(leaf.label, []).append(leaf.n_literals(sources))
    most = max(by_class, key=lambda label: sum(by_class[label]))
    return [n for label, some in by_class.items() if label != most for n in some]


def lengths_of_sum(trees, sources):
    """Return the numbers of literals of all leaves but the longest of each tree."""
    found = []
    for leaves in trees:
        found += sorted(leaf.n_literals(sources) for leaf in leaves)[:-1]
    return found


def leaves_of_sklearn(tree, classes=None):
    """Return the leaves of a tree of scikit-learn."""

    def split(node):
        if tree.children_left[node] < 0:
            return None
        return tree.feature[node], tree.children_left[node], tree.children_right[node]

    def label(node):
        return None if classes is None else classes[tree.value[node][0].argmax()]

    return _leaves(0, split, label)


def leaves_of_figs(root):
    """Return the leaves of a tree of FIGS."""

    def split(node):
        return None if node.left is None else (node.feature, node.left, node.right)

    return _leaves(root, split, lambda node: None)


def leaves_of_streed(root):
    """Return the leaves of a tree of pystreed."""

    def split(node):
        if node.is_leaf_node():
            return None
        return node.feature, node.left_child, node.right_child

    return _leaves(root, split, lambda node: int(node.label))


def _leaves(root, split, label):
    """Return leaves; `split` gives the column and both children of an inner node."""
    found, left = [], [(root, ())]
    while left:
        node, path = left.pop()
        parts = split(node)
        if parts is None:
            found.append(Leaf(path, label(node)))
        else:
            column, *children = parts
            left += [(child, (*path, column)) for child in children]
    return found
