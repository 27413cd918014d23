"""Noteworthy events of a run: what counts as one, and the listeners that find, keep and stop at them."""
