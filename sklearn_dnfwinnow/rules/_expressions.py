"""Expressions: rules in SQL and Python."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import builtins
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from keyword import iskeyword
from math import inf, isfinite, ulp
from struct import pack, unpack

from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow.rules._text import check, plain, shorter_end


@dataclass(frozen=True)
class Dialect:
    """The lexical rules of an engine, and its rules for comparisons.

    Parameters
    ----------
    quote : str
        The quotation mark of names.
    in_names, in_strings : dict of str to str
        Replacements of characters in quotes.
    compared : str, default='{}'
        Form of a string that a column is compared with.
    number : callable, default=repr
        Writes a finite number.
    booleans : (str, str), default=('FALSE', 'TRUE')
    folds_case : bool, default=True
        Whether names that differ only in case refer to the same column.
    has_types : bool, default=False
        Whether a column with numbers and strings cannot exist.
    rounds_lists : bool, default=False
        Whether numbers of a list are rounded to the type of a column that is compared
        with it, whatever their form.
    """

    quote: str
    in_names: dict
    in_strings: dict
    compared: str = "{}"
    number: Callable = repr
    booleans: tuple = ("FALSE", "TRUE")
    folds_case: bool = True
    has_types: bool = False
    rounds_lists: bool = False

    def name(self, text):
        """Return the name of a column in quotes."""
        escaped = _encodable(text).translate(str.maketrans(self.in_names))
        return f"{self.quote}{escaped}{self.quote}"

    def constant(self, value):
        """Return a string, number or boolean as a constant."""
        if isinstance(value, str):
            escaped = _encodable(value).translate(str.maketrans(self.in_strings))
            return f"'{escaped}'"
        if isinstance(value, bool):
            return self.booleans[value]
        return self.number(value)

    def operand(self, value):
        """Return a constant that is compared with a column."""
        constant = self.constant(value)
        return self.compared.format(constant) if isinstance(value, str) else constant


def _encodable(text):
    """Check and return text that databases can store."""
    if "\0" in text:
        raise ValueError(f"SQL cannot represent the null character in {text!r}.")
    try:
        text.encode()
    except UnicodeEncodeError:  # of a lone surrogate
        raise ValueError(f"SQL cannot represent a character in {text!r}.") from None
    return text


def _sqlite_number(number):
    """Return a number in a form that SQLite reads without an error of rounding.

    SQLite rounds twice. Text near the middle of two doubles can therefore become the
    wrong one; 17 digits are nearer to the number than to any middle.
    """
    text = repr(number)
    if isinstance(number, float):
        distance = abs(Fraction(text) - Fraction(number))
        if distance > Fraction(49, 100) * Fraction(ulp(number)):
            return format(number, ".17g")
    return text


def _double_number(number):
    """Return a number in a form that is compared in double precision.

    Without an exponent, it is a decimal, which some engines round to the type of a
    column in single precision. Short numbers of single precision remain the same.
    """
    text = repr(number)
    is_large = isinstance(number, int) and abs(number) >= 2**53
    if is_large or "e" in text:
        return text
    is_short = len(text) < 9 and unpack("f", pack("f", number))[0] == number
    return text if is_short else f"{text}e0"


_DOUBLED = {"'": "''"}
# The escapes of strings in BigQuery are also those of its names. A line end in quotes
# is an error there.
_BACKSLASHES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}

_DUCKDB = Dialect('"', {'"': '""'}, _DOUBLED, number=_double_number, has_types=True)

DIALECTS = {
    # PostgreSQL rounds lists.
    "standard": replace(_DUCKDB, folds_case=False, has_types=False, rounds_lists=True),
    "duckdb": _DUCKDB,
    # Backticks, because SQLite reads a name in double quotes as a string if there is no
    # such column. TRUE would be the column with this name, if there is one.
    "sqlite": Dialect(
        "`", {"`": "``"}, _DOUBLED, number=_sqlite_number, booleans=("0", "1")
    ),
    # Its default collations ignore case, accents or spaces at the end.
    "mysql": Dialect(
        quote="`",
        in_names={"`": "``"},
        in_strings={**_DOUBLED, "\\": "\\\\"},
        compared="CAST({} AS BINARY)",
        has_types=True,
    ),
    "bigquery": Dialect(
        quote="`",
        in_names={**_BACKSLASHES, "`": "\\`"},
        in_strings={**_BACKSLASHES, "'": "\\'"},
        has_types=True,
    ),
}


def plain_values(literal):
    """Return the values that a literal lists, as Python objects.

    Raises
    ------
    TypeError
        If a value is not a string, number or boolean.
    """
    where = f"column {literal.feature!r}"
    # Each language has its own limits of integers.
    return [plain(value, where, any_integer=True) for value in literal.values]


def _check_types(literals):
    """Raise a ValueError if a column is compared with strings and with other values."""
    kinds = {}
    for literal in literals:
        values = [0.0] if literal.intervals is not None else plain_values(literal)
        known = kinds.setdefault((literal.column, literal.feature), set())
        known.update(isinstance(value, str) for value in values)
    for (_, feature), of_column in sorted(kinds.items()):
        if len(of_column) > 1:
            raise ValueError(
                f"Column {shown(feature)} must be compared with values of one type in "
                "this format; got strings and other values. Convert all its values to "
                "strings before training."
            )


def among(value, constants, relations, anything):
    """Return alternatives for a value being, or not being, one of some constants.

    Parameters
    ----------
    value : str
    constants : list of str
    relations : (str, str)
        Relations to one constant, and to several.
    anything : list of str
        The alternatives if there is no constant.
    """
    one, several = relations
    if len(constants) > 1:
        return [f"{value} {several} ({', '.join(constants)})"]
    return [f"{value} {one} {only}" for only in constants] or anything


def any_of(found, word, nothing):
    """Return the disjunction of conditions, for use in a conjunction."""
    if len(found) > 1:
        return f"({f' {word} '.join(found)})"
    return found[0] if found else nothing


# Maximum number of conditions that are joined without parentheses. SQLite allows a
# depth of 1000 for an expression, to which each condition of a chain adds one.
_WIDEST = 100


def decision_as_sql(decision, dialect):
    """Return a Decision as an expression, see `DNF.to_sql`."""
    literals = [one for term in decision.terms for one in term.literals]
    dialect = _dialect_for(literals, decision.features, dialect)
    word = "\n    OR "
    cases = []
    for answer, terms in decision.formulas:
        parts = ([_literal(one, dialect) for one in term.literals] for term in terms)
        joined = (" AND ".join(_grouped(part, " AND ")) for part in parts)
        conditions = [f"({part or '1 = 1'})" for part in joined]
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
    rules = DIALECTS[dialect]
    if rules.folds_case:
        counts = Counter(name.casefold() for name in names)
        for name in dict.fromkeys(literal.feature for literal in literals):
            check(
                counts[name.casefold()] == 1,
                f"names that differ in more than case, which {dialect} ignores",
                name,
            )
    if rules.has_types:
        _check_types(literals)
    return rules


def _literal(literal, dialect):
    """Return a literal as a condition."""
    name = dialect.name(literal.feature)
    if literal.intervals is None:
        constants = [*map(dialect.operand, plain_values(literal))]
        relations = ("<>", "NOT IN") if literal.complement else ("=", "IN")
        # With an exponent, numbers may not be rounded.
        if dialect.rounds_lists and any(c[0] != "'" and "e" in c for c in constants):
            found = [f"{name} {relations[0]} {constant}" for constant in constants]
            if literal.complement:
                found = [any_of(_grouped(found, " AND "), "AND", "")]
        else:
            present = [f"{name} IS NOT NULL"] * literal.complement
            found = among(name, constants, relations, present)
    else:
        found = [_inside(name, *ends, dialect) for ends in literal.intervals]
    found = [f"{name} IS NULL"] * literal.missing + found
    return any_of(_grouped(found, " OR "), "OR", "1 = 0")


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


_FUNCTION = '''\
def {name}(row):
    """Return the {result} of a row, a mapping from feature names to values."""

    def known(value):
        try:
            if value != value:
                return None
        except TypeError:  # what is not available has no truth
            return None
        # Fractions, such as Decimal or in single precision, are compared as floats.
        is_fraction = hasattr(value, "as_integer_ratio") and not isinstance(value, int)
        return float(value) if is_fraction else value

{notice}    row = {{name: known(row[name]) for name in {features!r}}}
{cases}    return {otherwise!r}
'''
_CASE = """\
    if (
        {condition}
    ):
        return {then!r}
"""


def _literal_as_python(literal):
    """Return a literal as an expression."""
    value = f"row[{str(literal.feature)!r}]"
    if literal.intervals is None:
        constants = [*map(repr, plain_values(literal))]
        relations = ("!=", "not in") if literal.complement else ("==", "in")
        found = among(value, constants, relations, ["True"] * literal.complement)
    else:
        found = [_inside_in_python(value, *interval) for interval in literal.intervals]
    if literal.missing:
        return any_of([f"{value} is None", *found], "or", "False")
    open_ = literal.intervals or literal.complement
    present = f"{value} is not None and " if open_ else ""
    return present + any_of(found, "or", "False")


def decision_as_python(decision, name):
    """Return a Decision as a function of a name, see `DNF.to_python`."""
    is_name = isinstance(name, str) and name.isidentifier() and not iskeyword(name)
    # The function uses some of them itself.
    is_own = is_name and not hasattr(builtins, name)
    check(is_own, "a name that Python allows, and that is none of its functions", name)
    cases = []
    for answer, terms in decision.formulas:
        parts = [" and ".join(map(_literal_as_python, x.literals)) for x in terms]
        conditions = [f"({part or 'True'})" for part in parts]
        condition = "\n        or ".join(conditions) or "False"
        cases.append(_CASE.format(condition=condition, then=answer))
    return _FUNCTION.format(
        name=name,
        result=decision.result,
        notice=f"    # {decision.notice}\n" if decision.notice else "",
        features=decision.used_features,
        cases="".join(cases),
        otherwise=decision.otherwise,
    )


def _inside_in_python(value, low, high):
    """Return the condition that a value is inside an interval."""
    # Large integers would be compared exactly.
    number = f"float({value})"
    if (low, high) == (-inf, inf):
        return "True"
    (first, is_closed), (last, is_open) = map(shorter_end, map(float, (low, high)))
    below = f"{'<' if is_open else '<='} {last!r}"
    if low == -inf:
        return f"{number} {below}"
    if high == inf:
        return f"{number} {'>=' if is_closed else '>'} {first!r}"
    return f"{first!r} {'<=' if is_closed else '<'} {number} {below}"
