"""chlo and deprecated operations: rewritten by jaxlib's passes at load, then run like all others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import interp
from interp.execute.agreement import AGREEMENT

jax = pytest.importorskip("jax")
N = 50_000
RNG = np.random.default_rng(0)
INSIDE = RNG.uniform(-1, 1, N).astype(np.float32)
WIDE = (RNG.choice([-1, 1], N) * 10.0 ** RNG.uniform(-8, 2, N)).astype(np.float32)
POSITIVE = np.abs(WIDE)
FEW = POSITIVE[:2000]
# The function of JAX that lowers to an operation of chlo, and arguments from its domain.
FUNCTIONS: dict[str, tuple[Callable[..., Any], np.ndarray]] = {
    "acos": (jax.numpy.arccos, INSIDE),
    "acosh": (jax.numpy.arccosh, 1 + POSITIVE),
    "asin": (jax.numpy.arcsin, INSIDE),
    "asinh": (jax.numpy.arcsinh, WIDE),
    "atan": (jax.numpy.arctan, WIDE),
    "atanh": (jax.numpy.arctanh, INSIDE),
    "bessel_i1e": (jax.scipy.special.i1e, WIDE),
    "cosh": (jax.numpy.cosh, WIDE),
    "digamma": (jax.scipy.special.digamma, POSITIVE),
    "erf": (jax.lax.erf, WIDE),
    "erf_inv": (jax.lax.erf_inv, INSIDE),
    "erfc": (jax.lax.erfc, WIDE),
    "lgamma": (jax.scipy.special.gammaln, POSITIVE),
    "polygamma": (lambda x: jax.scipy.special.polygamma(1, x), FEW),
    "sinh": (jax.numpy.sinh, WIDE),
    "zeta": (lambda x: jax.scipy.special.zeta(2.0, x), FEW),
}
ROWS = {row.what.split()[0]: row for row in AGREEMENT if row.right == "XLA"}


def test_every_function_with_a_figure_is_measured() -> None:
    assert {f"chlo.{name}" for name in FUNCTIONS} == ROWS.keys()


@pytest.mark.slow("compiles each", rows=5)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_of_chlo_is_as_near_xlas_as_its_figure_says(name: str) -> None:
    """Within the figure, and not far within it."""
    function, x = FUNCTIONS[name]
    lowered, row = jax.jit(function).lower(x), ROWS[f"chlo.{name}"]
    text = lowered.as_text()
    assert f"chlo.{name}" in text
    a, b = interp.run(text, x)[0].storage.astype(np.float64), np.asarray(lowered.compile()(x), np.float64)
    assert (np.isfinite(a) == np.isfinite(b)).all()
    finite = np.isfinite(a)
    size = np.maximum(np.abs(a), np.abs(b))[finite]
    size = size if row.unit == "ulp" else np.maximum(size, 1)
    measured = np.max(np.abs(a[finite] - b[finite]) / np.spacing(size.astype(np.float32)))
    assert row.figure / 4 <= measured <= row.figure
    assert lowered.as_text() == text  # what JAX made is left alone


def test_a_lowered_function_and_its_text_are_one_program() -> None:
    lowered = jax.jit(jax.lax.erf).lower(INSIDE)
    assert interp.load(lowered) == interp.load(lowered.as_text())


@pytest.mark.parametrize(
    ("text", "args", "wanted"),
    [
        (
            "func.func @main(%a: tensor<2x3xi32>, %b: tensor<3x2xi32>) -> tensor<2x2xi32> {"
            "%0 = stablehlo.dot %a, %b : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xi32>"
            " return %0 : tensor<2x2xi32> }",
            (np.int32([[1, 2, 3], [4, 5, 6]]), np.int32([[1, 2], [3, 4], [5, 6]])),
            [[22, 28], [49, 64]],
        ),
        (
            "func.func @main(%a: tensor<2xi8>) -> tensor<3x2xi8> {"
            "%0 = stablehlo.broadcast %a, sizes = [3] : (tensor<2xi8>) -> tensor<3x2xi8>"
            " return %0 : tensor<3x2xi8> }",
            (np.int8([1, 2]),),
            [[1, 2]] * 3,
        ),
        (
            "func.func @main(%a: tensor<2xi8>, %b: tensor<2xi8>) -> tensor<2xi8> {"
            "%0 = chlo.mulhi %a, %b : tensor<2xi8>, tensor<2xi8> -> tensor<2xi8>"
            " return %0 : tensor<2xi8> }",
            (np.int8([64, -64]), np.int8([4, 4])),
            [1, -1],
        ),
    ],
    ids=["dot", "broadcast", "mulhi"],
)
def test_an_operation_runs_as_its_successor(text: str, args: tuple[Any, ...], wanted: list[Any]) -> None:
    assert interp.run(text, *args)[0].tolist() == wanted


def test_a_deprecated_operation_beside_a_map_is_rewritten() -> None:
    """jaxlib's pass would refuse the whole module for the map, which has no successor."""
    module = interp.load("""func.func @main(%a: tensor<2xi8>) -> tensor<1x2xi8> {
      %0 = stablehlo.broadcast %a, sizes = [1] : (tensor<2xi8>) -> tensor<1x2xi8>
      %1 = "stablehlo.map"(%0) ({
      ^bb0(%x: tensor<i8>):
        stablehlo.return %x : tensor<i8>
      }) {dimensions = array<i64: 0, 1>} : (tensor<1x2xi8>) -> tensor<1x2xi8>
      return %1 : tensor<1x2xi8>
    }""")
    assert [op.name for op in module.ops()][:2] == ["stablehlo.broadcast_in_dim", "stablehlo.map"]


@pytest.mark.parametrize("is_reverse", ["false", "true"])
def test_a_scan_runs_in_its_direction(is_reverse: str) -> None:
    """jaxlib's pass forgets `is_reverse`; the carry is of the whole input either way."""
    module = interp.load(f"""
    func.func @main(%x: tensor<2x3xi32>, %i: tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>) {{
      %0:2 = chlo.scan(%x) inits(%i) dimension=1 attributes {{is_reverse = {is_reverse}}} {{
      ^bb0(%a: tensor<2xi32>, %b: tensor<2xi32>):
        %s = stablehlo.subtract %a, %b : tensor<2xi32>
        stablehlo.return %s, %s : tensor<2xi32>, tensor<2xi32>
      }} : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>)
      return %0#0, %0#1 : tensor<2x3xi32>, tensor<2xi32>
    }}""")
    x, carry = np.int32([[1, 20, 300], [4, 50, 600]]), np.int32([7, 8])
    seen = np.zeros_like(x)
    order = range(3) if is_reverse == "false" else reversed(range(3))
    for k in order:
        seen[:, k] = carry = x[:, k] - carry
    outputs, last = interp.run(module, x, np.int32([7, 8]))
    assert outputs.tolist() == seen.tolist()
    assert last.tolist() == carry.tolist()
