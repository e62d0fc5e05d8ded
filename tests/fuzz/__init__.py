"""Targets for a coverage-guided fuzzer: ``python -m fuzz`` in the folder of tests."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause
