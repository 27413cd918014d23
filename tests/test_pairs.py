"""Pairs of values mean the same: merged batch norms, integer sums, and random rewrites of both kinds."""

from __future__ import annotations

import ast
import random
import re
from fractions import Fraction
from math import inf, log10
from pathlib import Path

import numpy as np
import pytest

import interp
from interp.apps.surveys.survey import survey
from interp.comparison.comparison import power, sqnr
from interp.comparison.matching import other_units

FINE = "!quant.uniform<i32:f32, 1.52587890625e-05>"  # 2^-16
N, K = 8, 6  # samples, features


def batch_norm_network() -> tuple[interp.Module, np.ndarray]:
    """A convolution, a batch norm by constants as JAX exports it, a ReLU, and a dense layer."""
    import jax
    import jax.numpy as jnp

    rng = np.random.default_rng(1)
    w, dense = rng.normal(size=(3, 3, 3, 8)) * 0.3, rng.normal(size=(8, 10))
    gamma, beta, mean, variance = (rng.uniform(0.05, 4, 8).astype(np.float32) for _ in range(4))
    x = rng.normal(size=(8, 8, 8, 3)).astype(np.float32)

    def model(x):  # type: ignore[no-untyped-def]
        numbers = ("NHWC", "HWIO", "NHWC")
        y = jax.lax.conv_general_dilated(x, w.astype(np.float32), (1, 1), "SAME", dimension_numbers=numbers)
        y = jnp.maximum((y - mean) * (gamma / jnp.sqrt(variance + 1e-3)) + beta, 0)
        return y.mean((1, 2)) @ dense.astype(np.float32)

    return interp.load((model, (x,))), x


@pytest.mark.slow("quantizes a convolution")
def test_a_merged_batch_norm_is_not_the_convolution_before_it() -> None:
    float_program, x = batch_norm_network()
    q = interp.quantize(float_program, [(x,)])
    for found in (survey(q.module, [x]), interp.survey(q.module, [x], against=float_program)):
        assert found.worst is not None
        assert found.worst.sqnr > 35
        assert "convolution" not in {layer.op for layer in found.layers}
        assert [reason for *_, reason in found.left_out] == [
            "one program merges constant factors into the weights"
        ]
        assert "left out: %" in repr(found)
    beside = interp.compare(float_program, q.module, x)
    assert min(row.report.sqnr for row in beside.rows) > 35
    assert len(beside.left_out) == 1
    # The partner of what the program adds last is the ReLU after the batch norm.
    assert "%13" in {row.left for row in beside.rows if row.op == "add"}


def integer_program(scale: str, second: str) -> str:
    """A dense layer in integers, with a scale of the activations that is constant or depends on them."""
    weights = np.arange(-6, 6).reshape(4, 3)
    return f"""func.func @main(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {{
      {scale}
      %steps = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
      %scaled = stablehlo.divide %x, %steps : tensor<2x4xf32>
      %whole = stablehlo.round_nearest_even %scaled : tensor<2x4xf32>
      %q = stablehlo.convert %whole : (tensor<2x4xf32>) -> tensor<2x4xi8>
      %w = stablehlo.constant dense<{weights.tolist()}> : tensor<4x3xi8>
      %sum = stablehlo.dot_general %q, %w, contracting_dims = [1] x [0]
        : (tensor<2x4xi8>, tensor<4x3xi8>) -> tensor<2x3xi32>
      %float = stablehlo.convert %sum : (tensor<2x3xi32>) -> tensor<2x3xf32>
      {second}
    }}"""


FLOAT = f"""func.func @main(%0: tensor<2x4xf32>) -> tensor<2x3xf32> {{
  %1 = stablehlo.constant dense<{(np.arange(-6, 6).reshape(4, 3) * 0.25).tolist()}> : tensor<4x3xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0]
    : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}}"""
CONSTANT = "%scale = stablehlo.constant dense<0.0625> : tensor<f32>"
DYNAMIC = """%none = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.abs %x : tensor<2x4xf32>
  %most = stablehlo.reduce(%size init: %none) applies stablehlo.maximum across dimensions = [0, 1]
    : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
  %count = stablehlo.constant dense<127.5> : tensor<f32>
  %scale = stablehlo.divide %most, %count : tensor<f32>"""
SCALED = """%b = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %half = stablehlo.multiply %float, %b : tensor<2x3xf32>
  %own = stablehlo.constant dense<0.25> : tensor<2x3xf32>
  %y = stablehlo.multiply %half, %own : tensor<2x3xf32>
  return %y : tensor<2x3xf32>"""
UNSCALED = """%t = stablehlo.tanh %float : tensor<2x3xf32>
  return %t : tensor<2x3xf32>"""


@pytest.mark.parametrize("scale", [CONSTANT, DYNAMIC], ids=["constant", "dynamic"])
def test_an_integer_sum_is_compared_with_its_scale(scale: str) -> None:
    x = np.random.default_rng(0).uniform(-3, 3, (2, 4)).astype(np.float32)
    found = interp.compare(interp.load(FLOAT), interp.load(integer_program(scale, SCALED)), x)
    assert [(row.left, row.right) for row in found.rows] == [("%2", "%y"), ("result 0", "result 0")]
    assert found.rows[0].report.sqnr > 25
    assert ("%2", "%sum", "integers of an unknown scale") in found.left_out


def test_an_integer_sum_without_a_scale_is_left_out_and_counted() -> None:
    x = np.random.default_rng(0).uniform(-3, 3, (2, 4)).astype(np.float32)
    found = interp.compare(interp.load(FLOAT), interp.load(integer_program(CONSTANT, UNSCALED)), x)
    assert [row.left for row in found.rows] == ["result 0"]
    assert found.left_out == (("%2", "%sum", "integers of an unknown scale"),)
    assert "left out: %2 beside %sum (integers of an unknown scale)" in repr(found)


class Drawn:
    """Random layers, each a product with constant weights and a tail, in float, and rewritten.

    The rewritten program is on fine scales, has some factors of each tail merged into the weights, and may
    compute the product in integers. Whatever it computes converges to the float program's numbers, so that a
    pair of values that differ by more than the scales does not mean the same.
    """

    def __init__(self, seed: int) -> None:
        self.random, self.rng = random.Random(seed), np.random.default_rng(seed)
        self.left, self.right, self.layers = [], [], self.random.randint(1, 3)
        x = y = "%x"
        for k in range(self.layers):
            x, y = self.layer(k, x, y)
        self.ends = x, y

    def constant(self, lines: list[str], name: str, numbers: np.ndarray, type: str = "f32") -> str:
        shape = "x".join(map(str, numbers.shape))
        lines.append(f"{name} = stablehlo.constant dense<{numbers.tolist()}> : tensor<{shape}x{type}>")
        return name

    def affine(self, lines: list[str], name: str, op: str, x: str, numbers: np.ndarray) -> str:
        c = self.constant(lines, f"{name}c", numbers)
        lines.append(f"{name}b = stablehlo.broadcast_in_dim {c}, dims = [1] : {_of(numbers)} -> {FLOATS}")
        lines.append(f"{name} = stablehlo.{op} {x}, {name}b : {FLOATS}")
        return name

    def layer(self, k: int, x: str, y: str) -> tuple[str, str]:
        w = self.rng.integers(-40, 41, (K, K)).astype(np.float64) / 64
        tail = [
            (self.random.choice(["multiply", "add", "subtract"]), self.rng.uniform(0.5, 2, K).round(2))
            for _ in range(self.random.randint(0, 4))
        ]
        x = self.product(self.left, f"%l{k}0", x, w)
        for n, (op, numbers) in enumerate(tail, 1):
            x = self.affine(self.left, f"%l{k}{n}", op, x, numbers)
        merged = self.random.random() < 0.7
        factor, offset = np.ones(K), np.zeros(K)
        if merged:
            for op, numbers in tail:
                factor = factor * numbers if op == "multiply" else factor
                offset = offset * numbers if op == "multiply" else offset
                offset = offset + {"add": numbers, "subtract": -numbers}.get(op, 0)
            tail = [("add", offset)] if offset.any() else []
        product = self.integers if self.random.random() < 0.3 else self.product
        y = product(self.right, f"%r{k}50", y, w * factor)
        for n, (op, numbers) in enumerate(tail, 51):
            y = self.affine(self.right, f"%r{k}{n}", op, y, np.asarray(numbers))
        y = self.rounded(f"%r{k}60", y)
        if self.random.random() < 0.7:
            op = self.random.choice(["tanh", "logistic", "negate"])
            self.left.append(f"%l{k}9 = stablehlo.{op} {x} : {FLOATS}")
            self.right.append(f"%r{k}99 = stablehlo.{op} {y} : {FLOATS}")
            return f"%l{k}9", f"%r{k}99"
        return x, y

    def product(self, lines: list[str], name: str, x: str, w: np.ndarray) -> str:
        self.constant(lines, f"{name}w", w)
        types = f"({FLOATS}, tensor<{K}x{K}xf32>) -> {FLOATS}"
        lines.append(f"{name} = stablehlo.dot_general {x}, {name}w, contracting_dims = [1] x [0] : {types}")
        return name

    def integers(self, lines: list[str], name: str, x: str, w: np.ndarray) -> str:
        """Compute the product of integers, in steps of 2^-12 and 2^-10, and scale it."""
        whole, wide = f"tensor<{N}x{K}xi64>", f"tensor<{K}x{K}xi64>"
        up = self.constant(lines, f"{name}u", np.full((N, K), 4096.0))
        lines += [
            f"{name}s = stablehlo.multiply {x}, {up} : {FLOATS}",
            f"{name}r = stablehlo.round_nearest_even {name}s : {FLOATS}",
            f"{name}q = stablehlo.convert {name}r : ({FLOATS}) -> {whole}",
        ]
        self.constant(lines, f"{name}w", np.rint(w * 1024).astype(int), "i64")
        lines += [
            f"{name}i = stablehlo.dot_general {name}q, {name}w, contracting_dims = [1] x [0]"
            f" : ({whole}, {wide}) -> {whole}",
            f"{name}f = stablehlo.convert {name}i : ({whole}) -> {FLOATS}",
        ]
        return self.affine(lines, name, "multiply", f"{name}f", np.full(K, 2.0**-22))

    def rounded(self, name: str, y: str) -> str:
        self.right += [
            f"{name}q = stablehlo.uniform_quantize {y} : ({FLOATS}) -> tensor<{N}x{K}x{FINE}>",
            f"{name} = stablehlo.uniform_dequantize {name}q : (tensor<{N}x{K}x{FINE}>) -> {FLOATS}",
        ]
        return name

    def programs(self) -> list[interp.Module]:
        texts = (
            "\n".join(
                [f"func.func @main(%x: {FLOATS}) -> {FLOATS} {{", *lines, f"return {end} : {FLOATS}\n}}"]
            )
            for lines, end in zip((self.left, self.right), self.ends, strict=True)
        )
        return [interp.load(text) for text in texts]


FLOATS = f"tensor<{N}x{K}xf32>"


def _of(numbers: np.ndarray) -> str:
    return f"(tensor<{len(numbers)}xf32>)"


def test_partners_converge_as_scales_do() -> None:
    """Every pair of the random programs is the same real function; and the last values have partners."""
    pairs = left_out = 0
    for seed in range(40):
        drawn = Drawn(seed)
        left, right = drawn.programs()
        x = np.random.default_rng(seed).uniform(-1, 1, (N, K)).astype(np.float32)
        found = interp.compare(left, right, x)
        for row in found.rows:
            assert row.report.sqnr is None or row.report.sqnr > 40, (seed, row)
        partners = {(row.left, row.right) for row in found.rows}
        assert len(partners) > 1 or drawn.layers == 1, (seed, found)
        pairs, left_out = pairs + len(partners) - 1, left_out + len(found.left_out)
    assert pairs > 80
    assert left_out > 20


def exact_ratio(reference: list[float], numbers: list[float]) -> float:
    """Return the ratio in dB from exact sums."""
    signal = sum(Fraction(r) ** 2 for r in reference)
    noise = sum((Fraction(x) - Fraction(r)) ** 2 for x, r in zip(numbers, reference, strict=True))
    return inf if not noise else 10 * (_log10(signal) - _log10(noise)) if signal else -inf


def _log10(x: Fraction) -> float:
    shift = x.numerator.bit_length() - x.denominator.bit_length()
    return log10(x / Fraction(2) ** shift) + shift * log10(2)


@pytest.mark.parametrize("size", [1.0, 1e-170, 1e160, 1e-300])
def test_the_reference_is_the_signal_in_every_answer(size: float) -> None:
    reference, numbers = ([size * x for x in xs] for xs in ([3.0, -4.0, 0.5], [3.5, -4.0, 0.0]))
    wanted = exact_ratio(reference, numbers)
    assert wanted != pytest.approx(exact_ratio(numbers, reference))
    error = np.subtract(numbers, reference)
    assert sqnr(power(np.asarray(reference)), power(error)) == pytest.approx(wanted, rel=1e-12)


def test_compare_and_survey_have_one_ratio() -> None:
    m = interp.load("""func.func @main(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
      %q = stablehlo.uniform_quantize %x : (tensor<4x3xf32>) -> tensor<4x3x!quant.uniform<i8:f32, 0.1>>
      %y = stablehlo.uniform_dequantize %q : (tensor<4x3x!quant.uniform<i8:f32, 0.1>>) -> tensor<4x3xf32>
      return %y : tensor<4x3xf32>
    }""")
    x = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
    (y,) = interp.run(m, x)
    wanted = exact_ratio(x.ravel().tolist(), y.storage.ravel().tolist())
    floats = "tensor<4x3xf32>"
    identity = interp.load(f"func.func @main(%x: {floats}) -> {floats} {{ return %x : {floats} }}")
    assert interp.compare(m, x).results[0].sqnr == pytest.approx(wanted, rel=1e-9)
    assert interp.survey(m, [x])["result 0"].sqnr == pytest.approx(wanted, rel=1e-9)
    assert interp.compare(m, identity, x).rows[-1].report.sqnr == pytest.approx(wanted, rel=1e-9)
    assert interp.compare(identity, m, x).rows[-1].report.sqnr == pytest.approx(wanted, rel=1e-9)
    assert (interp.compare(m, identity, x).reference, interp.compare(identity, m, x).reference) == (
        "right",
        "left",
    )


def test_a_program_without_quantized_types_has_nothing_to_lose(tmp_path: Path) -> None:
    x = np.ones((2, 4), np.float32)
    m = interp.load(FLOAT)
    compared, surveyed = interp.compare(m, x), interp.survey(m, [x])
    for found in (compared, surveyed):
        assert "the program itself (no quantized types: nothing to lose against float)" in repr(found)
        assert "inf" not in repr(found)
    assert compared.results[0].sqnr is None
    assert {row["SQNR dB"] for row in surveyed.rows()} == {None}
    page = surveyed.report(tmp_path / "survey.html").read_text()
    assert "signal to noise" not in page
    assert "Every layer equals" not in page


F = "tensor<8x4xf32>"


def short_program(body: str, end: str = "%y") -> interp.Module:
    """Return a program whose values `%c_<k>` are constants: {value} stands for one with that value."""
    numbers = list(dict.fromkeys(re.findall(r"{(.+?)}", body)))
    lines = [f"%c_{k} = stablehlo.constant dense<{x}> : {F}" for k, x in enumerate(numbers)]
    for k, x in enumerate(numbers):
        body = body.replace(f"{{{x}}}", f"%c_{k}")
    ops = [f"{line.strip()} : {F}" for line in body.strip().splitlines()]
    text = "\n".join([*lines, *ops, f"return {end} : {F}"])
    return interp.load(f"func.func @main(%x: {F}) -> {F} {{\n{text}\n}}")


X = np.random.default_rng(5).uniform(-3, 3, (8, 4)).astype(np.float32)


def left_out(left: interp.Module, right: interp.Module) -> list[tuple[str, str, str]]:
    """Return what `compare` and `survey` leave out, which is the same."""
    beside = interp.compare(left, right, X)
    rest = interp.survey(right, [X], against=left)
    assert list(rest.left_out) == list(beside.left_out)
    assert [row.left for row in beside.rows] == [layer.partner for layer in rest.layers]
    assert all(pair[0] in beside.unmatched[0] and pair[1] in beside.unmatched[1] for pair in beside.left_out)
    return list(beside.left_out)


def test_stored_integers_are_no_real_numbers() -> None:
    """A `minimum` of whole numbers in steps of 1/16 from 17 stands where the other program bounds numbers."""
    left = short_program(
        """%0 = stablehlo.divide %x, {0.0625}
        %1 = stablehlo.round_nearest_even %0
        %2 = stablehlo.add %1, {17.0}
        %3 = stablehlo.minimum %2, {127.0}
        %4 = stablehlo.subtract %3, {17.0}
        %5 = stablehlo.multiply %4, {0.0625}""",
        "%5",
    )
    right = short_program("%y = stablehlo.minimum %x, {6.875}")
    assert left_out(left, right) == [("%3", "%y", "differ by a factor of 16")]


def test_a_number_is_not_itself_in_steps() -> None:
    left = short_program("""%0 = stablehlo.tanh %x
        %1 = stablehlo.divide %0, {4.0}
        %2 = stablehlo.sine %1
        %y = stablehlo.negate %2""")
    right = short_program("""%0 = stablehlo.tanh %x
        %1 = stablehlo.multiply %0, {0.25}
        %2 = stablehlo.divide %1, {0.014}
        %3 = stablehlo.round_nearest_even %2
        %4 = stablehlo.multiply %3, {0.014}
        %5 = stablehlo.sine %4
        %y = stablehlo.negate %5""")
    assert left_out(left, right) == [("%1", "%2", "differ by a factor of 71.4")]


@pytest.mark.parametrize("planted", ["[[1.0, -1.0, 1.0, 1.0]]", "[[1.0, 2.0, 0.5, 1.0]]", "[[-1.0]]"])
def test_a_wrong_layer_is_no_other_unit(planted: str) -> None:
    """Wrong weights of channels, and a wrong sign, stay in the table, and the first of them is named."""
    rows = np.broadcast_to(np.asarray(ast.literal_eval(planted)), (8, 4)).tolist()
    body = """%0 = stablehlo.tanh %x
        %1 = stablehlo.multiply %0, {WEIGHTS}
        %2 = stablehlo.sine %1
        %y = stablehlo.negate %2"""
    left, right = (short_program(body.replace("WEIGHTS", str(w))) for w in (np.ones((8, 4)).tolist(), rows))
    assert left_out(left, right) == []
    found = interp.compare(left, right, X)
    assert found.first is not None
    assert found.first.right == "%1"
    assert len(found.rows) == 5


def test_the_premise_of_other_units_at_its_edges() -> None:
    x = np.random.default_rng(7).normal(size=16)
    noise = np.random.default_rng(8).normal(size=16)
    assert other_units(2 * x, x) == other_units(x, 2 * x + 5) == "differ by a factor of 2"
    assert other_units(np.append(2 * x, np.nan), np.append(x, 1)) == "differ by a factor of 2"
    kept = [
        (2 * x[:15], x[:15]),  # too few
        (x + 100, x),  # an offset alone
        (-2 * x, x),  # scales are positive
        (1.049 * x + 50, x),  # a factor that rounding explains
        (1.09 * x, x),  # nearer than 20 dB
        (2 * x + 0.4 * noise, x),  # another function
        (noise, x),
        (noise, x * 1e-3 + 100),  # the mean is no unit: of what varies, little is explained
        (np.zeros(16), x),
        (x, np.ones(16)),
        (np.full(16, 1e308), np.full(16, -1e308)),
        (2 * x + 0j, x + 0j),
    ]
    assert [other_units(*each) for each in kept] == [""] * len(kept)
