"""Algorithms of dot_general with several products, by the bits of their parts and in fractions."""

from __future__ import annotations

import struct
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import interp
from spec.types import ELEMENT_TYPES
from tests.library.oracles.exact_model import combined, fl

F32, BF16 = ELEMENT_TYPES["f32"], ELEMENT_TYPES["bf16"]
TERMS = {3: ["lh", "hl"], 6: ["mm", "hl", "lh", "hm", "mh"]}
TERMS[9] = ["ll", "lm", "ml", *TERMS[6]]


def dot(n: int, k: int, count: int, type: str = "bf16", components: int = 1) -> str:
    """A dot_general of one row and one column of k numbers, n of each."""
    types = f"(tensor<{n}x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<{n}x{n}xf32>"
    algorithm = f"""lhs_precision_type = {type}, rhs_precision_type = {type}, accumulation_type = f32,
      lhs_component_count = {components}, rhs_component_count = {components},
      num_primitive_operations = {count}, allow_imprecise_accumulation = false"""
    return f"""func.func @main(%a: tensor<{n}x{k}xf32>, %b: tensor<{k}x{n}xf32>) -> tensor<{n}x{n}xf32> {{
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <{algorithm}> : {types}
      return %0 : tensor<{n}x{n}xf32> }}"""


def leading(x: Fraction) -> Fraction:
    """The number that the upper 16 bits of an f32 are."""
    bits = struct.unpack("<I", struct.pack("<f", float(x)))[0] & 0xFFFF0000
    return Fraction(struct.unpack("<f", struct.pack("<I", bits))[0])


def parts(x: Fraction, count: int) -> dict[str, Any]:
    found, rest = {}, x
    for letter in "h" if count == 3 else "hm":
        found[letter] = leading(rest)
        rest -= found[letter]  # exact: the trailing bits
    return {**found, "l": fl(rest, BF16)}


def expected(row: Any, column: Any, count: int) -> float:
    pairs = [
        (parts(Fraction(float(x)), count), parts(Fraction(float(y)), count))
        for x, y in zip(row, column, strict=True)
    ]
    sums = []
    for left, right in [*TERMS[count], "hh"]:
        total: Any = Fraction(0)
        for x, y in pairs:
            total = combined("+", total, combined("*", x[left], y[right], F32), F32)
        sums.append(total)
    result = sums[0]
    for term in sums[1:]:
        result = combined("+", result, term, F32)
    return float(result)


@pytest.mark.parametrize("count", TERMS)
def test_terms_of_parts_are_added_from_the_smallest(count: int) -> None:
    random = np.random.default_rng(count)
    lhs, rhs = (random.standard_normal(shape).astype(np.float32) for shape in ((2, 5), (5, 2)))
    (result,) = interp.run(dot(2, 5, count), lhs, rhs)
    assert result.tolist() == [[expected(lhs[i], rhs[:, j], count) for j in range(2)] for i in range(2)]


def test_products_of_low_parts_count_from_six_on() -> None:
    """(1 + 2^-9)^2 - 1: the square of 2^-9 is a product of middle parts, which x3 leaves out."""
    x = 1 + 2.0**-9
    args = np.array([[x, -1]], np.float32), np.array([[x], [1]], np.float32)
    texts = [dot(1, 2, n, type) for n, type in ((3, "bf16"), (6, "bf16"), (9, "bf16"), (3, "tf32"))]
    found = [interp.run(text, *args)[0].item() - 2.0**-8 for text in texts]
    assert found == [0, 2.0**-18, 2.0**-18, 2.0**-18]


@pytest.mark.parametrize(("count", "components"), [(3, 2), (6, 3), (9, 3)])
def test_the_specification_s_spelling_counts_components(count: int, components: int) -> None:
    assert interp.load(dot(1, 1, count, "bf16", components)) == interp.load(dot(1, 1, count))


def test_the_rest_of_an_infinity_is_no_nan() -> None:
    args = np.array([[np.inf, 0]], np.float32), np.ones((2, 1), np.float32)
    assert [interp.run(dot(1, 2, n), *args)[0].item() for n in TERMS] == [np.inf] * 3
