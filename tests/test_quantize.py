"""`interp.quantize` and its command: a float program and samples become a quantized program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.apps.quantization.constraints import NoQuant, constrain
from interp.apps.quantization.kernels import REGION, kernels
from interp.apps.quantization.pipeline import STAGES, fuse, unfuse
from interp.apps.quantization.port_rules import free
from interp.apps.quantization.prepare import prepare
from interp.apps.quantization.propagate import propagate
from interp.apps.quantization.quantize import Quantized
from interp.apps.quantization.search import search
from interp.apps.quantization.targets import TARGETS, Target
from spec.errors import Malformed, Unsupported
from spec.types import parse_element_type

RNG = np.random.default_rng(14)
SIZE, CLASSES, HIDDEN = 8, 4, 6
PROTOTYPES = RNG.normal(size=(CLASSES, SIZE, SIZE)).astype("f")


def images(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return noisy pictures of the prototypes, and which one each shows."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, CLASSES, count)
    noise = 1.2 * rng.normal(size=(count, SIZE, SIZE))
    return (PROTOTYPES[labels] + noise).astype("f")[..., None], labels


def logits(parameters: Any, x: Any) -> Any:
    """Return a small convolutional classifier's logits."""
    kernel, bias, dense, offset = parameters
    h = jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    h = jax.nn.relu(h + bias)
    h = jax.lax.reduce_window(h, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return h.reshape(h.shape[0], -1) @ dense + offset


def trained() -> Any:
    """Return the parameters after a few steps of gradient descent."""
    shapes = (3, 3, 1, HIDDEN), (HIDDEN,), (16 * HIDDEN, CLASSES), (CLASSES,)
    parameters = [jnp.asarray(RNG.normal(size=s).astype("f")) * 0.2 for s in shapes]
    x, labels = images(128, 1)

    def loss(p: Any) -> Any:
        return -jnp.mean(jax.nn.log_softmax(logits(p, x))[jnp.arange(len(labels)), labels])

    @jax.jit
    def step(p: Any) -> Any:
        return jax.lax.fori_loop(
            0, 60, lambda _, q: [a - 0.1 * b for a, b in zip(q, jax.grad(loss)(q), strict=True)], p
        )

    return step(parameters)


@pytest.fixture(scope="module")
def model() -> Any:
    parameters = trained()
    return lambda x: logits(parameters, x)


@pytest.fixture(scope="module")
def quantized(model: Any) -> Quantized:
    samples = [(images(32, seed)[0],) for seed in (2, 3)]
    return interp.quantize(model, samples)


@pytest.mark.slow("trains a network")
def test_a_classifier_in_int8_is_as_accurate_as_in_float(model: Any, quantized: Quantized) -> None:
    """Against the simulation, 98 % of the logits lie within two steps."""
    simulated, stored, reference, labels = [], [], [], []
    for seed in range(10, 18):
        x, shown = images(32, seed)
        labels += list(shown)
        reference.append(np.asarray(model(x)))
        simulated.append(interp.run(quantized.stages["propagate"], x, contractions="library")[0].storage)
        stored.append(interp.run(quantized.module, x)[0].storage)
    logits = [np.concatenate(each) for each in (reference, simulated, stored)]
    accuracies = [float((each.argmax(1) == labels).mean()) for each in logits]
    assert accuracies[0] > 0.8
    assert abs(accuracies[2] - accuracies[0]) <= 0.01
    (result,) = quantized.module.main.results
    steps = abs(logits[2] - logits[1]) / quantized.decisions[-1].type.scale
    assert result == quantized.stages["prepare"].main.results[0]
    assert (steps <= 2).mean() >= 0.98


def test_every_stage_prints_reads_back_and_runs(quantized: Quantized) -> None:
    assert list(quantized.stages) == list(quantized.seconds) == list(STAGES)
    x = images(32, 20)[0]
    results = {}
    for name, program in quantized.stages.items():
        assert interp.verify(program, mode="mlir") == []
        assert repr(interp.load(repr(program))) == repr(program)
        results[name] = interp.run(program, x, contractions="library")[0].storage
    for name in STAGES[1:5]:  # up to the constraints, the numbers are the same
        assert (results[name] == results["prepare"]).all()
    unfused = interp.run(unfuse(quantized.stages["propagate"]), x, contractions="library")[0].storage
    assert (unfused == results["propagate"]).all()


def test_each_value_is_explained(quantized: Quantized, tmp_path: Path) -> None:
    assert quantized.fully_quantized
    assert repr(quantized.fully_quantized) == "fully quantized"
    kernels_found = list(kernels(quantized.stages["propagate"]))
    explained = {each.value for each in quantized.decisions}
    assert {v.name for op in kernels_found for v in op.results} <= explained
    assert "values in" in repr(quantized)
    page = quantized.report(tmp_path / "why.html").read_text()
    assert all(each.value in page and each.constraint in page for each in quantized.decisions)
    assert interp.load(quantized.save(tmp_path / "int8.mlirbc")).main.results == quantized.module.main.results


def test_calls_and_composites_are_kernels_where_the_target_has_them(model: Any) -> None:
    target = TARGETS["int8"].kernel("jax.relu", "i8 -> i8", free).without("generic.convolution_add_clamp")
    x = images(2, 30)[0]
    module = interp.load(jax.jit(model).lower(x))
    fused = fuse(module, target)
    names = [op["logical_kernel"] for op in kernels(fused)]
    assert "jax.relu" in names
    assert "generic.convolution_add" in names
    whole = fuse(module, TARGETS["int8"])
    assert "generic.convolution_add_clamp" in [op["logical_kernel"] for op in kernels(whole)]
    restored = unfuse(whole)
    assert REGION not in {op.name for op in restored.ops()}
    assert (interp.run(restored, x)[0].storage == interp.run(module, x)[0].storage).all()


def test_each_call_has_a_copy_of_its_own() -> None:
    def twice(x: Any) -> Any:
        once = jax.jit(jnp.tanh)
        return once(once(x) * 3)

    module = interp.load(jax.jit(twice).lower(np.ones(4, "f")))
    flat = prepare(module, Target("none"))
    assert list(flat.functions) == ["main"]
    assert [op.name for op in flat.ops()].count("stablehlo.tanh") == 2


@pytest.mark.slow("calibrates for each target", rows=1)
@pytest.mark.parametrize("target", ["int8_weights", "int16x8", "int4_weights"])
def test_other_targets_stop_at_their_types(model: Any, target: str) -> None:
    samples = [(images(4, 40)[0],)]
    found = interp.quantize(model, samples, target, until="propagate")
    weights = [each.type for each in found.decisions if each.constraint == "constant"]
    bounds = {"int8_weights": ("i8", 127), "int16x8": ("i16", 127), "int4_weights": ("i8", 7)}[target]
    assert {(t.storage_type.name, t.storage_max) for t in weights} == {bounds}
    assert all(t.is_per_axis for t in weights)


def test_samples_that_do_not_fit_are_refused(model: Any) -> None:
    x = images(2, 50)[0]
    with pytest.raises(Malformed, match="a function needs arguments"):
        interp.quantize(model, [])
    with pytest.raises(Malformed, match="expected samples, got 3"):
        interp.quantize(model, 3)  # type: ignore[arg-type]
    with pytest.raises(Malformed, match="'int9' is not a target"):
        interp.quantize(model, [(x,)], "int9")
    with pytest.raises(Malformed, match=r"the constraint of '%nothing' reaches no port"):
        interp.quantize(model, [(x,)], constraints={"%nothing": NoQuant()})


def test_the_command_quantizes_a_file(model: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    x = images(2, 60)[0]
    (tmp_path / "float.mlir").write_text(jax.jit(model).lower(x).as_text())
    np.save(tmp_path / "x.npy", np.stack([x, images(2, 61)[0]]))
    program, samples, out = (str(tmp_path / name) for name in ("float.mlir", "x.npy", "int8.mlir"))
    asked = ["quantize", program, samples, "--until", "propagate", "-o", out, "--decisions"]
    assert main([*asked, "--constraint", "generic.dot_general_add=float"]) == 0
    printed = capsys.readouterr().out
    assert "not fully quantized: 1 open" in printed
    assert "calibrated, range [" in printed
    assert REGION in Path(out).read_text()
    assert main(["quantize", program, samples, "--constraint", "%4=wide"]) == 2
    assert "'%4=wide' is not a constraint" in capsys.readouterr().err


def test_a_search_widens_what_the_error_comes_from(quantized: Quantized) -> None:
    """Few kernels are widened for a small improvement, more for a large one, and the error is kept."""
    both, samples = TARGETS["int8"] | TARGETS["int16x8"], [(images(32, 70)[0],)]
    constrained = quantized.stages["constrain"]
    exact = interp.run(quantized.stages["prepare"], *samples[0])[0].storage

    def error(widths: Any) -> float:
        program = propagate(constrain(constrained, widths), both)
        found = interp.run(program, *samples[0], contractions="library")[0].storage
        return float(np.sqrt(((found - exact) ** 2).sum() / (exact**2).sum()))

    narrow = error({})
    assert search(constrained, samples, both, narrow * 1.01) == {}
    widths = search(constrained, samples, both, narrow * 0.9)
    assert 0 < len(widths) < len(list(kernels(constrained)))
    assert error(widths) <= narrow * 0.9
    with pytest.raises(Unsupported, match="with 16 bits everywhere"):
        search(constrained, samples, both, 1e-9)


def test_types_of_training_and_of_calibration_mix() -> None:
    """A fake-quantized value keeps the type that it was trained with; the others get theirs from samples."""
    chosen = "!quant.uniform<i8:f32, 0.05:3>"
    weights = RNG.normal(size=(3, 2)).astype("f")

    def net(x: Any) -> Any:
        return jax.nn.relu(interp.jax.fake_quant(x, chosen) @ weights)

    samples = [(np.linspace(-2, 2, 12, dtype="f").reshape(4, 3),)]
    found = interp.quantize(net, samples)
    first = found.decisions[0]
    assert (first.value, first.constraint) == ("%arg0", "uniform")
    assert first.type == parse_element_type(chosen)
    assert {each.constraint for each in found.decisions} == {"uniform", "constant", "calibrated"}
    x = samples[0][0]
    simulated, stored = (
        interp.run(found.stages[name], x)[0].storage for name in ("propagate", "materialize")
    )
    assert abs(simulated - stored).max() <= found.decisions[-1].type.scale
