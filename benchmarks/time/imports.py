"""Seconds that importing the package takes beyond what it needs of scikit-learn.

    python -m benchmarks.time.imports

Each import is in a process of its own, where scikit-learn is imported before; the least
of ten counts. The goal is 0.3 s.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import subprocess
import sys

NEEDED = "sklearn.base, sklearn.utils.parallel, sklearn.utils.validation"
PUBLIC = ("datasets", "diagnostics", "inspection", "sums")
IMPORTS = {
    "the package": "sklearn_dnfwinnow",
    "all its modules": ", ".join(f"sklearn_dnfwinnow.{module}" for module in PUBLIC),
}
TIMED = f"""
import time, {NEEDED}
start = time.perf_counter()
import {{}}
print(time.perf_counter() - start)
"""


def seconds(names):
    """Seconds that an import takes after that of scikit-learn."""
    command = [sys.executable, "-c", TIMED.format(names)]
    return float(subprocess.check_output(command, text=True))


def main():
    """Print what each import takes."""
    for what, names in IMPORTS.items():
        least = min(seconds(names) for _ in range(10))
        print(f"{what:16} {least:.3f} s")


if __name__ == "__main__":
    main()
