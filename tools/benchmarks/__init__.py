"""Parts of `tools/bench`: what it measures (workloads, peers), how (measure), and its report."""
