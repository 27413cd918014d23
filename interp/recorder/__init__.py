"""Records of a run: its noteworthy events, and the leaves of its reductions."""
