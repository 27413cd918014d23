"""Names of quantization that `raise_qdq` leaves in float: dynamic scales, weights alone, tiles."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interp

WEIGHTS = np.arange(-6, 6, dtype=np.int8).reshape(4, 3)
X = np.float32([[1, -2, 3, 4], [5, 6, -7, 8]])
ALONE = "neither its operands nor its result are quantized"


def reasons(f: Any, *args: Any) -> dict[str, set[str]]:
    """Return the reasons why operations of a function are left in float, by the kind of operation."""
    found: dict[str, set[str]] = {}
    for left in interp.raise_qdq(interp.load(jax.jit(f).lower(*args))).left:
        found.setdefault(left.operation, set()).add(left.reason)
    return found


def quantize(x: Any, largest: Any) -> Any:
    return jnp.clip(jnp.round(x / (largest / 127)), -128, 127).astype(jnp.int8)


def product(q: Any) -> Any:
    return jax.lax.dot(q, jnp.asarray(WEIGHTS), preferred_element_type=jnp.int32)


def test_a_scale_that_is_computed_from_the_data_is_named() -> None:
    def dynamic(x: Any) -> Any:
        largest = jnp.max(jnp.abs(x), axis=1, keepdims=True)
        return jnp.tanh(product(quantize(x, largest)).astype(jnp.float32) * (largest / 127))

    found = reasons(dynamic, X)
    used, computes = "its scale is computed from the data", "it computes a scale from the data"
    assert found["round_nearest_even"] == found["minimum"] == found["multiply"] == {used}
    assert found["abs"] == found["reduce"] == {computes}
    assert found["divide"] == {used, computes}
    assert found["tanh"] == {ALONE}


def test_a_scale_that_is_an_argument_or_follows_from_constants_is_not_computed_from_the_data() -> None:
    for found in (
        reasons(lambda x, s: product(quantize(x, s)), X, np.float32(2)),
        reasons(lambda x: product(quantize(x, jnp.max(jnp.abs(jnp.asarray(X))))), X),
    ):
        assert not any("computed from the data" in reason for x in found.values() for reason in x)


def per_channel(w: Any) -> Any:
    return w.astype(jnp.float32) * np.float32([0.25, 0.5, 0.125])


def in_tiles(w: Any) -> Any:
    scales = np.float32([[[0.5, 0.25, 0.125]], [[1, 0.25, 0.5]]])
    return (w.astype(jnp.float32).reshape(2, 2, 3) * scales).reshape(4, 3)


@pytest.mark.parametrize(
    ("dequantize", "type", "form"),
    [
        (per_channel, "int8", "i8, with a scale"),
        (per_channel, "int32", None),
    ],
)
def test_weights_that_are_stored_as_integers_are_named(dequantize: Any, type: str, form: str | None) -> None:
    w = jnp.asarray(WEIGHTS.clip(-8, 7)).astype(type)
    found = reasons(lambda x, w: jnp.tanh(x @ dequantize(w)), X, w)
    expected = f"one operand alone is quantized: %arg1 is stored as {form}" if form else ALONE
    assert found["dot_general"] == found["multiply"] == found["convert"] == {expected}
    assert found["tanh"] == {ALONE}


def test_weights_that_are_constants_are_weights_only() -> None:
    (reason,) = reasons(lambda x: x @ per_channel(jnp.asarray(WEIGHTS)), X)["dot_general"]
    assert reason.startswith("weights only: %")
    assert reason.endswith(" is stored as i8, with a scale")


def test_weights_in_tiles_have_a_type_with_blocks() -> None:
    (reason,) = reasons(lambda x: x @ in_tiles(jnp.asarray(WEIGHTS)), X)["dot_general"]
    assert reason == "a float is contracted with weights that have 6 scales, in blocks of 2 x 1"


def test_weights_that_a_table_has_are_named() -> None:
    """NF4 of Qwix: four bits choose one of sixteen numbers."""
    table, w = jnp.linspace(-1, 1, 16), jnp.asarray(WEIGHTS % 16).astype(jnp.uint4)
    found = reasons(lambda x, w: jnp.tanh(x @ (table[w] * np.float32([0.25, 0.5, 0.125]))), X, w)
    expected = (
        "one operand alone is quantized: %arg1 is stored as ui4, with a scale, by a table of 16 numbers"
    )
    assert found["gather"] == found["multiply"] == found["dot_general"] == {expected}
    assert found["tanh"] == {ALONE}


def test_floats_of_eight_bits_and_constants_that_are_quantized_are_named() -> None:
    """QtProvider of Qwix scales data and weights in the program, to integers or to floats of 8 bits."""

    def scaled(x: Any) -> Any:
        largest = jnp.max(jnp.abs(x), axis=1, keepdims=True)
        return (x / (largest / 448)).astype(jnp.float8_e4m3fn)

    w = jnp.asarray(WEIGHTS, jnp.float32)
    found = reasons(lambda x: jax.lax.dot(scaled(x), scaled(w), preferred_element_type=jnp.float32), X)
    data, constants = "it computes a scale from the data", "it stores constants as f8E4M3FN"
    assert found["convert"] == {"its scale is computed from the data", constants}
    assert found["reduce"] == {data, constants}
    assert found["dot_general"] == {"its operands are f8E4M3FN, a type of floats"}
