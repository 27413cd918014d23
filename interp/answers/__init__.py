"""Presentation of a recorded run: `Trace`, its summary, its tables and its page."""
