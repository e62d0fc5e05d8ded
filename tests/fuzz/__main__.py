"""Run the targets on bytes that atheris makes up, guided by the branches they take.

    PYTHONPATH=tests python -m fuzz -runs=10000 searches cuts

takes the targets named, all of them by default, and the options of libFuzzer; it ends
at the first failure, and leaves the bytes in a file, which the same command runs again
if it is named. It needs atheris, which is installed for this only.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

# Short inputs are all zeros to most targets: it begins with long ones.
_SEEDS, _LENGTH = 200, 400


def main(arguments):
    """Run the targets that are among the arguments of a command."""
    import atheris

    with atheris.instrument_imports(include=["sklearn_dnfwinnow"]):
        from fuzz.draws import Draws
        from fuzz.targets import TARGETS

    chosen = [TARGETS[name] for name in arguments if name in TARGETS]
    chosen = chosen or [*TARGETS.values()]

    def run(data):
        draws = Draws(data)
        draws.choice(chosen)(draws)

    with TemporaryDirectory() as seeds:
        for seed in range(_SEEDS):
            (Path(seeds) / str(seed)).write_bytes(Random(seed).randbytes(_LENGTH))
        options = [argument for argument in arguments if argument not in TARGETS]
        # A file to run again has to be the only one.
        if not any(Path(option).is_file() for option in options[1:]):
            options += [f"-max_len={_LENGTH}", "-len_control=0", seeds]
        atheris.Setup(options, run)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv)
