"""Confirmation of conformance cases: expectations by exact arithmetic, and known mistakes."""
