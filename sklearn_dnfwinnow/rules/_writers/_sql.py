"""SQL: formulas as conditions that are true only if the formulas hold."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import Counter
from math import isfinite

from sklearn_dnfwinnow.rules._checks import check
from sklearn_dnfwinnow.rules._condition_text import shorter_end
from sklearn_dnfwinnow.rules._writers._plain_values import (
    among,
    any_of,
    check_types,
    plain_values,
)
from sklearn_dnfwinnow.rules._writers._sql_dialects import DIALECTS

# Maximum number of conditions that are joined without parentheses. SQLite allows a
# depth of 1000 for an expression, to which each condition of a chain adds one.
_WIDEST = 100


def literal_as_sql(literal, dialect):
    """Return a literal as a condition, see `Literal.to_sql`."""
    return _literal(literal, _dialect_for([literal], [literal.feature], dialect))


def term_as_sql(term, dialect):
    """Return a term as a condition, see `Term.to_sql`."""
    names = {literal.column: literal.feature for literal in term.literals}
    return _term(term, _dialect_for(term.literals, names.values(), dialect))


def decision_as_sql(decision, dialect):
    """Return a Decision as an expression, see `DNF.to_sql`."""
    dialect = _dialect_for(decision.literals, decision.features, dialect)
    word = "\n    OR "
    cases = []
    for answer, terms in decision.formulas:
        conditions = [f"({_term(term, dialect)})" for term in terms]
        condition = word.join(_grouped(conditions, word)) or "1 = 0"
        cases.append(f"WHEN\n    {condition}\nTHEN {dialect.constant(answer)} ")
    otherwise = dialect.constant(decision.otherwise)
    notice = f"-- {decision.notice}\n" if decision.notice else ""
    # CASE needs a condition.
    cases = "".join(cases) or f"WHEN 1 = 0 THEN {otherwise} "
    return f"{notice}CASE {cases}ELSE {otherwise} END"


def _dialect_for(literals, names, dialect):
    """Return the Dialect of a name, if it can represent some literals.

    Parameters
    ----------
    literals : iterable of Literal
    names : iterable of str
        Names of all columns of the table, as far as they are known.
    dialect : str

    Raises
    ------
    ValueError
        If there is no such dialect, or it cannot represent the literals.
    """
    check(dialect in [*DIALECTS], f"dialect to be one of {[*DIALECTS]}", dialect)
    found = DIALECTS[dialect]
    if found.folds_case:
        counts = Counter(name.casefold() for name in names)
        for name in dict.fromkeys(literal.feature for literal in literals):
            check(
                counts[name.casefold()] == 1,
                f"names that differ in more than case, which {dialect} ignores",
                name,
            )
    if found.has_types:
        check_types(literals)
    return found


def _literal(literal, dialect):
    """Return a literal as a condition."""
    name = dialect.name(literal.feature)
    if literal.intervals is None:
        constants = [*map(dialect.operand, plain_values(literal))]
        if literal.complement:
            present = [f"{name} IS NOT NULL"]
            found = among(name, constants, ("<>", "NOT IN"), present)
        else:
            found = among(name, constants, ("=", "IN"), [])
    else:
        found = [_inside(name, *ends, dialect) for ends in literal.intervals]
    found = [f"{name} IS NULL"] * literal.missing + found
    return any_of(_grouped(found, " OR "), "OR", "1 = 0")


def _term(term, dialect):
    """Return a term as a condition."""
    literals = [_literal(literal, dialect) for literal in term.literals]
    return " AND ".join(_grouped(literals, " AND ")) or "1 = 1"


def _grouped(conditions, word):
    """Return conditions to be joined by a word, in parentheses if there are many."""
    while len(conditions) > _WIDEST:
        conditions = [
            f"({word.join(conditions[start : start + _WIDEST])})"
            for start in range(0, len(conditions), _WIDEST)
        ]
    return conditions


def _inside(name, low, high, dialect):
    """Return the condition that a column is inside an interval."""
    ends = []
    for end, relations in ((low, (">", ">=")), (high, ("<=", "<"))):
        if isfinite(end):
            number, is_below = shorter_end(float(end))
            ends.append(f"{name} {relations[is_below]} {dialect.constant(number)}")
    if len(ends) == 2:
        return f"({' AND '.join(ends)})"
    return ends[0] if ends else f"{name} IS NOT NULL"
