"""Databases: rules say in each engine what `holds` says, of any names and values.

Servers listen to a socket in a folder of their own, and only while the tests run.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unicodedata
from contextlib import contextmanager
from pathlib import Path

import pytest
from draws import Draws
from formula_checks import answers, frame_of
from made_up_formulas import WORDS, a_table

# Each table has 30 formulas.
N_TABLES = 100
SQL_TYPES = {
    "double": "DOUBLE PRECISION",
    "float": "REAL",
    "integer": "BIGINT",
    "boolean": "BOOLEAN",
    "text": "TEXT",
}


class Engine:
    """A connection to an engine, and what is different in it."""

    dialect, quote, mark = "standard", '"', "?"
    types = SQL_TYPES
    key = staticmethod(str.casefold)

    def __init__(self, connection):
        self.cursor = connection.cursor()

    def quoted(self, name):
        return f"{self.quote}{name.replace(self.quote, 2 * self.quote)}{self.quote}"

    def fill(self, types, rows):
        """Make the table t, with an additional column for the order of rows."""
        columns = [f"{self.quoted(n)} {self.types[t]}" for n, t in types.items()]
        marks = ", ".join([self.mark] * (len(types) + 1))
        self.cursor.execute("DROP TABLE IF EXISTS t")
        self.cursor.execute(f"CREATE TABLE t (place_of_row INT, {', '.join(columns)})")
        numbered = [(i, *row) for i, row in enumerate(rows)]
        self.cursor.executemany(f"INSERT INTO t VALUES ({marks})", numbered)

    def ask(self, expressions):
        """The values of some expressions, for each row."""
        query = f"SELECT {', '.join(expressions)} FROM t ORDER BY place_of_row"
        self.cursor.execute(query)
        return [*zip(*self.cursor.fetchall())]


class SQLite(Engine):
    dialect, quote = "sqlite", "`"


class DuckDB(Engine):
    dialect = "duckdb"


class PostgreSQL(Engine):
    mark = "%s"
    key = staticmethod(lambda name: name)


class MariaDB(Engine):
    dialect, quote, mark = "mysql", "`", "%s"
    # REAL is DOUBLE.
    types = SQL_TYPES | {"float": "FLOAT", "text": "TEXT CHARACTER SET utf8mb4"}

    @staticmethod
    def key(name):
        """Names that differ only in case, accents or marks are one name."""
        parts = unicodedata.normalize("NFKD", name.casefold())
        return "".join(c for c in parts if not unicodedata.combining(c))


@contextmanager
def server(command, folder, connect, **options):
    """Start a server, and connect to it as soon as it answers."""
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, **options)
        try:
            for _ in range(300):
                try:
                    connection = connect()
                    break
                except Exception:
                    assert process.poll() is None, (folder / "log").read_text()
                    time.sleep(0.1)
            with connection:
                yield connection
        finally:
            process.terminate()
            process.wait(60)


@contextmanager
def in_sqlite(folder):
    pytest.importorskip("duckdb")  # otherwise the quick test of rules is enough
    yield SQLite(sqlite3.connect(":memory:"))


@contextmanager
def in_duckdb(folder):
    yield DuckDB(pytest.importorskip("duckdb").connect())


@contextmanager
def in_postgresql(folder):
    psycopg = pytest.importorskip("psycopg")
    places = [*map(str, Path("/usr/lib/postgresql").glob("*/bin"))]
    path = os.pathsep.join([os.environ["PATH"], *places])
    programs = [shutil.which(name, path=path) for name in ("initdb", "postgres")]
    if None in programs:
        pytest.skip("PostgreSQL is not installed")
    initdb, postgres = programs
    # It does not run as root.
    options = {"cwd": folder}
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
        options["user"] = "postgres"
    data = ["-D", str(folder / "data")]
    command = [initdb, *data, "-E", "UTF8", "--no-sync", "-A", "trust", "-U", "tester"]
    subprocess.run(command, check=True, capture_output=True, **options)
    command = [postgres, *data, "-k", str(folder), "-c", "listen_addresses="]

    def connect():
        return psycopg.connect(
            host=str(folder),
            user="tester",
            dbname="postgres",
            autocommit=True,
            prepare_threshold=None,  # types differ from table to table
        )

    with server(command, folder, connect, **options) as connection:
        yield PostgreSQL(connection)


@contextmanager
def in_mariadb(folder):
    pymysql = pytest.importorskip("pymysql")
    program = shutil.which("mariadbd")
    if program is None:
        pytest.skip("MariaDB is not installed")
    (folder / "data").mkdir()
    socket = str(folder / "socket")
    options = ["--skip-grant-tables", "--skip-networking", f"--socket={socket}"]
    options += [f"--datadir={folder / 'data'}"] + ["--user=root"] * (os.geteuid() == 0)

    def connect():
        return pymysql.connect(unix_socket=socket, charset="utf8mb4", autocommit=True)

    command = [program, "--no-defaults", *options]
    with server(command, folder, connect) as connection:
        connection.cursor().execute("CREATE DATABASE tests")
        connection.select_db("tests")
        yield MariaDB(connection)


@pytest.mark.slow
@pytest.mark.parametrize("engine", [in_sqlite, in_duckdb, in_postgresql, in_mariadb])
def test_engines_say_what_the_formula_says(engine):
    with tempfile.TemporaryDirectory() as folder, engine(Path(folder)) as base:
        names = [w for w in WORDS if w == w.rstrip() and w.isprintable() and w < "😀"]
        names += [
            "A",
            "É ☃",
            "select",
            "order by",
            "id",
            'a"b',
            "a`b",
            "--",
            "/*",
            "%s",
        ]
        for seed in range(N_TABLES):
            draws = Draws(seed.to_bytes(4, "little"))
            types, rows, dnfs = a_table(draws, 30, names=names, key=base.key)
            base.fill(types, rows)
            table = frame_of(types, rows)
            said = base.ask([dnf.to_sql(dialect=base.dialect) for dnf in dnfs])
            rules = {"dialect": base.dialect, "result": "rule"}
            named = base.ask([dnf.to_sql(**rules) for dnf in dnfs])
            for dnf, values, texts in zip(dnfs, said, named):
                assert [*values] == answers(dnf, dnf.holds(table)), dnf.to_text()
                assert [*texts] == dnf.apply(table).tolist(), dnf.to_text()
