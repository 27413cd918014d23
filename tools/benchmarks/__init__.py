"""Parts of `tools/bench`: what it measures (workloads, peers), how (measure), and its report."""

import sys

sys.modules.setdefault("coverage", None)  # type: ignore[arg-type]  # numba would take tools/coverage.py for a package
