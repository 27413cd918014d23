"""What `tools/bench` measures (workloads, peers), how (measure), and how it prints (report)."""
