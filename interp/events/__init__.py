"""Noteworthy events of a run: how they are detected, and the listeners that find, keep and stop at them."""
