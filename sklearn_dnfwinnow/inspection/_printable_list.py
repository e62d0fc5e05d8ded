"""Printable list: a list that shows its items as they show themselves."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

# Maximum number of items in a representation, so that an interpreter is not flooded.
_MOST_ITEMS = 20


class PrintableList(list):
    """List whose text is that of its items, one after the other.

    `print` shows all items. An interpreter and a notebook show up to 20 of them. A
    slice is such a list, too.
    """

    @classmethod
    def of_rows(cls, found, inverse):
        """Return the list for all rows, from that of distinct ones."""
        return cls(replace(found[i], row=row) for row, i in enumerate(inverse))

    def __getitem__(self, place):
        found = super().__getitem__(place)
        return type(self)(found) if isinstance(place, slice) else found

    def __str__(self):
        # The text of an item ends with a line break: a blank line separates them.
        return "\n".join(map(str, self))

    def __repr__(self):
        if not self:
            return "[]"
        # An interpreter adds the last line break.
        text = str(self[:_MOST_ITEMS]).removesuffix("\n")
        return text + ("\n\n" + self._rest() if self._rest() else "")

    def _repr_html_(self):
        """Return the HTML of the items, one below the other."""
        parts = [item._repr_html_() for item in self[:_MOST_ITEMS]]
        return "<br>".join([*parts, *filter(None, [self._rest()])])

    def _rest(self):
        """Return a text for the items that are not shown; '' if there are none."""
        n_more = len(self) - _MOST_ITEMS
        return f"... and {n_more} more" if n_more > 0 else ""
