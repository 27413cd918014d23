"""`permits` in the integer reading: against every choice of neighbours and accumulators, by brute force."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.questions.permitted.integer_reading import uniform
from spec.accumulator import accumulator_of
from tests.library.builders import chained, contracting, reduced, single
from tests.library.oracles.trees import trees
from tests.test_engine import RANDOM

HALF, ONE, Q = (f"!quant.uniform<i8:f32, {text}>" for text in ("0.5", "1.0", "0.75:3"))
STORED = st.integers(-128, 127)


def judged(module: interp.Module, args: Any, given: Any, **options: Any) -> str:
    found = interp.permits(module, args, (given,), reading="integer", **options)
    assert found.reading == "integer"
    (kind,) = found.counts
    return "permitted" if kind == "exact" else kind


def clipped(m: int) -> int:
    return min(max(m, -128), 127)


def neighbours(x: Fraction) -> set[int]:
    return {floor(x), ceil(x)}


FUNCTIONS = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "maximum": max,
    "minimum": min,
}


@pytest.mark.slow("draws for each operation", rows=1)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_elementwise_results_are_those_of_some_neighbours(name: str) -> None:
    @RANDOM
    @given(STORED, STORED, STORED)
    def check(a: int, b: int, given: int) -> None:
        pairs = product(neighbours(Fraction(a, 2)), neighbours((b - 3) * Fraction(3, 4)))
        results = {clipped(FUNCTIONS[name](*pair)) for pair in pairs}
        module = single(name, f"1x{HALF}; 1x{Q} -> 1x{ONE}")
        for x in {given, *results, max(results) + 1, min(results) - 1} & set(range(-128, 128)):
            wanted = "permitted" if x in results else "not permitted"
            assert judged(module, (np.int8([a]), np.int8([b])), np.int8([x])) == wanted

    check()


def root(node: Any, leaves: list[int], hold: Callable[[int], int]) -> int:
    """The value of a tree's root: every sum is held in some way."""
    if isinstance(node, int):
        return leaves[node]
    return hold(sum(root(child, leaves, hold) for child in node))


THREE = st.lists(STORED, min_size=3, max_size=3)


@pytest.mark.slow("enumerates trees")
@RANDOM
@given(THREE, THREE, st.sampled_from([32, 16, 12, 8]))
def test_contractions_are_those_of_some_tree_and_accumulator(x: list[int], y: list[int], bits: int) -> None:
    """Verdicts agree with all trees; "unknown" is said only where a sum may overflow."""
    type = accumulator_of(bits).type
    clamp = lambda v: min(max(v, type.min_value), type.max_value)
    leaves = [0, *((a - 3) * b for a, b in zip(x, y, strict=True))]
    sums = {root(tree, leaves, hold) for tree in trees(0, 4) for hold in (clamp, lambda v: wrapped(v, bits))}
    results = {clipped(m) for total in sums for m in neighbours(total * Fraction(3, 8))}
    module = single("dot_general", f"1x3x{Q}; 3x1x{HALF} -> 1x1x{ONE}", **contracting(1))
    args = np.int8([x]), np.int8(y).reshape(3, 1)
    for value in {*results, *range(-128, 128, 32), 127}:
        found = judged(module, args, np.int8([[value]]), accumulator=bits)
        assert found in ("permitted" if value in results else "not permitted", "unknown")
        if found == "unknown":
            assert sum(map(abs, leaves)) > type.max_value
    (ours,) = interp.run(module, *args, reading="integer", accumulator=bits)
    assert judged(module, args, ours.storage, accumulator=bits) == "permitted"


def wrapped(value: int, bits: int) -> int:
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


@RANDOM
@given(st.lists(STORED, min_size=2, max_size=5), STORED, STORED)
def test_reductions_of_one_scale_are_judged_by_every_tree(x: list[int], init: int, given: int) -> None:
    """The type is bf16, in which the dequantize reading gives other sums."""
    type = "!quant.uniform<i8:bf16, 0.3>"
    module = reduced(f"{len(x)}x{type}")
    args = np.int8(x), np.int8(init)
    results = {root(tree, [init, *x], clipped) for tree in trees(0, len(x) + 1)}
    for value in {given, *results}:
        wanted = "permitted" if value in results else "not permitted"
        assert judged(module, args, np.int8(value), inits="one") == wanted


def test_a_value_that_is_used_twice_is_one_choice() -> None:
    """x * x is 2.25 in units of 1, so 2 or 3, and twice that 4 or 6, not 5."""
    type = "!quant.uniform<i8:f32, 0.5>"
    module = chained(f"a: 1x{type}", "b = multiply a a", "add b b")  # 3 * 3 * 0.25 / 0.5 = 4.5
    x = np.int8([3])
    assert [judged(module, (x,), np.int8([v])) for v in (7, 8, 9, 10, 11)] == [
        "not permitted",
        "permitted",
        "unknown",
        "unknown",
        "not permitted",
    ]


def test_a_value_that_is_returned_twice_is_one_choice() -> None:
    """2.5 + 2.5 is rescaled to 4, 5 or 6, once: both results are equal, and their difference is 0."""
    half, one = (f"tensor<1x!quant.uniform<i8:f32, {scale}>>" for scale in ("0.5", "1.0"))
    sum_ = f"%0 = stablehlo.add %x, %y : ({half}, {half}) -> {one}"
    main = f"func.func @main(%x: {half}, %y: {half}) ->"
    both = interp.load(f"{main} ({one}, {one}) {{ {sum_}\n return %0, %0 : {one}, {one} }}")
    apart = interp.load(f"""
        func.func @twice(%x: {one}) -> ({one}, {one}) {{ return %x, %x : {one}, {one} }}
        {main} {one} {{
          {sum_}
          %1:2 = call @twice(%0) : ({one}) -> ({one}, {one})
          %2 = stablehlo.subtract %1#0, %1#1 : {one}
          return %2 : {one}
        }}""")
    x = np.int8([5])
    for a, b in product((4, 5, 6), repeat=2):
        ok = interp.permits(both, (x, x), [np.int8([a]), np.int8([b])], reading="integer").ok
        assert not ok or a == b
    assert [judged(apart, (x, x), np.int8([v])) for v in (-1, 0, 1)] == ["unknown", "permitted", "unknown"]


def test_a_value_that_is_returned_and_used_is_one_choice() -> None:
    """9 * 9 * 0.25 = 20.25 is stored as 20 or 21, and the minimum of that number and itself is the same."""
    type = "tensor<1x!quant.uniform<i8:f32, 0.25>>"
    module = interp.load(f"""func.func @main(%x: {type}) -> ({type}, {type}) {{
        %0 = stablehlo.multiply %x, %x : {type}
        %1 = stablehlo.minimum %0, %0 : {type}
        return %0, %1 : {type}, {type}
      }}""")
    for a, b in product((20, 21), repeat=2):
        results = [np.int8([a]), np.int8([b])]
        found = interp.permits(module, (np.int8([9]),), results, reading="integer")
        assert not found.is_refuted if a == b else not found.ok


def test_what_is_not_read_in_integers_is_judged_as_it_is() -> None:
    type = "!quant.uniform<i8:f32, 0.5>"
    module = single("exponential", f"1x{type} -> 1x{type}")
    (right,) = interp.run(module, np.int8([2]))
    assert judged(module, (np.int8([2]),), right.storage) == "permitted"
    assert judged(module, (np.int8([2]),), right.storage + np.int8(1)) == "not permitted"


def test_a_requantization_is_not_guessed() -> None:
    module = single("uniform_quantize", f"1x{HALF} -> 1x{ONE}")
    assert [judged(module, (np.int8([5]),), np.int8([v])) for v in (1, 2, 3, 4)] == [
        *("not permitted", "permitted", "unknown", "not permitted")
    ]


def test_the_reproduction_names_the_reading() -> None:
    module = single("multiply", f"1x{HALF}; 1x{HALF} -> 1x{ONE}")
    args, options = (np.int8([9]), np.int8([9])), {"reading": "integer", "accumulator": "i8"}
    found = interp.permits(module, args, (np.int8([99]),), **options)
    assert "reading='integer', accumulator='i8')" in repr(found)
    assert "outside of [20, 21]" in repr(found)


def test_only_programs_of_one_scale_are_uniform() -> None:
    one = reduced(f"4x{HALF}")
    assert uniform(one, one.main)
    for other in (
        reduced(f"4x{HALF}", "!quant.uniform<i32:f32, 0.25>"),
        single("multiply", f"1x{HALF}; 1x{HALF} -> 1x{HALF}"),
        single("exponential", f"1x{HALF} -> 1x{HALF}"),
        single("uniform_dequantize", f"1x{HALF} -> 1xf32"),
    ):
        assert uniform(other, other.main) is None
