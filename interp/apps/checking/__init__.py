"""Checks of models for a build: constraints, suspicions, proofs, a first run; for people and code hosts."""
