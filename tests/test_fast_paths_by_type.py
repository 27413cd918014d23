"""Fast paths that types decide, word by word, and the requantization of a form's total."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import interp
from interp.engine.evaluate import Listener
from interp.execute.plan import Seen
from interp.speed.order_free import (
    Form,
    Plain,
    Reduction,
    init_shift,
    order_free,
    reduction_of,
    smallest_integer,
)
from spec.ir import Op
from spec.schedule import parse
from spec.types import ELEMENT_TYPES, QuantizedType, make_quantized, parse_element_type
from tests.library.builders import Element, module, reduce
from tests.library.strategies.programs import stored

SOURCE, WIDE = make_quantized("i8", "f32", 0.3, 5), make_quantized("i32", "f32", 0.3, 7)
FINER, COARSE = make_quantized("i32", "f32", 0.1, 7), make_quantized("i8", "bf16", 0.3)
FAR, FLOATS = make_quantized("i8", "bf16", 0.3, 100), parse_element_type("!quant.uniform<f8E4M3FN:f32, 0.5>")
UNSIGNED, SHORT = make_quantized("u8", "f32", 0.3, 7), make_quantized("i16", "f32", 0.3, 7)
PER_AXIS = replace(SOURCE, scales=(0.3, 0.5), zero_points=(0, 0), quantization_dimension=0)
KEEPS = "keeps every leaf and init"
NO_TYPES = "its types are neither all integers nor all quantized per tensor"


def summing(arity: int, source: Element, init: Element, accumulation: Element, operation: str = "add") -> Op:
    """A reduce of ten elements by a body of one op for each of its operands."""
    return reduce(operation, source, accumulation, (10,), arity=arity, init=init)


def element(type: str | QuantizedType) -> Element:
    return ELEMENT_TYPES[type] if isinstance(type, str) else type


@pytest.mark.parametrize(
    ("operation", "types", "why"),
    [
        ("minimum", ("ui8", "ui8", "i8"), "conversion from ui8 to i8 may wrap"),
        ("maximum", ("i8", "i8", "ui16"), "conversion from i8 to ui16 may wrap"),
        ("divide", ("i32", "i32", "i32"), "no theorem about divide of i32"),
        ("", ("i32", "i32", "i32"), "no theorem about a body of several ops of i32"),
        ("add", ("i1", "i1", "i32"), "no theorem about add of i32"),
        ("add", ("f32", "f32", "f32"), NO_TYPES),
        ("add", ("i32", "i32", "f32"), NO_TYPES),
        ("add", ("i32", "i32", WIDE), NO_TYPES),
        ("add", (SOURCE, PER_AXIS, WIDE), NO_TYPES),
        ("add", (SOURCE, FLOATS, WIDE), NO_TYPES),
        ("multiply", (SOURCE, SOURCE, WIDE), "no theorem about multiply of quantized elements"),
        ("", (SOURCE, SOURCE, WIDE), "no theorem about a body of several ops of quantized elements"),
        ("add", (SOURCE, SOURCE, FINER), f"conversion from {SOURCE!r} to {FINER!r} is not a shift"),
        ("add", (COARSE,) * 3, "a leaf may be outside of [-16, 16], the bound of integer addition"),
        ("add", (FAR,) * 3, f"no bound makes add on {FAR!r} integer addition"),
        ("minimum", (COARSE,) * 3, f"requantizing in {COARSE!r} may change what {COARSE!r} becomes there"),
    ],
)
def test_types_that_decide_nothing_say_why(
    operation: str, types: tuple[str | QuantizedType, ...], why: str
) -> None:
    source, init, accumulation = map(element, types)
    assert order_free(Reduction(operation, source, init, accumulation, 3, 1)) == Plain(why)
    assert order_free(Reduction(operation, source, init, accumulation, 0, 1)) == Plain("it has no leaves")


@pytest.mark.parametrize(
    ("reduction", "theorem", "why", "combine", "dtype", "rest"),
    [
        (("add", "i8", "i8", "i32", 3, 1), "wrapping add", "i32 is a ring modulo 2^32", "add", "int32", {}),
        (
            ("add", "i1", "i1", "i1", 3, 1),
            "bitwise add",
            "every bit is combined for itself",
            "bitwise_or",
            "bool",
            {},
        ),
        (
            ("maximum", "i8", "i8", "i32", 3, 1),
            "exact maximum",
            "integers are ordered",
            "maximum",
            "int8",
            {},
        ),
        (("minimum", "i8", "i8", "i8", 3, 1), "exact minimum", "integers are ordered", "minimum", "int8", {}),
        (
            ("add", SOURCE, SOURCE, WIDE, 3, 2),  # 3 leaves and 2 inits of 133 less or 122 more than zero
            "integer addition",
            "nodes lie in [-658, 617] by type, in [-1048569, 1048576]",
            "add",
            "int16",
            {"shift": 2},
        ),
        (
            ("add", SOURCE, SOURCE, WIDE, 8192, 1),
            "integer addition",
            "nodes lie in [-1089662, 999553] by type, not in [-1048569, 1048576]",
            "add",
            "int32",
            {"shift": 2, "within": (-(2**20) + 7, 2**20)},
        ),
        (
            ("maximum", SOURCE, SOURCE, WIDE, 3, 1),
            "maximum of storage",
            f"requantizing in {WIDE!r} {KEEPS}",
            "maximum",
            "int8",
            {"shift": 2},
        ),
        (
            ("minimum", SOURCE, SOURCE, FINER, 3, 1),
            "minimum of storage",
            f"requantizing in {FINER!r} {KEEPS}",
            "minimum",
            "int8",
            {"is_shift": False},
        ),
    ],
)
def test_types_that_decide_say_what_and_why(
    reduction: tuple, theorem: str, why: str, combine: str, dtype: str, rest: dict
) -> None:
    operation, *types, n, inits = reduction
    these = Reduction(operation, *map(element, types), n, inits)
    assert order_free(these) == Form(theorem, why, these, combine, np.dtype(dtype), **rest)


@pytest.mark.parametrize(
    ("n", "least", "greatest", "bits"),
    [
        (1, -128, 127, 8),
        (1, -129, 0, 16),
        (1, 0, 128, 16),
        (1, 5, 6, 8),
        (1, -6, -5, 8),
        (2, -64, 63, 8),
        (2, -65, 0, 16),
        (2, 0, 64, 16),
        (3, 0, 42, 8),
        (256, -128, 127, 16),
        (257, -128, 127, 32),
        (2**16, -(2**15), 0, 32),
        (2**16 + 1, -(2**15), 0, 64),
    ],
)
def test_the_smallest_integers_hold_every_sum(n: int, least: int, greatest: int, bits: int) -> None:
    assert smallest_integer(n, least, greatest) == np.dtype(f"int{bits}")


@pytest.mark.parametrize(
    ("schedule", "inits"),
    [("left", 1), ("balanced", 1), ("random(3)", 1), ("blocks(10)", 1), ("blocks(4)", 3), ("blocks(5)", 2)],
)
def test_a_schedule_has_so_many_inits(schedule: str, inits: int) -> None:
    op = summing(1, SOURCE, FINER, WIDE)
    assert reduction_of(op, 0, parse(schedule), 10) == Reduction("add", SOURCE, FINER, WIDE, 10, inits)


def test_a_body_of_two_operands_has_no_form() -> None:
    found = reduction_of(summing(2, SOURCE, SOURCE, WIDE), 0, parse("left"), 10)
    assert found == Plain("its body combines 2 operands")


@pytest.mark.parametrize("schedule", ["tree(0 1)", "windows(2)"])
def test_a_schedule_of_any_number_of_inits_has_no_form(schedule: str) -> None:
    found = reduction_of(summing(1, SOURCE, SOURCE, WIDE), 0, parse(schedule), 10)
    assert found == Plain(f"the schedule {schedule.partition('(')[0]} may repeat the init value")


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum", "and", "or", "xor"])
@pytest.mark.parametrize("types", [("i4", "i4", "i4"), ("i4", "i4", "ui4"), ("i8", "i8", "i32"), ("i1",) * 3])
@pytest.mark.parametrize("schedule", ["left", "balanced", "blocks(3)", "blocks(4)", "blocks(5)"])
def test_forms_of_plain_integers_are_the_fold(name: str, types: tuple[str, str, str], schedule: str) -> None:
    """One, two, three and four inits are tried."""
    op, heard = summing(1, *map(element, types), name), Seen(parse(schedule))
    program, rng = module(op), np.random.default_rng(5)
    for _ in range(5):
        args = [stored(rng, value.type) for value in op.operands]
        (fast,) = interp.run(program, *args, schedule=schedule, listeners=[heard])
        (plain,) = interp.run(program, *args, schedule=schedule, listeners=[Listener()])
        assert fast == plain
    ordered = name in ("maximum", "minimum")
    wraps = name in ("add", "multiply")
    kind = "bitwise" if "i1" in types else "exact" if ordered else "wrapping" if wraps else "bitwise"
    refused = kind == "exact" and types == ("i4", "i4", "ui4")
    assert {row.tried[0][0] for row in heard.plan.rows} == {"plain fold" if refused else f"{kind} {name}"}


@pytest.mark.parametrize(
    ("name", "types", "theorem"),
    [
        ("add", (SOURCE, SOURCE, WIDE), "integer addition"),
        ("add", (SOURCE, WIDE, WIDE), "integer addition by data"),
        ("maximum", (SOURCE, SOURCE, WIDE), "maximum of storage"),
        ("minimum", (SOURCE, SOURCE, SOURCE), "minimum of storage"),
        ("maximum", (SOURCE, SOURCE, FINER), "maximum of storage"),
        ("minimum", (UNSIGNED, SHORT, WIDE), "minimum of storage"),
        ("maximum", (UNSIGNED, SHORT, WIDE), "maximum of storage"),
    ],
)
@pytest.mark.parametrize("schedule", ["left", "balanced", "blocks(4)", "blocks(5)"])
def test_forms_of_storage_are_the_fold(
    name: str, types: tuple[QuantizedType, ...], theorem: str, schedule: str
) -> None:
    """One, two and three inits are tried, near the zero point and beyond the leaves."""
    op, heard = summing(1, *types, name), Seen(parse(schedule))
    program, x = module(op), stored(np.random.default_rng(5), op.operands[0].type)
    for start in np.clip((-300, 9, 300), types[1].storage_min, types[1].storage_max):
        args = x, start.astype(types[1].storage_type.numpy)
        (fast,) = interp.run(program, *args, schedule=schedule, listeners=[heard])
        (plain,) = interp.run(program, *args, schedule=schedule, listeners=[Listener()])
        assert fast == plain
    assert {row.tried[0][0] for row in heard.plan.rows} == {theorem}


@pytest.mark.parametrize(
    ("init", "accumulation", "shift"),
    [
        (SOURCE, WIDE, 2),
        (WIDE, WIDE, 0),
        (SOURCE, FINER, None),
        (PER_AXIS, WIDE, None),
        (SOURCE, replace(PER_AXIS, zero_points=(5, 5)), None),
        (FLOATS, WIDE, None),
        (SOURCE, FLOATS, None),
        ("i8", "i32", None),
        ("f32", WIDE, None),
    ],
)
def test_an_init_may_be_shifted(
    init: str | QuantizedType, accumulation: str | QuantizedType, shift: int | None
) -> None:
    assert init_shift(summing(1, SOURCE, element(init), element(accumulation))) == shift
