"""Compile the kernels of ``_ext/``; ``pyproject.toml`` has all other metadata."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import gzip
import os
import sys
import sysconfig
import tarfile
from pathlib import Path

import numpy as np
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

# The sources of all kernels, by name; a file can include files of all folders.
FOLDERS = sorted(str(path) for path in Path("_ext").iterdir() if path.is_dir())
SOURCES = {path.stem: str(path) for path in sorted(Path("_ext").glob("*/*.pyx"))}
# Kernels that use the C interface of NumPy's generators, a static library.
DRAWING = sorted(path.stem for path in Path("_ext/bayes").glob("*.pyx"))
# Kernels with this line are compiled for two levels of the x86-64 instruction set.
# Markov chains gain a quarter to a third by popcounts and wide vectors, Hamiltonian
# moves a sixth, and others nothing that users notice. At import,
# `sklearn_dnfwinnow._kernels` selects a level, so that the wheel is portable. Both
# levels give bit-identical results (no contraction, no fast-math).
MARK = "\n# Compiled for each level of the instruction set.\n"
DISPATCHED = [
    noun
    for noun, path in SOURCES.items()
    if MARK in Path(path).read_text(encoding="utf-8")
]
# Feature by feature, for older compilers.
LEVELS = {
    "baseline": [],
    "x86_64_v3": ["-mavx2", "-mbmi", "-mbmi2", "-mfma", "-mpopcnt"],
}

# GCC or Clang. With MSVC, on Arm and for universal2, only the baseline is compiled.
GCC_LIKE = sys.platform != "win32"
FLAGS = ["/O2"]
if GCC_LIKE:
    FLAGS = ["-O3", "-g0", "-ffp-contract=off", "-fno-math-errno"]
# Sanitizers of the compiler, such as "address,undefined": see `.ci/sanitize`.
SANITIZE = os.environ.get("SKLEARN_DNFWINNOW_SANITIZE", "")
SANITIZERS = [f"-fsanitize={SANITIZE}"] if SANITIZE else []
if SANITIZE:
    FLAGS += ["-O1", "-g", "-fno-omit-frame-pointer", *SANITIZERS]
NUMPY_RANDOM = {
    "include_dirs": [np.get_include()],
    "library_dirs": [str(Path(np.__file__).parent / "random" / "lib")],
    "libraries": ["npyrandom"] + (["m"] if GCC_LIKE else []),
}
BOUNDSCHECK = os.environ.get("SKLEARN_DNFWINNOW_BOUNDSCHECK", "0") == "1"
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": BOUNDSCHECK,
    "wraparound": False,
    "initializedcheck": False,
    "nonecheck": False,
    "cdivision": True,
    "freethreading_compatible": True,
}

# Cython's own code for memoryviews is compiled once, and not in each kernel, where it
# would take four fifths of the time.
SHARED = "sklearn_dnfwinnow._kernels._cyutility"


def extensions_of(nouns, level="baseline", suffix=""):
    """Return the extensions of some nouns, at one level of the instruction set."""
    return [
        Extension(
            f"sklearn_dnfwinnow._kernels.{noun}{suffix}",
            [SOURCES[noun]],
            depends=sorted(str(path) for path in Path("_ext").rglob("*.p*")),
            extra_compile_args=FLAGS + LEVELS[level],
            extra_link_args=SANITIZERS,
            **(NUMPY_RANDOM if noun in DRAWING else {}),
        )
        for noun in nouns
    ]


def extensions():
    """Return all extensions, for the platform that is built for."""
    # It need not be the platform that builds.
    is_x86 = GCC_LIKE and sysconfig.get_platform().endswith(("-x86_64", "-amd64"))
    levels = list(LEVELS) if is_x86 else ["baseline"]
    shared = Extension(
        SHARED,
        ["_ext/_cyutility.c"],
        extra_compile_args=FLAGS + (["-O1"] if GCC_LIKE else []),
        extra_link_args=SANITIZERS,
    )
    once = [noun for noun in SOURCES if noun not in DISPATCHED]
    found = [shared, *extensions_of(once)]
    for level in levels:
        found += extensions_of(DISPATCHED, level, suffix=f"_{level}")
    return found


def level_of(extension):
    """Return the level that an extension is compiled for, or "each"."""
    levels = (level for level in LEVELS if extension.name.endswith(f"_{level}"))
    return next(levels, "each")


class BuildKernels(build_ext):
    """Translate kernels to C when they are compiled: metadata and sdist need no C."""

    def build_extensions(self):
        """Translate the kernels of each level, then compile all."""
        # An editable installation ignores the option as `setup` takes it.
        self.parallel = self.parallel or os.cpu_count()
        for level in [*LEVELS, "each"]:
            kernels = [
                kernel for kernel in self.extensions if level_of(kernel) == level
            ]
            translated = cythonize(
                kernels,
                include_path=FOLDERS,
                # One folder of generated C a level: each translates the same files.
                build_dir=os.path.join("build", "cython", level),
                compiler_directives=DIRECTIVES,
                shared_utility_qualified_name=SHARED,
                nthreads=os.cpu_count(),
            )
            sources = {kernel.name: kernel.sources for kernel in translated}
            for kernel in kernels:
                kernel.sources = sources[kernel.name]
        super().build_extensions()


class ReproducibleSdist(sdist):
    """Archive the sources as a function of their contents and ``SOURCE_DATE_EPOCH``.

    setuptools heeds this variable in wheels only.
    """

    def make_archive(self, base_name, format, root_dir=None, base_dir=None, **owners):
        """Write an archive with one time, one owner and two modes."""
        time = os.environ.get("SOURCE_DATE_EPOCH")
        if time is None or format != "gztar":
            return super().make_archive(
                base_name, format, root_dir=root_dir, base_dir=base_dir, **owners
            )

        def normal(member):
            member.mtime = int(time)
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            return member

        path = Path(f"{base_name}.tar.gz")
        path.parent.mkdir(parents=True, exist_ok=True)
        with (
            path.open("wb") as file,
            gzip.GzipFile("", mode="wb", fileobj=file, mtime=int(time)) as compressed,
            tarfile.open(fileobj=compressed, mode="w") as archive,
        ):
            archive.add(base_dir, filter=normal)
        return str(path)


# Processes that translate may import this file.
if __name__ == "__main__":
    setup(
        ext_modules=extensions(),
        cmdclass={"build_ext": BuildKernels, "sdist": ReproducibleSdist},
    )
