"""The parts of `tools/soak`: drawing, checking, and the session that can be continued."""
