"""Recipes of requantization: by hand, against the oracle, compiled, and what they do not define."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import interp
from spec.accumulator import Accumulator, Reading, reading_named
from spec.errors import Malformed, Unspecified, Unsupported
from spec.meaning.evaluate import evaluate
from spec.quantized import QuantizedType
from spec.recipes import RECIPES
from spec.schedule import parse
from spec.types import TensorType, make_quantized
from tests.library.builders import contracting, module, operation, reduced, single
from tests.library.strategies.programs import PROGRAMS, Program, leaves
from tests.test_engine import RANDOM, SCHEDULES, oracle_tensor, same
from tests.test_engine import stored as storage_of

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
STORAGE = ("i8", "u8", "i16", "i32")
SCALES = st.one_of(
    st.sampled_from([1.0, 0.5, 0.25, 2.0**-20, 2.0**20, 0.3, 1e-9, 1e9, 2.0**-31, 2.0**-32, 2.0**-33]),
    st.floats(1e-4, 10.0),
).map(lambda x: float(np.float32(x)))
BINARY = ("add", "maximum", "minimum", "multiply", "subtract")
UNARY = ("abs", "negate", "uniform_quantize")
WIDTHS = st.sampled_from([32, 32, 32, 16, 48, 64])
WAYS = st.builds(
    Reading,
    st.just("integer"),
    st.builds(Accumulator, WIDTHS, st.booleans()),
    st.sampled_from([*RECIPES]),
    st.just(False),
)


@st.composite
def types(draw: st.DrawFn, storage: str | None = None, channels: int = 0) -> QuantizedType:
    """Draw parameters of a type, of several channels along dimension 1, or per tensor."""
    held = storage or draw(st.sampled_from(STORAGE))
    points = st.integers(-3, 3).map(lambda x: x + 128 * (held == "u8")) if held[1:] == "8" else st.just(0)
    if not channels:
        return make_quantized(held, "f32", draw(SCALES), draw(points))
    scales = draw(st.lists(SCALES, min_size=channels, max_size=channels))
    return make_quantized(held, "f32", tuple(scales), (0,) * channels, quantization_dimension=1)


def elements(type: QuantizedType, shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Return elements of which half are ends of the range, the zero point, or near to them."""
    rng, low, high = np.random.default_rng(seed), type.storage_min, type.storage_max
    edges = [low, low + 1, high - 1, high, *(type.zero_points[0] + d for d in (-1, 0, 1))]
    drawn = rng.integers(low, high, shape, endpoint=True)
    x = np.where(rng.random(shape) < 0.5, rng.choice(edges, shape), drawn)
    return np.asarray(np.clip(x, low, high), type.storage_type.numpy)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Draw a program of one operation that a recipe is about, on operands of several scales."""
    name = draw(st.sampled_from((*BINARY, *UNARY, "dot_general")))
    storage = None if name == "uniform_quantize" else draw(st.sampled_from(STORAGE))
    if name == "dot_general":
        channels = draw(st.sampled_from([0, 3]))
        lhs = draw(types(draw(st.sampled_from(["i8", "i16", "i8"]))))
        rhs = draw(types(lhs.storage_type.name, channels))
        rhs = replace(rhs, zero_points=(0,) * len(rhs.scales))
        shapes, attributes = [(2, 5), (5, 3)], contracting(1)
        inputs = [lhs, rhs]
        result = TensorType((2, 3), draw(types()))
    else:
        inputs = [draw(types(storage)) for _ in range(1 if name in UNARY else 2)]
        shapes, attributes, result = [(7,)] * len(inputs), {}, TensorType((7,), draw(types(storage)))
    operands = [TensorType(shape, type) for shape, type in zip(shapes, inputs, strict=True)]
    seeds = draw(st.integers(0, 99))
    args = tuple(elements(type, shape, seeds) for type, shape in zip(inputs, shapes, strict=True))
    return Program(module(operation(name, operands, result, **attributes)), args)


def outcome(compute: Any) -> Any:
    """Return results, or `Unspecified` where a recipe does not define them.

    What the engine does not support, the rescaling of a sum's operands beyond 59 bits, is not compared.
    """
    try:
        return [np.asarray(x) for x in compute()]
    except Unspecified:
        return Unspecified
    except Unsupported as error:
        if "have at most 59 bits" not in str(error):
            raise
        reject()


def ours(program: Program, tree: Any, reading: Reading) -> Any:
    results = lambda: interp.run(program.module, *program.args, schedule=tree, reading=reading)
    return outcome(lambda: [x.storage for x in results()])


def theirs(program: Program, tree: Any, reading: Reading) -> Any:
    pairs = zip(program.args, program.module.main.inputs, strict=True)
    args = [oracle_tensor(x, value.type) for x, value in pairs]
    return outcome(lambda: map(storage_of, evaluate(program.module, args, parse(tree), reading=reading)))


def agree(program: Program, tree: Any, reading: Reading) -> None:
    found, expected = ours(program, tree, reading), theirs(program, tree, reading)
    if found is Unspecified or expected is Unspecified:
        assert found is expected
    else:
        assert all(same(x, y) for x, y in zip(found, expected, strict=True))


@settings(RANDOM, max_examples=500)
@given(programs(), WAYS)
def test_every_recipe_equals_the_oracle(program: Program, reading: Reading) -> None:
    agree(program, "left", reading)


@settings(RANDOM, max_examples=60)
@given(PROGRAMS, SCHEDULES, WAYS)
def test_reductions_by_a_recipe_equal_the_oracle(program: Program, tree: Any, reading: Reading) -> None:
    results = program.module.main.results
    if leaves(program) < 500 and all(type.size for type in results):
        agree(program, tree, reading)


# By hand ---------------------------------------------------------------------------------------------------


def by_hand(name: str, signature: str, *args: Any, **ways: Any) -> list[int]:
    program = single(name, signature)
    given = [np.asarray(x, v.type.storage_type.numpy) for x, v in zip(args, program.main.inputs, strict=True)]
    found = [int(x) for x in interp.run(program, *given, reading="integer", **ways)[0].storage]
    agree(Program(program, tuple(given)), "left", reading_named("integer", **ways))
    return found


WIDE, FINER = (f"!quant.uniform<i32:f32, {scale}>" for scale in (1.0, 0.5))
SHORT = "!quant.uniform<i16:f32, 0.5>"
CHANNEL, OTHER = (f"!quant.uniform<i8:f32:0, {{{scale}}}>" for scale in (0.25, 0.5))
HALF, ONE = "!quant.uniform<i8:f32, 0.5>", "!quant.uniform<i8:f32, 1.0>"


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [
        ("exact", [0, 2, 2, 0, -2, -2]),  # 0.5, 1.5, 2.5: half to even
        ("specification", [0, 2, 2, 0, -2, -2]),
        ("float", [0, 2, 2, 0, -2, -2]),
        ("onnx", [0, 2, 2, 0, -2, -2]),
        ("tflite_single", [1, 2, 3, 0, -1, -2]),  # half up
        ("tosa", [1, 2, 3, 0, -1, -2]),
        ("tflite_double", [1, 2, 3, 0, -1, -2]),  # a multiplier of 1/2 needs no shift to the right
    ],
)
def test_ties_are_rounded_as_the_recipe_says(recipe: str, expected: list[int]) -> None:
    assert (
        by_hand("uniform_quantize", f"6x{HALF} -> 6x{ONE}", [1, 3, 5, -1, -3, -5], recipe=recipe) == expected
    )


def test_two_roundings_differ_from_one() -> None:
    """Quarters: halves are rounded to whole numbers, and these divided by 2 again: 1 goes to 1 and to 1."""
    quarter = "!quant.uniform<i8:f32, 0.25>"
    for recipe, expected in (("tflite_double", [1, -1, 1, 1]), ("tflite_single", [1, 0, 1, 0])):
        found = by_hand("uniform_quantize", f"4x{quarter} -> 4x{ONE}", [2, -2, 3, 1], recipe=recipe)
        assert found == expected, recipe


def test_the_zero_point_is_added_before_or_after_rounding() -> None:
    """0.5 + 1 is 1.5, which goes to 2; 0.5 goes to 0, and 0 + 1 is 1."""
    moved = "!quant.uniform<i8:f32, 1.0:1>"
    for recipe, expected in (("specification", [2]), ("onnx", [1]), ("exact", [1])):
        assert by_hand("uniform_quantize", f"1x{HALF} -> 1x{moved}", [1], recipe=recipe) == expected


def test_operands_are_rescaled_together_or_apart() -> None:
    """2.5 + 2.5: each to 2, or in units of 2^-19, where they are exact."""
    sums = {name: by_hand("add", f"1x{HALF}; 1x{HALF} -> 1x{ONE}", [5], [5], recipe=name) for name in ROWS}
    assert sums == {
        "exact": [4],
        "float": [4],
        **{name: [5] for name in ("specification", "onnx", "onnxruntime", *FIXED)},
    }


FIXED = ("tflite_single", "tflite_double", "tosa")
ROWS = ("specification", "exact", "float", "onnx", "onnxruntime", *FIXED)


def test_sums_by_ratios_depend_on_the_order_of_operands() -> None:
    """-0.2 + 10.7 + 5 is a tie; in f32 the ratios are a little above 0.1, and multiply-adds round twice."""
    types = ((0.01, 3), (0.01, 100), (0.1, 5))
    x, y, out = (f"!quant.uniform<u8:f32, {float(np.float32(s))!r}:{z}>" for s, z in types)
    assert by_hand("add", f"1x{x}; 1x{y} -> 1x{out}", [1], [207], recipe="onnxruntime") == [16]
    assert by_hand("add", f"1x{y}; 1x{x} -> 1x{out}", [207], [1], recipe="onnxruntime") == [15]


def test_a_product_beyond_f32_is_rounded_in_float_and_not_in_fixed_point() -> None:
    """2^24 + 1 is no number of f32."""
    wide, same = "!quant.uniform<i32:f32, 1.0>", "!quant.uniform<i32:f32, 0.5>"
    big = [2**24 + 1]
    assert by_hand("uniform_quantize", f"1x{wide} -> 1x{same}", big, recipe="exact") == [2**25 + 2]
    assert by_hand("uniform_quantize", f"1x{wide} -> 1x{same}", big, recipe="float") == [2**25]
    assert by_hand("uniform_quantize", f"1x{wide} -> 1x{same}", big, recipe="tflite_single") == [2**25 + 2]


def test_double_rounding_wraps_what_it_shifts_out_of_32_bits() -> None:
    wide = "!quant.uniform<i32:f32, 1.0>"
    # A multiplier of 1 is 2^30 * 2^1: 2^30 becomes -2^31 when it is shifted.
    found = by_hand("uniform_quantize", f"1x{wide} -> 1x{ONE}", [2**30], recipe="tflite_double")
    assert found == [-128]
    assert by_hand("uniform_quantize", f"1x{wide} -> 1x{ONE}", [2**30], recipe="tflite_single") == [127]


# Options, defaults, errors ---------------------------------------------------------------------------------


def test_the_default_is_exact_and_a_requantization_is_as_specified() -> None:
    """`uniform_quantize` means what the specification says unless a recipe is chosen."""
    moved = "!quant.uniform<i8:f32, 1.0:1>"
    assert reading_named("integer").recipe == "exact"
    assert reading_named("dequantize").recipe == "specification"
    program, x = single("uniform_quantize", f"1x{HALF} -> 1x{moved}"), np.int8([1])
    assert interp.run(program, x, reading="integer")[0].storage.tolist() == [2]
    assert interp.run(program, x, reading="integer", recipe="exact")[0].storage.tolist() == [1]


def test_a_wrong_recipe_says_what_is_expected() -> None:
    program, x = single("negate", f"1x{HALF} -> 1x{HALF}"), np.int8([1])
    with pytest.raises(Malformed, match=r"'tflite' is not a recipe(.|\n)*tflite_double"):
        interp.run(program, x, reading="integer", recipe="tflite")
    with pytest.raises(Malformed, match='expected reading="integer"'):
        interp.run(program, x, recipe="tosa")
    assert interp.run(program, x, recipe="specification") == interp.run(program, x)


@pytest.mark.parametrize(
    ("name", "signature", "recipe", "reason"),
    [
        ("negate", f"1x{HALF} -> 1x{ONE}", "tosa", "several scales it has abs, add, maximum"),
        ("add", f"1x{HALF}; 1x{HALF} -> 1x{ONE}", "gemmlowp", "multiplies matrices"),
        ("add", f"1x{FINER}; 1x{FINER} -> 1x{WIDE}", "onnxruntime", "no results in i32"),
        ("add", f"1x{SHORT}; 1x{SHORT} -> 1x!quant.uniform<i16:f32, 0.25>", "onnxruntime", "type of 8 bits"),
        (
            "add",
            f"1x{CHANNEL}; 1x{CHANNEL} -> 1x!quant.uniform<i8:f32:0, {{0.5}}>",
            "onnxruntime",
            "one scale per tensor",
        ),
        ("add", f"1x{HALF}; 1x{HALF} -> 1x!quant.uniform<i8:f32, 1.0e-7>", "onnxruntime", r"at most 2\^22"),
        ("uniform_quantize", f"1x{HALF} -> 1x!quant.uniform<i32:f32, 1.0>", "onnx", "no results in i32"),
        (
            "uniform_quantize",
            "1x!quant.uniform<i8:f64, 0.1> -> 1x!quant.uniform<i8:f64, 0.3>",
            "onnx",
            "of f32",
        ),
        ("uniform_quantize", f"1x!quant.uniform<i8:f32, 1.0e20> -> 1x{ONE}", "tflite_double", "exponent 67"),
        ("uniform_quantize", f"1x!quant.uniform<i8:f32, 1.0e20> -> 1x{ONE}", "tosa", "shift -36"),
        ("add", f"1x{HALF}; 1x{HALF} -> 1x!quant.uniform<i8:f32, 1.0e-9>", "tflite_single", "below 1"),
        (
            "uniform_quantize",
            "1x!quant.uniform<i32:f32, 1.0> -> 1x!quant.uniform<i32:f32, 0.5>",
            "tosa",
            "RESCALE",
        ),
    ],
)
def test_what_a_recipe_does_not_define_is_unspecified(
    name: str, signature: str, recipe: str, reason: str
) -> None:
    program = single(name, signature)
    args = [
        np.full(v.type.shape, 2**30 if "i32" in repr(v.type) else 5, v.type.storage_type.numpy)
        for v in program.main.inputs
    ]
    with pytest.raises(Unspecified, match=reason):
        interp.run(program, *args, reading="integer", recipe=recipe)
    with pytest.raises(Unspecified):
        interp.compile(program, reading="integer", recipe=recipe)(*args)


# Compiled, lowered, traced, judged -------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", RECIPES)
def test_compiled_programs_have_the_bits_of_run(recipe: str) -> None:
    """One program for each recipe: a product per channel, and where defined a sum and a requantization."""
    acts, weights = "!quant.uniform<i8:f32, 0.51:3>", "!quant.uniform<i8:f32:1, {0.02,0.0625}>"
    outs, more = "!quant.uniform<i8:f32, 0.7:-2>", "!quant.uniform<i8:f32, 1.4>"
    rest = f"""%1 = stablehlo.add %0, %b : (tensor<9x2x{outs}>, tensor<9x2x{more}>) -> tensor<9x2x{more}>
      %2 = stablehlo.uniform_quantize %1 : (tensor<9x2x{more}>) -> tensor<9x2x{outs}>"""
    program = interp.load(f"""func.func @main(%x: tensor<9x7x{acts}>, %w: tensor<7x2x{weights}>,
      %b: tensor<9x2x{more}>) -> tensor<9x2x{outs}> {{
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<9x7x{acts}>, tensor<7x2x{weights}>) -> tensor<9x2x{outs}>
      {rest if recipe not in ("gemmlowp", "qwix") else ""}
      return {"%0" if recipe in ("gemmlowp", "qwix") else "%2"} : tensor<9x2x{outs}>
    }}""")
    args = [
        elements(v.type.quantized_element_type, v.type.shape, k) for k, v in enumerate(program.main.inputs)
    ]
    ways = {"reading": "integer", "recipe": recipe}
    (eager,) = interp.run(program, *args, **ways)
    assert np.asarray(interp.compile(program, **ways)(*args)[0]).tolist() == eager.storage.tolist()
    agree(Program(program, tuple(args)), "left", reading_named(name="integer", recipe=recipe))


def test_lowered_and_traced_programs_are_by_the_recipe() -> None:
    program, x = single("uniform_quantize", f"4x{HALF} -> 4x{ONE}"), np.int8([1, 3, -3, -5])
    ways = {"reading": "integer", "recipe": "tflite_single"}
    expected = interp.run(program, x, **ways)[0].storage.tolist()
    assert interp.run(interp.lower(program, **ways), x)[0].storage.tolist() == expected == [1, 2, -1, -2]
    trace = interp.trace(program, x, **ways)
    assert trace.results[0].storage.tolist() == expected
    assert dict(trace.counts) == {"inexact": 2}  # 0.5 and 2.5 are not rounded half to even


def test_permits_judges_what_a_recipe_gives_by_the_reading() -> None:
    program = single("uniform_quantize", f"1x{WIDE} -> 1x{FINER}")
    x = (np.int32([2**24 + 1]),)
    for recipe, result, kind in (
        ("exact", 2**25 + 2, "exact"),
        ("tflite_single", 2**25 + 2, "exact"),
        ("float", 2**25, "not permitted"),
        ("float", 2**25 + 2, "permitted"),
    ):
        found = interp.permits(program, x, (np.int32([result]),), reading="integer", recipe=recipe)
        assert found.counts == {kind: 1}, recipe
    found = interp.permits(program, x, (np.int32([2**25]),), reading="integer", recipe="float")
    assert "the recipe float gives it" in repr(found)
    assert "recipe='float'" in repr(found)


def test_what_recipes_cost_is_shown() -> None:
    add, five = single("add", f"1x{HALF}; 1x{HALF} -> 1x{ONE}"), np.int8([5])
    costs = interp.trace(add, five, five).recipes()
    assert (costs["exact"].largest, costs["tosa"].largest, costs["tosa"].differ) == (1.0, 0.0, 1)
    assert "gemmlowp" in costs["gemmlowp"].reason
    assert "by recipe" in repr(interp.trace(add, five, five).budget(recipes=True))
    sums = reduced("2x!quant.uniform<i8:f32, 0.5>", "!quant.uniform<i32:f32, 1.0>")
    trace = interp.trace(sums, np.int8([5, 5]), np.int8(0))
    found = trace.matrix(types="!quant.uniform<i32:f32, 1.0>", recipes="all")
    errors = [float(found.error(found.types[0], f"integers by {name}", "left")) for name in ("exact", "tosa")]
    assert errors == [1.0, 1.0]  # 2 + 2, and 3 + 3
    assert "integers by tflite_double" in repr(found)


@pytest.mark.slow("computes a page's table again")
def test_the_page_says_which_recipes_are_permitted() -> None:
    from kernels.permitted import table

    assert table() in (ROOT / "docs" / "recipes.md").read_text()


@pytest.mark.parametrize("peer", ["LiteRT", "TOSA reference model", "ONNX Runtime"])
def test_recipes_have_the_bits_of_kernels(peer: str) -> None:
    """10,000 elements of each of a few kernels; `tools/recipes.py` compares all of them."""
    from kernels.evidence import compared
    from recipes import PEERS

    available, kernels = PEERS[peer]
    if reason := available():
        pytest.skip(reason)
    known = [kernel for kernel in kernels() if not kernel.departs]
    for kernel in known[:: max(len(known) // 6, 1)]:
        assert compared(kernel, 10_000).mismatches == 0, kernel.name
