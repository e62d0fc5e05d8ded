"""Imports: the contracts of ``pyproject.toml`` hold."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINT = """if True:
    import sys
    from importlinter.cli import lint_imports

    sys.exit(lint_imports(no_cache=True, no_logo=True))
"""


def test_contracts_are_kept():
    done = subprocess.run(
        [sys.executable, "-c", LINT],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " kept, 0 broken" in done.stdout
