"""A classifier of digits trained in JAX: in floats and quantized, and fake-quantized to two-bit weights."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import interp  # noqa: E402
from interp.apps.quantization.calibrate import collect  # noqa: E402
from interp.apps.quantization.instrument import instrument  # noqa: E402
from interp.apps.quantization.kernels import kernels  # noqa: E402
from interp.apps.quantization.quantize import Quantized  # noqa: E402
from interp.apps.quantization.ranges import uniform  # noqa: E402
from interp.jax import fake_quant  # noqa: E402
from spec.ir import Module  # noqa: E402
from spec.types import QuantizedType  # noqa: E402
from tests.library.digits_model import TRAINING, Params, accuracy, images, initial, logits, trained  # noqa: E402

X = images()[0]
HALF = TRAINING // 2


@pytest.fixture(scope="module")
def params() -> Params:
    return trained(initial())


@pytest.fixture(scope="module")
def types(params: Params) -> dict[str, QuantizedType]:
    """Return i8 for activations, from the calibrated float program, and two bits for weights."""
    module = interp.load((lambda x: logits(params, x), (X[:HALF],)))
    names = {"x": "stablehlo.convolution", "convolved": "stablehlo.reduce_window", "logits": "func.return"}
    statistics = collect(module, [(X[:HALF],), (X[HALF:TRAINING],)])
    key = {name: read_by(instrument(module), reader) for name, reader in names.items()}
    ends = {name: (s.layer.low[0], s.layer.high[0]) for name in names for s in [statistics[key[name]]]}
    assert ends["x"] == (0, 1)
    assert ends["convolved"][0] == 0
    return {
        **{name: uniform(*map(float, pair)) for name, pair in ends.items()},
        **{name: weights(params[name]) for name in ("kernel", "dense")},
    }


def read_by(module: Module, reader: str) -> str:
    """Return the key of the first operand of an operation."""
    value = next(op.operands[0] for op in module.main.body.ops if op.name == reader)
    made = next(op for op in module.main.body.ops if value in op.results)
    return made["statsKey"]


def weights(w: np.ndarray) -> QuantizedType:
    """Return two bits, -1 to 1, for each slice along the last axis."""
    most = np.abs(w).max(axis=tuple(range(w.ndim - 1))).tolist()
    least = [-x for x in most]
    return uniform(least, most, "i2", formula="tensorflow_weights", narrow=True, axis=w.ndim - 1)


def hook(types: dict[str, QuantizedType]) -> Callable[[str, Any], Any]:
    return lambda name, x: fake_quant(x, types[name])


@pytest.mark.slow("trains a network")
def test_training_with_fake_quantization_recovers_what_two_bits_lose(
    params: Params, types: dict[str, QuantizedType]
) -> None:
    quantizing = hook(types)
    judge = jax.jit(lambda params, x: logits(params, x, quantizing))
    float_accuracy = accuracy(logits(params, X[TRAINING:]))
    found = trained(params, quantizing, steps=60)
    assert float_accuracy > 0.85
    assert accuracy(judge(params, X[TRAINING:])) < float_accuracy - 0.2
    assert accuracy(judge(found, X[TRAINING:])) > float_accuracy - 0.12


def test_the_trained_program_is_read_as_quantized(params: Params, types: dict[str, QuantizedType]) -> None:
    """The engine adds in another order than XLA, which moves a few numbers over the edge of a step."""
    quantizing = hook(types)

    def model(x: Any) -> Any:
        return logits(params, x, quantizing)

    module = interp.load((model, (X[TRAINING:],)))
    found = {op.result.type.element_type for op in module.ops() if op.name == "stablehlo.uniform_quantize"}
    assert found == set(types.values())
    (ours,) = interp.run(module, X[TRAINING:])
    theirs = np.asarray(jax.jit(model)(X[TRAINING:]))
    steps = np.abs(ours.storage - theirs) / types["logits"].scale
    assert steps.max() < 2.01
    assert (steps < 0.01).mean() > 0.97


# From floats to int8

BATCH = 60


@pytest.fixture(scope="module")
def quantized(params: Params) -> Quantized:
    samples = [(X[k : k + BATCH],) for k in range(0, TRAINING, BATCH)]
    return interp.quantize(lambda x: logits(params, x), samples)


def stored(module: Module) -> np.ndarray:
    """Return the logits of the images that nothing was trained or calibrated with."""
    batches = [X[k : k + BATCH] for k in range(TRAINING, len(X), BATCH)]
    return np.concatenate([interp.run(module, x, contractions="library")[0].storage for x in batches])


def test_in_int8_the_digits_are_told_apart_as_well(params: Params, quantized: Quantized) -> None:
    """Accuracy within a point of float; 98 % of the logits within two steps of the simulation."""
    found, simulated = (stored(quantized.stages[name]) for name in ("materialize", "propagate"))
    assert accuracy(logits(params, X[TRAINING:])) > 0.85
    assert abs(accuracy(found) - accuracy(logits(params, X[TRAINING:]))) <= 0.01
    step = quantized.decisions[-1].type.scale
    assert (np.abs(found - simulated) <= 2 * step).mean() >= 0.98
    reasons = {each.value: each.constraint for each in quantized.decisions}
    regions = list(kernels(quantized.stages["propagate"]))
    assert {v.name for op in regions for v in (*op.operands, *op.results)} <= set(reasons)
    assert "" not in reasons.values()


def test_the_int8_digits_compare_with_the_jax_function(params: Params, quantized: Quantized) -> None:
    x = X[TRAINING : TRAINING + BATCH]
    found = interp.compare(quantized.module, x, against=lambda x: logits(params, x))
    (result,) = found.results
    step = quantized.decisions[-1].type.scale
    assert result.largest_error < 20 * step
    assert found.ok


def test_a_narrow_accumulator_overflows_where_the_proof_says(quantized: Quantized) -> None:
    """Every accumulator is proven; in i16 each saturates, by sums no larger than the proof's, in i32 none."""
    accumulators = [each for each in quantized.choices if each.kind == "accumulator"]
    assert {each.operation for each in accumulators} == {"convolution", "dot_general"}
    assert all(each.holds for each in accumulators)
    x = X[TRAINING : TRAINING + BATCH]
    for each in accumulators:
        proven = int(re.findall(r"up to ([\d,]+) steps, proven", each.text)[0].replace(",", ""))
        assert overflows(quantized.module, each.value, x) == []
        narrow = interp.with_accumulator(quantized.module, each.value, "i16")
        worst = max(abs(exact) for exact in overflows(narrow, each.value, x))
        assert 2**15 <= worst <= proven


def overflows(module: Module, name: str, x: np.ndarray) -> list[int]:
    """Return the exact sums, in steps, that saturated in an operation."""
    found = interp.trace(module, x).events
    return [round(each.exact) for each in found if each.name == name and each.kind == "saturate"]
