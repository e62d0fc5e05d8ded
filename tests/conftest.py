"""Settings that must be made before SciPy is imported."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import os

# Without it scikit-learn skips its array API checks.
os.environ["SCIPY_ARRAY_API"] = "1"
