"""Check that a wheel has licences, modules and data: `check_wheel.py WHEEL`."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "sklearn_dnfwinnow"


def missing(names):
    """Yield what a wheel with files of these names lacks."""
    (info,) = {name.split("/")[0] for name in names if ".dist-info/" in name}
    data = sorted((PACKAGE / "datasets" / "data").iterdir())
    licenses = [ROOT / "LICENSE"] + [path for path in data if path.suffix == ".rst"]
    yield from (
        name
        for path in licenses
        if (name := f"{info}/licenses/{path.relative_to(ROOT).as_posix()}") not in names
    )
    sources = [path for kind in ("*.py", "*.html") for path in PACKAGE.rglob(kind)]
    yield from (
        name
        for path in [*data, *sources]
        if (name := path.relative_to(ROOT).as_posix()) not in names
    )


if __name__ == "__main__":
    with ZipFile(sys.argv[1]) as wheel:
        names = set(wheel.namelist())
    absent = list(missing(names))
    strays = [name for name in names if name.endswith((".c", ".pyx", ".pxd"))]
    licenses = sum("/licenses/" in name for name in names)
    print(f"{len(names)} files, {licenses} licences; missing: {absent}; {strays=}")
    sys.exit(bool(absent or strays))
