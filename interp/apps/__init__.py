"""Applications: what is built on the core, which may be deleted without touching it."""
