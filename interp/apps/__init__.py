"""Applications, which are built on the core and may be deleted without touching it."""
