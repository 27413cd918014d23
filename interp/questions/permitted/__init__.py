"""Judgements of other implementations' results: whether the specification permits them."""
