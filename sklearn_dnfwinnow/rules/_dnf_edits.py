"""Edits of a DNF: other terms, or terms that the same samples satisfy."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from functools import partial

from sklearn_dnfwinnow.rules._editing import meaning, position_of
from sklearn_dnfwinnow.rules._shape._simplification import simplified
from sklearn_dnfwinnow.rules._term import Term


class DNFEditsMixin:
    """Methods of a DNF that return another one."""

    def without(self, term):
        """Return the DNF without one of its terms.

        Parameters
        ----------
        term : Term, str or int
            The term, its text, or its position.

        Returns
        -------
        dnf : DNF
            The new formula, without `scores`.

        Raises
        ------
        IndexError, ValueError
            If the DNF does not contain the term; the message lists similar ones.
        """
        i = self._position_of(term)
        return self._with([*self.terms[:i], *self.terms[i + 1 :]])

    def with_term(self, term, *, values=None):
        """Return the DNF with one more term at its end, unless it already has it.

        Parameters
        ----------
        term : Term or str
            A term, or its text.

        values : {mapping of str to array-like, dataframe}, default=None
            Known values of features for a text, as in `parse`.

        Returns
        -------
        dnf : DNF
            The new formula, without `scores`.

        Raises
        ------
        DNFSyntaxError
            If a text is not a term, or refers to unknown features.
        """
        term = self._term_of(term, values)
        if meaning(term) in map(meaning, self.terms):
            return self
        return self._with([*self.terms, term])

    def replace(self, old, new, *, values=None):
        """Return the DNF with one term replaced.

        To replace other fields, use :func:`dataclasses.replace`.

        Parameters
        ----------
        old : Term, str or int
            The term to be replaced, its text, or its position.

        new : Term or str
            The term to replace it, or its text.

        values : {mapping of str to array-like, dataframe}, default=None
            Known values of features for a text, as in `parse`.

        Returns
        -------
        dnf : DNF
            The new formula, without `scores`.

        Raises
        ------
        IndexError, ValueError
            If the DNF does not contain the old term; the message lists similar ones. If
            the new term is not a term, or refers to unknown features.
        """
        terms = list(self.terms)
        terms[self._position_of(old)] = self._term_of(new, values)
        return self._with(terms)

    def simplify(self, X=None, *, drop=True, round_numbers=True, transformed=False):
        """Return a DNF with fewer and shorter terms that the same samples satisfy.

        Conditions of a term on the same feature become one condition. Terms that imply
        another term are dropped. Terms that differ in one condition become one term if
        its values are adjacent.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features), default=None
            As in `holds`. With samples, the result holds for the same samples of X, but
            it can differ for others: intervals without a value of X between them become
            one. None returns a formula that holds for the same values, whatever they
            are.

        drop : bool, default=True
            Whether conditions are dropped without which a term holds for the same
            samples of X. Without X, it has no effect.

        round_numbers : bool, default=True
            Whether numbers are rounded to as few digits as leave all samples of X on
            the same side of them. Without X, it has no effect.

        transformed : bool, default=False
            As in `holds`.

        Returns
        -------
        dnf : DNF
            The new formula, without `scores`.

        Raises
        ------
        ValueError
            As for `holds`.

        Examples
        --------
        >>> from sklearn_dnfwinnow.rules import DNF
        >>> dnf = DNF.parse("calls = 3 or calls in (3.4, 4.4] or calls > 4.4 or a = 1")
        >>> print(dnf.simplify())
        calls = 3 or
        calls > 3.4 or
        a = 1
        >>> print(dnf.simplify([[calls, 0] for calls in range(9)]))
        calls >= 3 or
        a = 1
        """
        columns = None if X is None else self._columns(X, transformed=transformed)
        return self._with(
            simplified(self.terms, columns, drop=drop, round_numbers=round_numbers)
        )

    def _position_of(self, term):
        """Return the position of a term given as such, as text, or by position."""
        parse = partial(Term.parse, like=self)
        return position_of(term, self.terms, what="term", parse=parse)

    def _term_of(self, term, values):
        """Return a term given as such or as text."""
        if isinstance(term, str):
            return Term.parse(term, values=values, like=self)
        return term

    def _with(self, terms):
        """Return a DNF with other terms."""
        return replace(self, terms=terms, scores={})
