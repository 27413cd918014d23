"""Noteworthy events of a run: their detection, and the listeners that find, keep and stop at them."""
