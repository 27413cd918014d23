"""Recognised reductions, and how far their sums may reach: to the last number that types allow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from interp.speed.order_free import (
    Form,
    Plain,
    Reduction,
    init_shift,
    node_range,
    only_op,
    order_free,
    reduction_of,
)
from spec.ir import Op, Region, Value
from spec.schedule import LEFT
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, make_quantized
from tests.test_fast_paths_by_type import COARSE, FINER, SOURCE, WIDE, element, summing

I8, I32 = (TensorType((), ELEMENT_TYPES[name]) for name in ("i8", "i32"))
A, B, C, D = (Value(f"%{name}", I8) for name in "abcd")
OTHER, SUM = Value("%other", I32), Op("stablehlo.add", (A, B), (C,))
MOVED, NEAR = make_quantized("i8", "bf16", 0.3, 3), replace(COARSE, storage_min=-16, storage_max=13)
EIGHT, QUARTER = replace(WIDE, zero_points=(8,)), replace(WIDE, zero_points=(0,), storage_min=-(2**18))


@pytest.mark.parametrize(
    ("arguments", "ops", "returned", "name"),
    [
        ((A, B), (SUM,), C, "add"),
        ((A, B), (Op("stablehlo.add", (B, A), (C,)),), C, "add"),
        ((A, B), (Op("stablehlo.add", (A, A), (C,)),), C, ""),
        ((A, B), (SUM,), A, ""),
        ((A, B), (SUM, Op("stablehlo.add", (A, B), (D,))), C, ""),
        ((A, B), (), A, ""),
        ((A, B), (Op("stablehlo.compare", (A, B), (OTHER,)),), OTHER, ""),
        ((A, B, D), (Op("stablehlo.clamp", (A, B, D), (C,)),), C, ""),
        ((A, OTHER), (Op("stablehlo.add", (A, OTHER), (C,)),), C, ""),
    ],
)
def test_a_body_of_one_op_combines_its_arguments(
    arguments: tuple[Value, ...], ops: tuple[Op, ...], returned: Value, name: str
) -> None:
    assert only_op(Region(arguments, (*ops, Op("stablehlo.return", (returned,), ())))) == name


def test_leaves_and_inits_are_found_from_the_first_operand_on() -> None:
    """A select_and_scatter has its leaves behind its operand, and scatters in its last region."""
    op, selection = summing(1, SOURCE, FINER, WIDE), summing(1, SOURCE, SOURCE, SOURCE).regions
    scattering = replace(op, operands=(A, *op.operands), regions=(*selection, *op.regions))
    assert reduction_of(scattering, 1, LEFT, 10, 1) == Reduction("add", SOURCE, FINER, WIDE, 10, 1)
    assert init_shift(scattering) is None
    assert init_shift(replace(scattering, operands=(A, A, op.operands[0]))) == 2


@pytest.mark.parametrize(
    ("source", "init", "expected"),
    [
        ((5, 9), (2, 3), (0, 30)),
        ((-9, -5), (-3, -2), (-30, 0)),
        ((-1, 9), (2, 3), (-3, 30)),
        ((5, 9), (-2, -1), (-2, 27)),
    ],
)
def test_sums_reach_as_far_as_some_leaves_and_inits(
    source: tuple[int, int], init: tuple[int, int], expected: tuple[int, int]
) -> None:
    """Three leaves and an init; none of them is a sum as well."""
    least, greatest = zip(source, init, strict=True)
    types = [
        make_quantized("i8", "f32", 0.3, storage_min=a, storage_max=b)
        for a, b in zip(least, greatest, strict=True)
    ]
    assert node_range(Reduction("add", *types, make_quantized("i32", "f32", 0.3), 3, 1), 0) == expected
    assert node_range(Reduction("add", *types, make_quantized("i32", "f32", 0.3, 7), 3, 1), 7) == expected


@pytest.mark.parametrize(
    ("source", "accumulation", "n", "why", "dtype", "rest"),
    [
        (
            replace(QUARTER, storage_max=2**18 - 2),
            EIGHT,
            3,
            "nodes lie in [-1048568, 1048576] by type, in [-1048568, 1048576]",
            "int32",
            {"shift": 8},
        ),
        (
            replace(QUARTER, storage_max=2**18 - 1),
            EIGHT,
            3,
            "nodes lie in [-1048568, 1048580] by type, not in [-1048568, 1048576]",
            "int32",
            {"shift": 8, "within": (-1048568, 1048576)},
        ),
        (
            NEAR,
            MOVED,
            2,
            "nodes lie in [-45, 42] by type, not in [-13, 16]",
            "int8",
            {"shift": 3, "within": (-13, 16)},
        ),
        (
            make_quantized("u8", "f32", 0.3),
            WIDE,
            3,
            "nodes lie in [7, 1027] by type, in [-1048569, 1048576]",
            "int16",
            {"shift": 7},
        ),
    ],
)
def test_leaves_and_nodes_may_lie_at_the_ends_of_the_bound(
    source: QuantizedType, accumulation: QuantizedType, n: int, why: str, dtype: str, rest: dict
) -> None:
    these = Reduction("add", source, source, accumulation, n, 1)
    assert order_free(these) == Form("integer addition", why, these, "add", np.dtype(dtype), **rest)


def test_a_leaf_beyond_the_bound_is_no_node_of_integer_addition() -> None:
    """A leaf that only conversion shifts there counts too."""
    beyond = replace(NEAR, storage_max=14)
    found = order_free(Reduction("add", beyond, NEAR, MOVED, 2, 1))
    assert found == Plain("a leaf may be outside of [-13, 16], the bound of integer addition")


def test_a_choice_is_requantized_in_the_accumulation_type() -> None:
    """Requantized in the type of the leaves, the choice might change."""
    these = Reduction("maximum", COARSE, COARSE, WIDE, 3, 1)
    why, carrier = f"requantizing in {WIDE!r} keeps every leaf and init", np.dtype(np.int8)
    expected = Form("maximum of storage", why, these, "maximum", carrier, is_shift=False)
    assert order_free(these) == expected


@pytest.mark.parametrize("types", [("i1", "i32", "i32"), ("i32", "i1", "i32"), ("i32", "i32", "i1")])
def test_booleans_are_no_integers(types: tuple[str, str, str]) -> None:
    source, init, accumulation = map(element, types)
    found = order_free(Reduction("and", source, init, accumulation, 3, 1))
    assert found == Plain(f"no theorem about and of {types[2]}")
