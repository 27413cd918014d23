"""The float program that a quantized one carries: through verbs, in files, and in the names of answers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.rewrite.float_reference import reference_of

Network = tuple[interp.Module, interp.Module, np.ndarray]


@pytest.fixture(scope="module")
def relu() -> Network:
    """A product with a ReLU: the float program, the quantized one, and arguments."""
    rng = np.random.default_rng(0)
    w = rng.normal(size=(16, 8)).astype(np.float32)
    x = rng.normal(size=(64, 16)).astype(np.float32)
    m = interp.load(f"""func.func @main(%x: tensor<64x16xf32>) -> tensor<64x8xf32> {{
      %w = stablehlo.constant dense<{w.tolist()}> : tensor<16x8xf32>
      %0 = stablehlo.constant dense<0.0> : tensor<64x8xf32>
      %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<64x16xf32>, tensor<16x8xf32>) -> tensor<64x8xf32>
      %y = stablehlo.maximum %p, %0 : tensor<64x8xf32>
      return %y : tensor<64x8xf32>
    }}""")
    return m, interp.quantize(m, [(x,)]).module, x


def ratio(reference: np.ndarray, numbers: np.ndarray) -> float:
    noise = (numbers.astype(np.float64) - reference) ** 2
    return float(10 * np.log10((reference.astype(np.float64) ** 2).sum() / noise.sum()))


def test_the_reference_is_the_float_function(relu: Network) -> None:
    """Against the float function 40.6 dB; without its ReLU it were 2.55."""
    m, q, x = relu
    assert q.reference == m
    assert q.origin == "the float program of quantize"
    (wanted,), (numbers,) = interp.run(m, x), interp.run(q, x)
    real = ratio(wanted.storage, numbers.storage)
    assert real > 35
    found = interp.compare(q, x)
    assert found.results[0].sqnr == pytest.approx(real, abs=0.01)
    assert found.ok
    assert found.reference_name == "the float program of quantize"
    assert interp.survey(q, [x])["result 0"].sqnr == pytest.approx(real, abs=0.01)
    beside = interp.compare(m, q, x)
    assert beside.rows[-1].report.sqnr == pytest.approx(real, abs=0.01)
    # With its types stripped the program has the ReLU, too, but the rounded weights.
    bare = interp.compare(replace(q, reference=None, origin=""), x)
    (clipped,) = found.clipped
    assert bare.reference_name == f"types stripped, clipped at the zero point of {clipped}"
    assert bare.results[0].sqnr is not None
    assert 35 < bare.results[0].sqnr != found.results[0].sqnr


def test_the_reference_is_no_part_of_the_program(relu: Network) -> None:
    _, q, _ = relu
    alone = replace(q, reference=None, origin="")
    assert alone == q
    assert repr(alone) == repr(q)


def test_clipping_at_the_zero_point_is_counted_apart(relu: Network) -> None:
    """The counts are those of exact arithmetic on the float sums, but for sums near a rounding boundary."""
    m, q, x = relu
    (product,) = interp.run(interp.load(repr(m).replace('return"(%y)', 'return"(%p)')), x)
    negative = int((product.storage < -0.1).sum())
    (count,) = interp.compare(q, x).clipped.values()
    assert negative <= count <= int((product.storage < 0).sum())
    rows = interp.survey(q, [x]).rows()
    assert sum(row["clipped at zero"] for row in rows) == count
    overflows = sum(row["overflows"] for row in rows)
    t = interp.trace(q, x)
    told = {group.severity: group.count for group in t.groups if group.kind == "saturate"}
    assert told["information"] == count
    assert told.get("warning", 0) == overflows < 4


@pytest.mark.parametrize("name", ["model.mlir", "model.mlirbc"])
def test_a_file_has_its_reference_beside_it(relu: Network, tmp_path: Path, name: str) -> None:
    m, q, x = relu
    from interp.execute.lower import save

    path = tmp_path / name
    save(q, path)
    beside = path.with_name(f"model.reference{path.suffix}")
    assert sorted(tmp_path.iterdir()) == sorted([path, beside])
    assert interp.load(beside) == m
    digest = hashlib.sha256(beside.read_bytes()).hexdigest().encode()
    assert digest in path.read_bytes()
    found = interp.load(path)
    assert found == q
    assert found.reference == m
    assert found.origin == q.origin
    assert interp.compare(found, x).reference_name == "the float program of quantize"
    data = beside.read_bytes()
    for lose, why in (
        (lambda: beside.write_bytes(data + b" "), f"the file {beside.name} has changed"),
        (beside.unlink, f"the file {beside.name} is missing"),
    ):
        lose()
        lost = interp.load(path)
        assert lost == q
        assert lost.reference is None
        for answer in (interp.compare(lost, x), interp.survey(lost, [x])):
            assert f"the float program of quantize is lost: {why}; types stripped, clipped at" in repr(answer)
    unread = interp.load(path.read_bytes())
    assert unread.origin.startswith("the float program of quantize is lost: the program was not read from a")


def test_no_other_place_is_read(relu: Network, tmp_path: Path) -> None:
    """A name that leads out of the program's folder is not followed, even if the digest is right."""
    _, q, _ = relu
    from interp.execute.lower import save

    (tmp_path / "inside").mkdir()
    save(q, tmp_path / "inside" / "model.mlir")
    (tmp_path / "inside" / "model.reference.mlir").rename(tmp_path / "model.reference.mlir")
    path = tmp_path / "inside" / "model.mlir"
    path.write_text(path.read_text().replace('"model.reference.mlir"', '"../model.reference.mlir"'))
    assert interp.load(path).origin.endswith("is not the name of a file beside the program")


def test_rewrites_keep_it_as_long_as_it_fits(relu: Network) -> None:
    m, q, x = relu
    name = next(op.result.name for op in q.ops() if op.name == "stablehlo.dot_general")
    narrow = interp.with_accumulator(q, name, "i16")
    assert narrow.reference == m
    assert interp.compare(narrow, x).reference_name == "the float program of quantize"
    # A program of other types than the reference's says so.
    other = interp.load("""func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>)
        -> tensor<2x!quant.uniform<i8:f32, 0.5>> { return %x : tensor<2x!quant.uniform<i8:f32, 0.5>> }""")
    other = replace(other, reference=m, origin="the float program of quantize")
    told = reference_of(other, other.main).name
    assert told == (
        "the float program of quantize takes or gives other types than the program does now; types stripped"
    )


QDQ = """func.func @main(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
  %w = "stablehlo.constant"() {value = dense<[[3, -4, 5], [0, 8, 1], [7, 1, 2], [-6, 2, 9]]> : tensor<4x3xi8>}
    : () -> tensor<4x3x!quant.uniform<i8:f32, 0.125>>
  %v = stablehlo.uniform_dequantize %w : (tensor<4x3x!quant.uniform<i8:f32, 0.125>>) -> tensor<4x3xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i8:f32, 0.0625>>
  %d = stablehlo.uniform_dequantize %q : (tensor<2x4x!quant.uniform<i8:f32, 0.0625>>) -> tensor<2x4xf32>
  %p = stablehlo.dot_general %d, %v, contracting_dims = [1] x [0]
    : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %r = stablehlo.uniform_quantize %p : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.25:-128>>
  %y = stablehlo.uniform_dequantize %r : (tensor<2x3x!quant.uniform<i8:f32, 0.25:-128>>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}"""


def test_a_raised_program_has_the_qdq_program_without_its_pairs() -> None:
    """By hand: the product of the given numbers and the dequantized weights, clipped as the last type is."""
    x = np.random.default_rng(3).uniform(-4, 4, (2, 4)).astype(np.float32)
    given = interp.load(QDQ)
    raised = interp.raise_qdq(given).module
    w = np.asarray([[3, -4, 5], [0, 8, 1], [7, 1, 2], [-6, 2, 9]]) * 0.125
    wanted = np.maximum(x.astype(np.float64) @ w, 0)
    assert (wanted == 0).any()
    for m in (given, raised):
        found = interp.compare(m, x)
        np.testing.assert_allclose(found.reference[0], wanted, rtol=1e-6)
    assert raised.reference is not None
    assert not any(v.type.is_quantized for op in raised.reference.ops() for v in op.results)
    assert found.reference_name.startswith("the QDQ program without its quantizations; clipped at the zero")


def arithmetic_network(
    rounded: Callable[[Any], Any], last: int = 5
) -> tuple[interp.Module, np.ndarray, np.ndarray]:
    """Return QDQ spelled in JAX, arguments, and the results of the float function in f64 by NumPy.

    rounded: how the second quantization rounds; the others round as `raise_qdq` knows it. last: the zero
    point of the third.
    """
    import jax.numpy as jnp

    def simulated(v: Any, scale: float, zero: int, rounded: Callable[[Any], Any] = jnp.round) -> Any:
        s = np.float32(scale)
        return (jnp.clip(rounded(v / s) + zero, -128, 127) - zero) * s

    rng = np.random.default_rng(0)
    w = (rng.integers(-127, 128, (6, 5)) / 128).astype(np.float32)
    v = (rng.integers(-127, 128, (5, 4)) / 128).astype(np.float32)
    x = rng.uniform(-3, 3, (8, 6)).astype(np.float32)

    def program(x: Any) -> Any:
        y = jnp.maximum(simulated(x, 0.03, -6) @ w, 0)
        return simulated(simulated(y, 0.04, -128, rounded) @ v, 0.1, last)

    return interp.load((program, (x,))), x, np.maximum(x.astype(np.float64) @ w, 0) @ v


@pytest.mark.parametrize("last", [5, -128])
def test_the_reference_of_raised_arithmetic_has_none_of_its_quantizations(last: int) -> None:
    """It is the float function of NumPy, but for f32; the program is as far from it as its scales make it.

    With the zero point at the end of the range the last quantization is a ReLU, too.
    """
    import jax.numpy as jnp

    program, x, wanted = arithmetic_network(jnp.round, last)
    wanted = wanted if last == 5 else np.maximum(wanted, 0)
    raised = interp.raise_qdq(program).module
    reference = raised.reference
    assert isinstance(reference, interp.Module)
    (floats,), (numbers,) = interp.run(reference, x), interp.run(raised, x)
    np.testing.assert_allclose(floats.storage, wanted, rtol=0, atol=1e-5)
    names = {op.name.partition(".")[2] for op in reference.ops()}
    assert not names & {"round_nearest_even", "minimum", "clamp", "divide", "multiply", "subtract"}
    found = interp.compare(raised, x)
    clipped = f"; clipped at the zero point of {program.main.body.returns[0].name}" if last == -128 else ""
    assert found.reference_name == f"the QDQ program without its quantizations{clipped}"
    assert found.results[0].sqnr == pytest.approx(ratio(wanted, numbers.storage), abs=0.01)
    assert found.results[0].sqnr < 45


def test_a_reference_that_still_rounds_says_so() -> None:
    """Rounding by `floor` is not recognized, so that quantization stays in the reference, and in its name."""
    import jax.numpy as jnp

    program, x, wanted = arithmetic_network(lambda v: jnp.floor(v + np.float32(0.5)))
    found = interp.compare(interp.raise_qdq(program).module, x)
    assert np.abs(found.reference[0] - wanted).max() > 0.01
    (floor,) = (op.result.name for op in program.ops() if op.name == "stablehlo.floor")
    name = f"the QDQ program without its quantizations, except those that still round: floor {floor}"
    assert found.reference_name.partition(";")[0] == name


@pytest.mark.parametrize(
    ("zero_points", "type"),
    [
        ((-128, -128), "!quant.uniform<i8:f32, 0.25:-128>"),
        ((127, 127), "!quant.uniform<i8:f32, 0.25:127>"),
        ((-127, -127), "!quant.uniform<i8:f32, 0.25:-127>"),
        ((0, 0), "!quant.uniform<u8:f32, 0.25>"),
        ((0, 0), "!quant.uniform<i8<0:100>:f32, 0.25>"),
        ((-128, 127), "!quant.uniform<i8:f32:1, {0.25:-128, 0.5:127}>"),
        ((-128, 3), "!quant.uniform<i8:f32:1, {0.25:-128, 0.5:3}>"),
    ],
)
def test_stripped_types_clip_where_zero_ends_the_range(zero_points: tuple[int, int], type: str) -> None:
    m = interp.load(f"""func.func @main(%a: tensor<3x2xf32>) -> tensor<3x2x{type}> {{
      %y = stablehlo.uniform_quantize %a : (tensor<3x2xf32>) -> tensor<3x2x{type}>
      return %y : tensor<3x2x{type}>
    }}""")
    a = np.asarray([[-3, 2], [5, -4], [0.5, 0.25]], np.float32)
    element = m.main.results[0].quantized_element_type
    wanted = a.copy()
    for k, zero_point in enumerate(zero_points):
        if zero_point == element.storage_min:
            wanted[:, k] = np.maximum(a[:, k], 0)
        elif zero_point == element.storage_max:
            wanted[:, k] = np.minimum(a[:, k], 0)
    found = interp.compare(m, a)
    np.testing.assert_array_equal(found.reference[0], wanted)
    assert sum(found.clipped.values()) == int((wanted != a).sum())
    lost = 2 if -127 in zero_points else 0  # where zero is a step from the end, that is no activation
    assert found.ok
    assert found.results[0].saturated == lost
    assert found.results[0].bounded == 6 - lost


def test_an_accumulator_does_not_clip() -> None:
    """A sum that saturates at its zero point is an overflow: its range is that of the sums, no activation."""
    type = "!quant.uniform<i8:f32, 0.25:-128>"
    m = interp.load(f"""func.func @main(%a: tensor<4x{type}>, %i: tensor<{type}>) -> tensor<{type}> {{
      %y = "stablehlo.reduce"(%a, %i) ({{
        ^bb0(%x: tensor<{type}>, %z: tensor<{type}>):
          %s = stablehlo.subtract %x, %z : tensor<{type}>
          stablehlo.return %s : tensor<{type}>
      }}) {{dimensions = array<i64: 0>}} : (tensor<4x{type}>, tensor<{type}>) -> tensor<{type}>
      return %y : tensor<{type}>
    }}""")
    found = interp.compare(m, np.asarray([1, 2, 3, 4], np.int8), np.int8(-128))
    assert found.reference[0] == -0.25 * (129 + 130 + 131 + 132)
    assert not found.clipped
    assert found.results[0].saturated == 1
    t = interp.trace(m, np.asarray([1, 2, 3, 4], np.int8), np.int8(-128))
    assert {group.severity for group in t.groups if group.kind == "saturate"} == {"error"}
