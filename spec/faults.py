"""Faults of kernels that a program reproduces: the attribute `interp.fault` of an operation says which.

An operation of booleans has the fault at its true elements, any other at all elements of its result.
"""

from __future__ import annotations

from spec.ir import Op

NAME = "interp.fault"


def has_fault(op: Op) -> bool:
    """Return whether an operation names a fault of the kernel that it stands for."""
    return NAME in op.attributes


def fault_of(op: Op) -> str:
    """Return what is wrong with the kernel that an operation stands for, or ""."""
    return str(op.attributes.get(NAME, ""))
