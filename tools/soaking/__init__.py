"""The parts of `tools/soak`: drawing, checking, and the session that goes on where it stopped."""
