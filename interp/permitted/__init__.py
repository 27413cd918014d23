"""Judgements of other implementations: whether some schedule gives a result."""
