"""Memory: none is lost, and where it is short, that is said and nothing changes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import ctypes
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from memory_growth import MOST_ADDED

HERE = Path(__file__).parents[1]

# -- nothing is lost -------------------------------------------------------------------

of_glibc = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" or shutil.which("cc") is None,
    reason="needs a C compiler, and glibc",
)
counted = pytest.mark.skipif(
    os.name == "nt" or not hasattr(ctypes.CDLL(None), "mallinfo2"),
    reason="needs mallinfo2, of glibc 2.33 and later",
)


@pytest.mark.slow
@counted
def test_nothing_is_lost():
    """In fits, and in other calls, of all that this process asked for."""
    printed = run_here("import memory_growth as m; m.print_growth()")
    added = {name: float(n) for name, n in map(str.split, printed.splitlines())}
    # The control has to be found.
    assert added.pop("lost_arrays") > 1.5 * MOST_ADDED
    assert len(added) > 7 and max(added.values()) < MOST_ADDED, added


def run_here(code, *arguments, **variables):
    """What a fresh interpreter prints, that finds the modules of `tests/`."""
    path = os.pathsep.join([str(HERE), str(HERE.parent)])
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": path, **variables},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# -- where memory is short -------------------------------------------------------------


@pytest.mark.slow
@of_glibc
def test_every_allocation_may_fail(tmp_path):
    """Each raises MemoryError, and leaves everything as it was."""
    library = tmp_path / "failing_malloc.so"
    source = HERE / "failing_malloc.c"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True
    )
    code = "import pytest, sys; sys.exit(pytest.main(sys.argv[1:]))"
    options = "-q", "-p", "no:cacheprovider", "--rootdir", str(HERE.parent)
    tests = str(HERE / "short_of_memory.py")
    printed = run_here(code, *options, tests, LD_PRELOAD=str(library))
    assert " passed" in printed
