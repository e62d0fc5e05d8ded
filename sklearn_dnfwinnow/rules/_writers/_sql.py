"""SQL: formulas as conditions that are true only if the formulas hold."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import inf

from sklearn_dnfwinnow.rules._writers._plain_values import any_of, plain_values


def literal_as_sql(literal):
    """Return a literal as a condition, see `Literal.to_sql`."""
    name = _name(literal.feature)
    if literal.intervals is None:
        among = _not_among if literal.complement else _among
        found = among(name, plain_values(literal))
    else:
        found = [_inside(name, *interval) for interval in literal.intervals]
    return any_of([f"{name} IS NULL"] * literal.missing + found, "OR", "1 = 0")


def term_as_sql(term):
    """Return a term as a condition, see `Term.to_sql`."""
    return " AND ".join(map(literal_as_sql, term.literals)) or "1 = 1"


def dnf_as_sql(dnf, answers):
    """Return a formula as an expression, see `DNF.to_sql`.

    Parameters
    ----------
    dnf : DNF
    answers : (object, object)
        Plain values of the expression if the formula holds, and if it does not.
    """
    then, otherwise = map(_constant, answers)
    terms = [f"({term_as_sql(term)})" for term in dnf.terms]
    condition = "\n    OR ".join(terms) or "1 = 0"
    notice = f"-- {dnf.notice}\n" if dnf.transformed_by else ""
    return f"{notice}CASE WHEN\n    {condition}\nTHEN {then} ELSE {otherwise} END"


def _among(name, values):
    """Return alternatives for a column being one of some values."""
    constants = list(map(_constant, values))
    if len(constants) > 1:
        return [f"{name} IN ({', '.join(constants)})"]
    return [f"{name} = {constant}" for constant in constants]


def _not_among(name, values):
    """Return the condition that a column is none of some values."""
    constants = list(map(_constant, values))
    if len(constants) > 1:
        return [f"{name} NOT IN ({', '.join(constants)})"]
    return [f"{name} <> {only}" for only in constants] or [f"{name} IS NOT NULL"]


def _inside(name, low, high):
    """Return the condition that a column is inside an interval."""
    ends = [f"{name} > {float(low)!r}"] * (low != -inf)
    ends += [f"{name} <= {float(high)!r}"] * (high != inf)
    if len(ends) == 2:
        return f"({' AND '.join(ends)})"
    return ends[0] if ends else f"{name} IS NOT NULL"


def _name(text):
    """Return a name in double quotes."""
    return _quoted(text, '"')


def _constant(value):
    """Return a string, number or boolean as a constant with all digits."""
    if isinstance(value, str):
        return _quoted(value, "'")
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return repr(value)


def _quoted(text, quote):
    """Return text in quotes."""
    if "\0" in text:
        raise ValueError(f"SQL cannot represent the null character in {text!r}.")
    return quote + text.replace(quote, 2 * quote) + quote
