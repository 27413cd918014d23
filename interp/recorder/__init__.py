"""What a run leaves behind: its noteworthy events, and the leaves of its reductions."""
