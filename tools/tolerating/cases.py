"""The five functions as programs, with the tests that other projects have for such functions.

A case names a test, and holds results against its reference, within its tolerance. Its arguments are drawn
from the distributions of that test, in shapes that are often smaller; where the test has a few numbers
written out, more are drawn from their range. The code is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

F32 = np.float32
SEED = 0


class Case(NamedTuple):
    """A function, the test that another project has, and ours.

    draw: its arguments, and those of the program, a part of them. program: what `interp` takes. accepts:
    whether the other test passes for arguments and results.
    """

    name: str
    where: str
    test: str
    tolerance: str
    draw: Callable[[], tuple[Any, ...]]
    operands: Callable[[tuple[Any, ...]], tuple[Any, ...]]
    program: Any
    accepts: Callable[[tuple[Any, ...], Any], bool]


def uniform(ends: tuple[float, float], least: int, most: int) -> tuple[np.float32, int]:
    """Return scale and zero point of a range of real numbers."""
    scale = F32((ends[1] - ends[0]) / (most - least))
    return scale, int(np.rint(least - ends[0] / scale))


def quantize(real: np.ndarray, scale: np.float32, zero: int, type: str) -> np.ndarray:
    ends = np.iinfo(type)
    return np.clip(np.rint(real / scale) + zero, ends.min, ends.max).astype(type)


def dequantize(q: np.ndarray, scale: np.float32, zero: int) -> np.ndarray:
    return (q.astype(np.int64) - zero) * np.float64(scale)


def quantized(shape: str, storage: str, scale: np.float32, zero: int) -> str:
    return f"tensor<{shape}x!quant.uniform<{storage}:f32, {float(scale)!r}:{zero}>>"


# TensorFlow Lite: the sum of two tensors, and means.

UNIT = uniform((-1, 1), -128, 127)
ADD = f"""!x = {quantized("256", "i8", *UNIT)}
func.func @main(%x: !x, %y: !x) -> !x {{
  %0 = stablehlo.uniform_dequantize %x : (!x) -> tensor<256xf32>
  %1 = stablehlo.uniform_dequantize %y : (!x) -> tensor<256xf32>
  %2 = stablehlo.add %0, %1 : tensor<256xf32>
  %3 = stablehlo.uniform_quantize %2 : (tensor<256xf32>) -> !x
  return %3 : !x
}}"""


def draw_add() -> tuple[Any, ...]:
    rng = np.random.default_rng(SEED)
    x = rng.uniform(-1, 1, 256)
    y = np.clip(rng.uniform(-1, 1, 256), -0.95 - x, 0.95 - x)  # the sums are in range, as theirs are
    return (*(quantize(z, *UNIT, "int8") for z in (x, y)), *UNIT, *UNIT, *UNIT)


def near_sum(args: tuple[Any, ...], got: np.ndarray) -> bool:
    real = dequantize(args[0], *UNIT) + dequantize(args[1], *UNIT)
    return _near(dequantize(got, *UNIT), real, 2 * 2 / 255, 0)


MEAN_IN, MEAN_OUT = uniform((-1, 1), 0, 255), uniform((-1.1, 1.1), 0, 255)
MEAN = f"""!x = {quantized("64x12", "ui8", *MEAN_IN)}
!sum = {quantized("64", "i32", MEAN_IN[0], 0)}
!e = {quantized("", "i32", MEAN_IN[0], 0).replace("<x!", "<!")}
!y = {quantized("64", "ui8", *MEAN_OUT)}
func.func @main(%x: !x) -> !y {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %init = stablehlo.uniform_quantize %zero : (tensor<f32>) -> !e
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [1] : (!x, !e) -> !sum
   reducer(%a: !e, %b: !e) {{
    %s = stablehlo.add %a, %b : !e
    stablehlo.return %s : !e
  }}
  %1 = stablehlo.uniform_dequantize %0 : (!sum) -> tensor<64xf32>
  %n = stablehlo.constant dense<12.0> : tensor<64xf32>
  %2 = stablehlo.divide %1, %n : tensor<64xf32>
  %3 = stablehlo.uniform_quantize %2 : (tensor<64xf32>) -> !y
  return %3 : !y
}}"""


def draw_mean() -> tuple[Any, ...]:
    x = quantize(np.random.default_rng(SEED).uniform(-1, 1, (64, 12)), *MEAN_IN, "uint8")
    return (x, *MEAN_IN, *MEAN_OUT)


def near_mean(args: tuple[Any, ...], got: np.ndarray) -> bool:
    real = dequantize(args[0], *MEAN_IN).mean(1)
    return _near(dequantize(got, *MEAN_OUT), real, 2.2 / 255, 0)


# PyTorch/XLA and Qwix: products of matrices. torchao: quantization of rows.


def matmul(x: Any, w: Any, w_scale: Any) -> Any:
    import jax
    import jax.numpy as jnp

    scale = jnp.max(jnp.abs(x), axis=1, keepdims=True) / F32(127)
    q = jnp.clip(jnp.round(x / scale), -128, 127).astype(jnp.int8)
    total = jax.lax.dot_general(q, w, (((1,), (1,)), ((), ())), preferred_element_type=jnp.int32)
    return total.astype(jnp.float32) * scale * w_scale


def draw_matmul() -> tuple[Any, ...]:
    rng = np.random.default_rng(SEED)
    x, w = rng.standard_normal((2, 16, 64)).astype(F32)
    scale = np.abs(w).max(1) / F32(127)
    return x, np.clip(np.rint(w / scale[:, None]), -128, 127).astype("i1"), scale, 16


def near_product(args: tuple[Any, ...], got: np.ndarray) -> bool:
    x = args[0]
    weights = np.random.default_rng(SEED).standard_normal((2, 16, 64)).astype(F32)[1]
    return _near(got, x @ weights.T, 1.5, 1e-6)


def blockwise(x: Any, x_scale: Any, y: Any, y_scale: Any) -> Any:
    import jax
    import jax.numpy as jnp

    m, n, blocks = x.shape[0], y.shape[1], x_scale.shape[1]
    x, y = x.reshape(m, blocks, -1), y.reshape(blocks, -1, n)
    parts = jax.lax.dot_general(x, y, (((2,), (1,)), ((1,), (0,))), preferred_element_type=jnp.int32)
    rows = jnp.repeat(x_scale, m // x_scale.shape[0], axis=0).T[:, :, None]
    columns = jnp.repeat(y_scale, n // y_scale.shape[1], axis=1)[:, None, :]
    return jnp.sum(parts.astype(jnp.float32) * rows * columns, axis=0)


def draw_blockwise() -> tuple[Any, ...]:
    rng = np.random.default_rng(SEED)
    x, y = rng.integers(-120, 120, (16, 64)).astype("i1"), rng.integers(-120, 120, (64, 16)).astype("i1")
    return x, rng.standard_normal((2, 4)).astype(F32), y, rng.standard_normal((4, 2)).astype(F32)


def near_blockwise(args: tuple[Any, ...], got: np.ndarray) -> bool:
    x, x_scale, y, y_scale = (a.astype(np.float64) for a in args)
    exact = (x * np.kron(x_scale, np.ones((8, 16)))) @ (y * np.kron(y_scale, np.ones((16, 8))))
    return _near(got, exact, 1e-2, 1e-2)


def quantize_rows(x: Any) -> tuple[Any, Any]:
    import jax.numpy as jnp

    scale = jnp.maximum(-jnp.min(x, axis=1), jnp.max(x, axis=1)) / F32(127.5)
    scale = jnp.maximum(scale, F32(2.0**-23))
    return jnp.clip(jnp.round(x / scale[:, None]), -128, 127).astype(jnp.int8), scale


def draw_rows() -> tuple[Any, ...]:
    return (np.random.default_rng(SEED).standard_normal((32, 64)).astype(F32),)


def near_rows(args: tuple[Any, ...], got: Any) -> bool:
    (x,), (q, scale) = args, got
    wanted = np.maximum(-x.min(1), x.max(1)) / 127.5
    right = np.clip(np.rint(x / wanted[:, None]), -128, 127)
    steps = np.abs(q.astype(int) - right).max() <= 1
    real = _near(q * scale[:, None], right * wanted[:, None], 1.01 * scale.max(), 1e-4)
    return bool(steps and real and _near(scale, wanted, 1e-5, 1.3e-6))


def _near(got: Any, expected: Any, atol: float, rtol: float) -> bool:
    """Return whether results are within a tolerance, as all five tests have it, and of the same shape."""
    shapes = np.shape(got) == np.shape(expected)
    return shapes and bool(np.allclose(got, expected, atol=atol, rtol=rtol))


LITE = "tensorflow/lite/kernels"
FIRST, FIRST_TWO, ALL = (lambda args, n=n: args[:n] for n in (1, 2, None))
CASES: Sequence[Case] = (
    Case(
        "add",
        f"TensorFlow, {LITE}/add_test.cc",
        "QuantizedTestsNoActivation",
        "2 steps",
        draw_add,
        FIRST_TWO,
        ADD,
        near_sum,
    ),
    Case(
        "mean",
        f"TensorFlow, {LITE}/reduce_test.cc",
        "ConstUint8MeanOpTest",
        "1 step",
        draw_mean,
        FIRST,
        MEAN,
        near_mean,
    ),
    Case(
        "matmul",
        "PyTorch/XLA, test/test_quantized_matmul_pallas_kernel.py",
        "test_quantized_matmul_unaligned_input_shapes",
        "atol 1.5",
        draw_matmul,
        lambda args: args[:3],
        matmul,
        near_product,
    ),
    Case(
        "blockwise",
        "Qwix, tests/contrib/kernels/quantized_matmul_test.py",
        "test_kernel_dot_general",
        "rtol, atol 0.01",
        draw_blockwise,
        ALL,
        blockwise,
        near_blockwise,
    ),
    Case(
        "quantize",
        "torchao, test/integration/test_integration.py",
        "test_dynamic_quant_per_channel_numerics_cpu",
        "1 step",
        draw_rows,
        ALL,
        quantize_rows,
        near_rows,
    ),
)
