"""dot_general's algorithm: what is rounded to which type, everywhere that a program runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.answers.trace import trace
from spec.attributes import ALGORITHM
from spec.errors import Malformed, Unsupported, Violation
from spec.ir import Module, Op
from spec.types import ELEMENT_TYPES, FLOATS, FOREIGN_FLOATS
from tests.library.builders import module, oracle
from tests.library.strategies.kernel_programs import special
from tests.library.strategies.op_programs import dots
from tests.library.strategies.programs import Program
from tests.test_compile import SCHEDULES as TRACEABLE
from tests.test_compile import agree as compiled_agrees
from tests.test_compile import few
from tests.test_engine import RANDOM, SCHEDULES, agree, same

TYPES = {type.name: type for type in (*FLOATS, *FOREIGN_FLOATS)}
PLAIN = {"lhs_component_count": 1, "rhs_component_count": 1, "num_primitive_operations": 1}


def algorithm(lhs: str, rhs: str, accumulation: str, **others: Any) -> dict[str, Any]:
    types = dict(zip(ALGORITHM, (TYPES[lhs], TYPES[rhs], TYPES[accumulation]), strict=False))
    return {**types, **PLAIN, "allow_imprecise_accumulation": False, **others}


def text(fields: dict[str, Any]) -> str:
    words = (f"{name} = {str(x).lower() if isinstance(x, bool) else x}" for name, x in fields.items())
    return f"algorithm = <{', '.join(words)}>"


def dot(operands: str, result: str, fields: dict[str, Any] | None, n: int = 2, precision: str = "") -> Module:
    """The inner product of two vectors of n elements."""
    words = [f"precision = [{precision}, {precision}]" if precision else "", text(fields) if fields else ""]
    rest = "".join(f", {word}" for word in words if word)
    signature = f"(tensor<{n}x{operands}>, tensor<{n}x{operands}>) -> tensor<{result}>"
    return interp.load(f"""
      func.func @main(%x: tensor<{n}x{operands}>, %y: tensor<{n}x{operands}>) -> tensor<{result}> {{
        %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0]{rest} : {signature}
        return %0 : tensor<{result}>
      }}""")


def changed(program: Module, **attributes: Any) -> Module:
    """The program of one operation with other attributes, unread by jaxlib."""
    op = program.main.body.ops[0]
    return module(replace(op, attributes={**op.attributes, **attributes}))


# Random programs: the engine, the oracle and the compiled program give the same bits.


@st.composite
def algorithms(draw: st.DrawFn) -> dict[str, Any]:
    """Any that are built: f64 is a precision type only beside an accumulation in f64."""
    names = [*(type.name for type in FLOATS if type.name != "f64"), "tf32"]
    common = ["f16", "bf16", "tf32", "f32"]
    accumulation = draw(st.sampled_from([*common, "f64", *names]))
    precision = st.sampled_from(common + names + (["f64"] if accumulation == "f64" else []))
    return algorithm(
        draw(precision), draw(precision), accumulation, allow_imprecise_accumulation=draw(st.booleans())
    )


@st.composite
def dots_by_algorithm(draw: st.DrawFn) -> Program:
    """A contraction of any types with an algorithm, on ordinary numbers or on special ones."""
    program = draw(dots())
    op: Op = program.module.main.body.ops[0]
    whole = module(replace(op, attributes={**op.attributes, **draw(algorithms())}))
    if draw(st.booleans()):
        return program._replace(module=whole)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return Program(whole, tuple(special(rng, value.type) for value in op.operands))


@settings(RANDOM, max_examples=80)
@given(dots_by_algorithm(), SCHEDULES)
def test_the_engine_is_the_oracle(program: Program, tree: Any) -> None:
    agree(program, tree)


@settings(RANDOM, max_examples=3)
@given(few(dots_by_algorithm()), TRACEABLE)
def test_compiled_programs_have_the_same_bits(programs: list[Program], tree: str) -> None:
    compiled_agrees(programs, tree)


@pytest.mark.parametrize("tree", ["left", "balanced", "blocks(3)"])
def test_a_lowered_program_says_it_in_plain_operations(tree: str) -> None:
    program = dot("f32", "f32", algorithm("tf32", "tf32", "f32"), n=7)
    x, y = np.random.default_rng(0).normal(size=(2, 7)).astype(np.float32)
    lowered = interp.lower(program, schedule=tree)
    assert "algorithm" not in repr(lowered)
    (wanted,), (found,) = interp.run(program, x, y, schedule=tree), interp.run(lowered, x, y)
    assert same(wanted.storage, found.storage)


# What it means, by bits and by hand.


def to_tf32(x: np.ndarray) -> np.ndarray:
    """The bits of f32 rounded half to even at the 14th from below; a NaN is kept."""
    bits = x.view(np.uint32)
    rounded = (bits + np.uint32(0xFFF) + ((bits >> 13) & 1)) & np.uint32(0xFFFFE000)
    return np.where(np.isnan(x), x, rounded.view(np.float32))


SPECIAL = [0.0, -0.0, 3.4e38, -3.4028235e38, np.inf, np.nan]
SPECIAL += [1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-11 + 2.0**-23]
TINY = [2.0**-149, 3 * 2.0**-137, 2.0**-126 * (1 - 2.0**-23), 2.0**-130 * 1.2345678]


def test_tf32_is_f32_without_its_last_13_bits() -> None:
    rng = np.random.default_rng(1)
    random = rng.integers(0, 2**32, 4000, np.uint32).view(np.float32)
    x = np.concatenate([np.array([*SPECIAL, *TINY], np.float32), random])
    n = len(x)
    program = dot("f32", "f32", algorithm("tf32", "tf32", "f32"), n=1)
    one = np.ones(1, np.float32)
    ours = np.array([interp.run(program, x[i : i + 1], one)[0].storage for i in range(20)])
    with np.errstate(all="ignore"):
        assert same(ours, to_tf32(x[:20]) + np.float32(0))
        large = Program(changed_shape(program, n), (x.reshape(1, n), np.ones((1, 1), np.float32)))
        (whole,) = interp.run(large.module, *large.args)
        assert same(whole.storage.reshape(-1), to_tf32(x) + np.float32(0))


def changed_shape(program: Module, n: int) -> Module:
    """The same product with n free indices on the left."""
    op = program.main.body.ops[0]
    x, y, z = (
        replace(value, type=replace(value.type, shape=shape))
        for value, shape in zip((*op.operands, op.result), [(1, n), (1, 1), (n, 1)], strict=True)
    )
    return module(replace(op, operands=(x, y), results=(z,)))


@pytest.mark.parametrize(("lhs", "rhs"), [("tf32", "tf32"), ("tf32", "bf16"), ("f16", "tf32")])
def test_sums_of_tf32_products(lhs: str, rhs: str) -> None:
    """Products have at most 22 bits: f64 holds them, f32 nearly; sums round one after another."""
    narrow = {"tf32": to_tf32, "f16": lambda x: x.astype(np.float16), "bf16": lambda x: x.astype("bfloat16")}
    rng = np.random.default_rng(2)
    for _ in range(8):
        x, y = (rng.normal(size=(2, 9)) * 2.0 ** rng.integers(-8, 8, (2, 9))).astype(np.float32)
        a, b = narrow[lhs](x).astype(np.float64), narrow[rhs](y).astype(np.float64)
        total = np.float32(0)
        for product in (a * b).astype(np.float32):
            total = total + product
        ours = interp.run(changed(dot("f32", "f32", None, n=9), **algorithm(lhs, rhs, "f32")), x, y)
        assert same(ours[0].storage, np.asarray(total))


HALF = {"f32": 2.0**-24, "bf16": 2.0**-8, "f16": 2.0**-11, "tf32": 2.0**-11}  # half a last place of 1


@pytest.mark.parametrize(
    ("operands", "result", "fields", "x", "y", "expected"),
    [
        # 2^12 + 1 has 13 bits, tf32 11: a tie, to even.
        ("f32", "f32", ("tf32", "tf32", "f32"), [4097.0, 0], [1.0, 0], 4096.0),
        ("f32", "f32", ("tf32", "f32", "f32"), [4097.0, 0], [1.0, 0], 4096.0),
        ("f32", "f32", ("f32", "tf32", "f32"), [4097.0, 0], [1.0, 0], 4097.0),
        # 257 * 257 = 66049 has 17 bits: exact in f32, and 66048 in bf16's 8.
        ("f32", "f32", ("f16", "f16", "f32"), [257.0, 0], [257.0, 0], 66049.0),
        ("f32", "f32", ("bf16", "bf16", "f32"), [257.0, 0], [257.0, 0], 65536.0),
        ("f32", "f32", ("f16", "f16", "bf16"), [257.0, 0], [257.0, 0], 66048.0),
        ("f32", "f32", ("f16", "f16", "f16"), [257.0, 0], [257.0, 0], np.inf),
        # 256 + 1 in bf16 is 256; f16 holds the sum, and bf16 as the result's type does not.
        ("f32", "f32", ("bf16", "bf16", "bf16"), [256.0, 1.0], [1.0, 1.0], 256.0),
        ("f32", "f32", ("bf16", "bf16", "f32"), [256.0, 1.0], [1.0, 1.0], 257.0),
        ("bf16", "bf16", ("bf16", "bf16", "f32"), [256.0, 1.0], [1.0, 1.0], 256.0),
        # The result is rounded once, last: 256 + 1 + ... in f32, 258 in bf16.
        ("bf16", "bf16", ("bf16", "bf16", "f32"), [256.0, 1.5], [1.0, 1.0], 258.0),
        # 2^24 + 1 needs f64.
        ("f32", "f64", ("f32", "f32", "f64"), [2.0**24, 1.0], [1.0, 1.0], 2.0**24 + 1),
        ("f32", "f64", ("f32", "f32", "f32"), [2.0**24, 1.0], [1.0, 1.0], 2.0**24),
        ("f64", "f64", ("f64", "f32", "f64"), [1 + 2.0**-40, 0], [1 + 2.0**-40, 0], 1 + 2.0**-40),
        # 1105 * 1201 = 40 * 2^15 + 2^14 + 1, just above a tie in the subnormals of tf32; in f32, a tie.
        ("f32", "f32", ("tf32",) * 3, [1105 * 2.0**-75, 0], [1201 * 2.0**-76, 0], 41 * 2.0**-136),
        # Integers are rounded, too: 4097 to 4096, and the sum comes back as an integer.
        ("i64", "i64", ("tf32", "tf32", "f32"), [4097, 3], [1, 2], 4102),
        ("i8", "i8", ("f16", "f16", "f32"), [100, 100], [100, 100], 127),
        ("i1", "i32", ("f16", "f16", "f32"), [True, True], [True, True], 2),
        # f8E4M3FN has neither infinity nor 449.
        ("f32", "f32", ("f8E4M3FN", "f8E4M3FN", "f32"), [17.0, 0], [19.0, 0], 16.0 * 20.0),
    ],
)
def test_worked(operands: str, result: str, fields: tuple[str, ...], x: Any, y: Any, expected: float) -> None:
    program = changed(dot(operands, result, None), **algorithm(*fields))
    assert oracle(program, x, y) == (expected,)
    arrays = [np.array(v).astype(ELEMENT_TYPES[operands].numpy) for v in (x, y)]
    (ours,) = interp.run(program, *arrays)
    assert ours.storage == np.array(expected).astype(ELEMENT_TYPES[result].numpy)


@pytest.mark.parametrize(
    ("result", "fields", "expected"),
    [
        # 0.3 is 0.30078125 in bf16 and 0.30004883 in f16: the squares are 0.090469361 and 0.090029299, the
        # first one in bf16 0.090332031.
        ("!quant.uniform<i32:f32, 1.0e-6>", None, 90000),
        ("!quant.uniform<i32:f32, 1.0e-6>", ("f32", "f32", "f32"), 90000),
        ("!quant.uniform<i32:f32, 1.0e-6>", ("bf16", "bf16", "f32"), 90469),
        ("!quant.uniform<i32:f32, 1.0e-6>", ("f16", "f16", "f32"), 90029),
        ("!quant.uniform<i32:f32, 1.0e-6>", ("bf16", "bf16", "bf16"), 90332),
        ("f32", ("bf16", "bf16", "bf16"), 0.09033203125),  # of a float lhs
    ],
)
def test_quantized_operands_are_dequantized_then_rounded(
    result: str, fields: tuple[str, ...] | None, expected: float
) -> None:
    weights = "!quant.uniform<i32:f32, 0.3>"
    hybrid = result == "f32"
    program = changed(
        dot(weights, "!quant.uniform<i32:f32, 1.0e-6>", None), **(algorithm(*fields) if fields else {})
    )
    op = program.main.body.ops[0]
    if hybrid:
        x, y, z = *op.operands, op.result
        plain = [replace(v, type=replace(v.type, element_type=ELEMENT_TYPES["f32"])) for v in (x, z)]
        program = module(replace(op, operands=(plain[0], y), results=(plain[1],)))
    given = np.array([0.3, 0], np.float32) if hybrid else np.array([1, 0], np.int32)
    assert oracle(program, given.tolist(), [1, 0]) == (expected,)
    (ours,) = interp.run(program, given, np.array([1, 0], np.int32))
    assert ours.storage == expected


# What the user is told.


def test_it_prints_and_reads_back() -> None:
    program = dot("f32", "f32", algorithm("f8E5M2", "f8E4M3FN", "f32", allow_imprecise_accumulation=True))
    op = program.main.body.ops[0]
    assert [op[name] for name in ALGORITHM] == [
        TYPES["f8E5M2"],
        TYPES["f8E4M3FN"],
        TYPES["f32"],
        1,
        1,
        1,
        True,
    ]
    assert interp.load(repr(program)) == program
    assert interp.load(repr(program), checked=False) == program


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (("bf16", "bf16", "f32", {"num_primitive_operations": 6}), "num_primitive_operations = 6"),
        (("bf16", "bf16", "f32", {"lhs_component_count": 3}), "lhs_component_count = 3"),
        (("bf16", "bf16", "f32", {"rhs_component_count": 3}), "rhs_component_count = 3"),
        (("f128", "bf16", "f32", {}), "lhs_precision_type = f128"),
        (("bf16", "f80", "f32", {}), "rhs_precision_type = f80"),
        (("bf16", "bf16", "f80", {}), "accumulation_type = f80"),
    ],
)
def test_what_is_not_built_is_told_by_its_field(fields: tuple[Any, ...], told: str) -> None:
    *types, others = fields
    program = changed(dot("f32", "f32", None), **algorithm(*types, **others))
    for verb in (interp.run, lambda m, *_: interp.compile(m), lambda m, *_: interp.lower(m), interp.compare):
        with pytest.raises(Unsupported, match=f"an algorithm of {told} is not built\n  supported: "):
            verb(program, *np.ones((2, 2), np.float32))
    with pytest.raises(Unsupported, match=told):
        oracle(program, [1.0, 1.0], [1.0, 1.0])


def test_f64_factors_are_rounded_to_f64_only() -> None:
    program = changed(dot("f64", "f32", None), **algorithm("f64", "f32", "f32"))
    with pytest.raises(Unsupported, match="dot_general of f64 and f32 to f32 is not built"):
        interp.run(program, np.ones(2), np.ones(2))


def test_complex_numbers_have_no_precision_type() -> None:
    program = changed(dot("complex<f32>", "complex<f32>", None), **algorithm("f32", "f32", "f32"))
    with pytest.raises(Unsupported, match="complex numbers"):
        interp.run(program, np.ones(2, np.complex64), np.ones(2, np.complex64))


@pytest.mark.parametrize("missing", ALGORITHM)
def test_half_an_algorithm_is_a_violation(missing: str) -> None:
    op = dot("f32", "f32", algorithm("tf32", "tf32", "f32")).main.body.ops[0]
    program = module(replace(op, attributes={k: v for k, v in op.attributes.items() if k != missing}))
    with pytest.raises(Violation, match="dot_general_i"):
        interp.run(program, *np.ones((2, 2), np.float32))


def test_a_type_that_is_no_float_is_a_violation() -> None:
    fields = algorithm("tf32", "tf32", "f32") | {"accumulation_type": "i32"}
    with pytest.raises(Malformed, match="not known to be supported on any hardware"):
        dot("f32", "f32", fields)
    words = repr(dot("f32", "f32", algorithm("tf32", "tf32", "f32")))
    for type in ("i32", "index"):
        other = words.replace("accumulation_type = f32", f"accumulation_type = {type}")
        found = interp.verify(interp.load(other, checked=False))
        assert [violation.code for violation in found] == ["dot_general_i10"]


def kinds(result: str, fields: dict[str, Any], *args: np.ndarray) -> dict[str, int]:
    """Return the kinds of events on operands of the arguments' types."""
    operands = {"float32": "f32", "int64": "i64"}[args[0].dtype.name]
    return dict(trace(changed(dot(operands, result, None), **fields), *args).counts)


def test_events() -> None:
    """4097 loses its last bit in tf32; 256 + 1 in bf16; 65536 is no f16."""
    x, y = np.array([4097.0, 1.0], np.float32), np.ones(2, np.float32)

    assert kinds("f32", algorithm("tf32", "f32", "f32"), x, y) == {"lossy_convert": 1}
    assert kinds("f32", algorithm("f32", "f32", "f32"), x, y) == {}
    lost = {"lossy_convert": 1, "inexact": 1, "absorbed": 1}
    assert kinds("f32", algorithm("bf16", "bf16", "bf16"), x / 16, y) == lost
    assert kinds("f16", algorithm("f32", "f32", "f32"), x * 16, y) == {"inf": 1}
    three = np.array([3, 4])
    assert kinds("i64", algorithm("tf32", "tf32", "f32"), three, three) == {}
    large, ones = np.array([2**53 + 1, 0]), np.ones(2, np.int64)
    told = trace(changed(dot("i64", "i64", None), **algorithm("f64", "f64", "f64")), large, ones)
    assert [(e.kind, e.what, e.exact) for e in told.events] == [("lossy_convert", "operand %x", 2**53 + 1)]


@pytest.mark.parametrize("fields", [None, algorithm("tf32", "tf32", "f32"), algorithm("bf16", "bf16", "f32")])
def test_compare_makes_no_claim_that_the_algorithm_breaks(fields: dict[str, Any] | None) -> None:
    """The float reference is without: 4097 * 4097 there, 4096 * 4096 here."""
    x = np.array([4097.0, 4097.0], np.float32)
    found = interp.compare(dot("f32", "f32", fields), x, x)
    assert found.ok
    assert np.isfinite(found.bounds[0]).all() == (fields is None)


def test_precision_config_changes_nothing() -> None:
    x, y = np.random.default_rng(3).normal(size=(2, 50)).astype(np.float32)
    programs = [dot("f32", "f32", None, 50, word) for word in ("DEFAULT", "HIGH", "HIGHEST")]
    assert len({interp.run(program, x, y)[0].storage.tobytes() for program in programs}) == 1


def test_the_plan_says_what_becomes_of_it() -> None:
    told = "operand %x: products and sums of f32 may round"
    nothing = "precision_config HIGHEST, HIGHEST changes nothing: every product and sum rounds once (E28)"
    plans = [
        (dot("f32", "f32", None), told),
        (dot("f32", "f32", None, precision="HIGHEST"), f"{told}; {nothing}"),
        (
            dot("f32", "f32", algorithm("tf32", "tf32", "f32")),
            f"{told}; by its algorithm tf32 by tf32, products and sums in f32",
        ),
    ]
    for program, why in plans:
        (row,) = interp.plan(program).rows
        assert row.tried == (("plain fold", why),)
