"""Promotion of element types in a reduction, in jaxlib's verifier and in the reduction RFC."""

from __future__ import annotations

from spec.rules.members import Element, baseline_element_type, is_promotable, kind


def is_integer(type: Element) -> bool:
    return kind(type) in ("signed", "unsigned")


def is_same_kind(x: Element, y: Element) -> bool:
    """Return whether kinds agree, as rows A, F and G of the RFC's table say, and H for complex (E15)."""
    return kind(x) == kind(y) or (is_integer(x) and is_integer(y))


def is_promotable_in_mlir(x: Element, y: Element) -> bool:
    """Return whether jaxlib's verifier promotes (E6): any float to any, a boolean like a 1-bit integer."""
    kinds = {kind(x), kind(y)}
    if "quantized" in kinds or kinds == {"complex"}:
        return is_promotable(x, y)
    return kinds == {"float"} or (kinds <= {"boolean", "signed", "unsigned"} and x.bits <= y.bits)  # type: ignore[union-attr]


def is_same_in_mlir(x: Element, y: Element) -> bool:
    """Return whether types are equal except for scales and zero points (errata E12, E14)."""
    return baseline_element_type(x) == baseline_element_type(y)


def is_same_but_precision(x: Element, y: Element) -> bool:
    """Return whether jaxlib's verifier accepts a type as source: any float for a float."""
    return x == y or kind(x) == kind(y) == "float"


def is_rfc_result(result: Element, input: Element, E: Element) -> bool:
    """Return whether a result type is the body's (C8) or has the input's baseline (erratum E7)."""
    return result == E or is_same_in_mlir(result, input)
