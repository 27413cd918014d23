"""Programs rewritten as programs: other accumulators, the float reference, and the stages between."""
