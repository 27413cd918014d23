"""Fake quantization in JAX: its bits, its gradient, and how it and Qwix's composites are read."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
import ml_dtypes  # noqa: E402

import interp  # noqa: E402
from interp.jax import fake_quant, program  # noqa: E402
from spec.errors import Malformed, Unsupported  # noqa: E402
from spec.types import parse_element_type  # noqa: E402

RNG = np.random.default_rng(5)
X = np.concatenate([RNG.normal(size=250) * 12, [0.0, -0.0, 0.05, -0.05, 1e9, -1e9, 0.15, np.nan]])
X = X[:256].reshape(16, 16)
X[:2, :8] = np.concatenate(
    [X.ravel()[-8:], [0.0, -0.0, 0.05, -0.05, np.inf, -np.inf, np.nan, 12.75]]
).reshape(2, 8)
TYPES = [
    "!quant.uniform<i8:f32, 0.1>",
    "!quant.uniform<u8:f32, 0.1:128>",
    "!quant.uniform<i4:f32, 0.7:-3>",
    "!quant.uniform<i8<-127:127>:f32, 0.05>",
    "!quant.uniform<i16:f32, 0.001:100>",
    "!quant.uniform<i32:f32, 1.0e-8>",
    "!quant.uniform<i8:bf16, 0.3:7>",
    "!quant.uniform<i8:f16, 0.1:-5>",
    f"!quant.uniform<i8:f32:1, {{{','.join(f'{0.01 * (k + 1)}:{k - 8}' for k in range(16))}}}>",
    "!quant.uniform<i8:f32:{0:8, 1:16}, {{0.1:3}, {0.25}}>",
]


def of(type: str) -> np.ndarray:
    name = parse_element_type(type).expressed_type.numpy
    with np.errstate(all="ignore"):
        return X.astype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


@pytest.fixture(scope="module")
def lowered() -> tuple[Any, list[np.ndarray], list[np.ndarray]]:
    """Return a function of all types and sums of what it gives, its arguments, and what JAX computes."""

    def f(*args: Any) -> list[Any]:
        quantized = [fake_quant(x, type) for x, type in zip(args, TYPES, strict=True)]
        return [*quantized, *(x + y for x, y in zip(quantized, args, strict=True))]

    args = list(map(of, TYPES))
    return jax.jit(f).lower(*args), args, [np.asarray(x) for x in jax.jit(f)(*args)]


def test_jax_computes_the_bits_of_a_run(lowered: Any) -> None:
    """Also where what is added would be contracted with the product by the scale."""
    code, args, in_jax = lowered
    module = interp.load(code)
    assert interp.verify(module) == []
    for k, (ours, theirs) in enumerate(zip(interp.run(module, *args), in_jax, strict=True)):
        if k < len(TYPES) or "16" not in TYPES[k - len(TYPES)]:  # XLA rounds f16 and bf16 sums as it likes
            same = ours.storage.view(np.uint8) == theirs.view(np.uint8)
            assert np.all(same.reshape(-1, theirs.itemsize).all(1) | np.isnan(theirs).ravel()), TYPES[
                k % len(TYPES)
            ]


def test_it_is_read_as_quantization(lowered: Any) -> None:
    module = interp.load(lowered[0])
    casts = ("stablehlo.uniform_quantize", "quant.qcast")
    found = [op.result.type.element_type for op in module.ops() if op.name in casts]
    assert found == list(map(parse_element_type, TYPES))
    assert list(module.functions) == ["main"]
    assert {op.name.partition(".")[2] for op in module.main.body.ops} == {
        *("uniform_quantize", "uniform_dequantize", "qcast", "dcast", "add", "return")
    }
    assert interp.load(repr(module)) == module


def test_it_is_written_as_qwix_writes_it(lowered: Any) -> None:
    text = lowered[0].as_text()
    assert text.count('stablehlo.composite "quant.fake_quant"') == len(TYPES)
    narrow = next(line for line in text.splitlines() if "i8<-127:127>" in line)
    assert 'dtype = "i8", narrow_range = true' in narrow
    assert "zero_point" not in narrow
    assert re.search(r"quantization_dimension = 1 : i64.*scale = dense<\[.*zero_point = dense<\[", text)


@pytest.mark.slow("compiles gradients")
def test_the_gradient_is_one_in_the_range_and_zero_beyond_it() -> None:
    type = "!quant.uniform<i8:f32, 0.5:3>"  # from -65.5 to 62
    x = jnp.asarray([-65.75, -65.5, -65.25, 0.0, 61.75, 62.0, 62.25, np.inf, np.nan], jnp.float32)
    gradient = jax.grad(lambda x: jnp.sum(jnp.where(jnp.isfinite(x), fake_quant(x, type) * 3, 0)))(x)
    assert gradient.tolist() == [0, 3, 3, 3, 3, 3, 0, 0, 0]
    _, tangent = jax.jvp(lambda x: fake_quant(x, type), (x[:3],), (jnp.ones(3),))
    assert tangent.tolist() == [0, 1, 1]


@pytest.mark.slow("compiles gradients")
@pytest.mark.parametrize("type", [TYPES[0], TYPES[-1], TYPES[-2]])
def test_it_may_be_mapped(type: str) -> None:
    x = jnp.stack([jnp.asarray(of(type)), jnp.asarray(of(type)) * 2])
    one_by_one = jnp.stack([fake_quant(x[0], type), fake_quant(x[1], type)])
    mapped = jax.vmap(lambda x: fake_quant(x, type))(x)
    assert np.array_equal(mapped, one_by_one, equal_nan=True)
    gradients = jax.vmap(jax.grad(lambda x: fake_quant(x, type).sum()))(x)
    assert gradients.shape == x.shape


@pytest.mark.parametrize(
    ("x", "type", "error", "message"),
    [
        (np.float32(1), "f32", Malformed, "is not a quantized type"),
        (np.ones(3, np.float16), TYPES[0], Malformed, r"x is float16.*\n.*convert x"),
        (np.ones((2, 3), np.float32), TYPES[-2], Malformed, "no array of shape"),
        (np.ones(2, ml_dtypes.bfloat16), "!quant.uniform<i16:bf16, 0.1:3>", Unsupported, "zero point 0"),
        (np.ones(2, np.float32), "!quant.uniform<f8E4M3FN:f32, 0.1>", Unsupported, "expected integers"),
    ],
)
def test_what_floats_cannot_compute_is_refused(x: Any, type: str, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        fake_quant(x, type)


# Composites of others
# -------------------------------------------------------------------------------------------------

QWIX = """
module {{
  func.func @main(%s: tensor<1x2xf32>, %x: tensor<3x2xf32>) -> tensor<3x2xf32> {{
    %0 = stablehlo.composite "quant.fake_quant" %s, %x
      {{composite_attributes = {attributes}, decomposition = @f}}
      : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }}
  func.func private @f(%s: tensor<1x2xf32>, %x: tensor<3x2xf32>) -> tensor<3x2xf32> {{
    %0 = stablehlo.{operation} %x, %x : tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }}
}}
"""
SCALES = "scale = dense<[0.5, 0.25]> : tensor<2xf32>, quantization_dimension = 1 : i64"


@pytest.mark.parametrize(
    ("attributes", "operation", "type"),
    [
        (f'{{dtype = "i8", narrow_range = true, {SCALES}}}', "maximum", "i8<-127:127>:f32:1, {0.5,0.25}"),
        (f'{{dtype = "i8", narrow_range = true, {SCALES}}}', "add", "i8:f32:1, {0.5,0.25}"),
        (f'{{dtype = "i4", narrow_range = false, {SCALES}}}', "add", "i4:f32:1, {0.5,0.25}"),
        (
            '{dtype = "ui8", scale = dense<0.5> : tensor<1xf32>, zero_point = dense<128> : tensor<1xi64>}',
            "add",
            "ui8:f32, 0.5:128",
        ),
        ('{dtype = "i8", scale = dense<> : tensor<0xf32>}', "add", ""),  # a range per run
        ('{dtype = "i8", scale = dense<[0.5, 0.25]> : tensor<2xf32>}', "add", ""),  # of which dimension?
        ('{dtype = "float8", scale = dense<0.5> : tensor<1xf32>}', "add", ""),
        ('{quantized_type = "!quant.uniform<i8:bf16, 0.5>"}', "add", ""),  # expresses another type
        ('{quantized_type = "!quant.uniform<i8:f32, >"}', "add", ""),
    ],
)
def test_qwixs_attributes_are_read_where_they_say_a_type(attributes: str, operation: str, type: str) -> None:
    module = interp.load(QWIX.format(attributes=attributes, operation=operation))
    found = [op.result.type.element_type for op in module.ops() if op.name == "stablehlo.uniform_quantize"]
    assert found == ([parse_element_type(f"!quant.uniform<{type}>")] if type else [])
    assert ("f" in module.functions) == (not type)
    assert interp.verify(module) == []


# Functions as programs
# -------------------------------------------------------------------------------------------------


def model(x: Any, scales: dict[str, Any]) -> dict[str, Any]:
    return {"sum": (x * scales["a"]).sum(), "all": fake_quant(x, TYPES[0])}


SCALE = {"a": np.float32(2)}
ROW = np.array([1.0, 2.0], np.float32)


def test_a_function_is_a_program_of_the_arguments_it_gets() -> None:
    for f in (model, jax.jit(model)):
        results = interp.run(f, ROW, SCALE)
        assert float(results["sum"]) == 6
        assert results["all"].tolist() == pytest.approx([1, 2])
    assert interp.run(lambda x: x.sum(), ROW).item() == 3


def test_a_function_with_examples_goes_wherever_a_program_goes() -> None:
    for source in ((model, (ROW, SCALE)), program(model, ROW, SCALE)):
        assert interp.verify(source) == []
        assert float(interp.compile(source)(ROW, SCALE)["sum"]) == 6
        assert interp.load(source) == interp.load(program(model, ROW, SCALE))
    shape = jax.ShapeDtypeStruct((2,), np.float32)
    assert float(interp.run((model, (shape, SCALE)), ROW * 2, SCALE)["sum"]) == 12
    assert interp.jax.program is program


def test_a_function_alone_is_refused_where_there_are_no_arguments() -> None:
    with pytest.raises(Malformed, match=r"got a function alone\n.*\(f, inputs\)"):
        interp.verify(model)
    with pytest.raises(Malformed, match="is not a function"):
        program(3, ROW)
