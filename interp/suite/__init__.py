"""Implementations under test: the cases, the protocol, reports, and random programs."""
