"""Masks that `quantize` finds: which values stay in float for one, what it says, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.apps.quantization.quantize import Quantized
from interp.quantization.constraints import Any as Bits
from interp.quantization.constraints import Calibrated
from spec.errors import Malformed

RNG = np.random.default_rng(5)
N = 6
SEEN = np.tril(np.ones((N, N), bool))
SAMPLES = [(RNG.normal(0, 4, (N, N)).astype(np.float32),) for _ in range(4)]
UNKNOWN = "no range is known, and no rule decides"
LEAST = float(np.finfo(np.float32).min)
Scores = Callable[[Any], Any]


def network(scores: Scores) -> Scores:
    """Return softmax of masked scores, times what they were computed from."""
    return lambda x: jax.nn.softmax(scores(x * 0.5), axis=-1) @ x


def selected(fill: float) -> Scores:
    return lambda x: jnp.where(SEEN, x, np.float32(fill))


def quantized(scores: Scores, target: str = "int8", **options: Any) -> Quantized:
    return interp.quantize(network(scores), SAMPLES, target, **options)


def noise(found: Quantized, scores: Scores) -> float:
    """Return the root of the mean square of the results' error."""
    pairs = ((np.asarray(interp.run(found.module, x)[0]), network(scores)(x)) for (x,) in SAMPLES)
    return float(np.sqrt(np.mean([np.square(a - b) for a, b in pairs])))


ADDED = np.where(SEEN, 0, -1e9).astype(np.float32)
SLOPES = np.where(SEEN, -0.5 * np.abs(np.subtract.outer(np.arange(N), np.arange(N))), LEAST).astype(
    np.float32
)
WAYS: dict[str, tuple[Scores, float]] = {
    "select": (selected(-1e9), -1e9),
    "select an infinity": (selected(-np.inf), -np.inf),
    "select the least number": (selected(LEAST), LEAST),
    "add a constant": (lambda x: x + ADDED, -1e9),
    "add what is computed": (lambda x: x + (1 - jnp.tril(jnp.ones((N, N)))) * -1e9, -1e9),
    "add what booleans are": (
        lambda x: x + (1 - (jnp.arange(N)[:, None] >= jnp.arange(N)).astype(np.float32)) * -1e9,
        -1e9,
    ),
    "add slopes with a mask": (lambda x: x + SLOPES, LEAST),
    "select, then scale": (lambda x: selected(-1e9)(x) * 0.25, -1e9),
}


@pytest.mark.parametrize("way", WAYS)
def test_masked_scores_stay_in_float(way: str) -> None:
    """Whatever follows from the mask, to where softmax subtracts its maximum; others have types."""
    scores, fill = WAYS[way]
    found = quantized(scores)
    assert {each.origin for each in found.masks} == {found.masks[0].origin}
    assert found.masks[0].fill == pytest.approx(fill, rel=1e-6)
    low, high = found.masks[0].others
    assert -20 < low < 0 < high < 20
    decided = {each.value for each in found.decisions}
    assert decided
    assert len(found.masks) == 2 + (way == "select, then scale")  # the last is what softmax subtracts from
    assert not decided & {each.value for each in found.masks}
    assert f"in float for a mask: {found.masks[0].value} has a mask of" in repr(found)
    reasons = {each.reason for each in found.fully_quantized.open} - {UNKNOWN}  # of what iota alone decides
    assert reasons
    assert all("has a mask of" in each for each in reasons)
    assert noise(found, scores) < 0.05


def test_a_mask_in_a_type_loses_the_scores() -> None:
    """What the default prevents: one step of the type is wider than all scores."""
    scores = selected(-1e9)
    found = quantized(scores, masks="quantize")
    assert found.masks == ()
    assert noise(found, scores) > 0.5


def test_an_infinity_at_the_end_of_a_type_is_one_of_the_scores() -> None:
    """A row whose other scores are near the least number of all: what is masked takes part in the mean."""
    scores = selected(-np.inf)
    (x,) = SAMPLES[0]
    x = x.copy()
    x[0] = x.min()
    found = [quantized(scores, masks=way) for way in ("float", "quantize")]
    float_row, typed_row = (np.asarray(interp.run(each.module, x)[0])[0] for each in found)
    exact = np.asarray(network(scores)(x))[0]
    assert np.abs(float_row - exact).max() < 0.1
    assert np.abs(typed_row - exact).max() > 1


@pytest.mark.parametrize("kind", [np.bool_, np.int32, np.float32])
def test_a_mask_may_be_computed_from_an_argument(kind: Any) -> None:
    """`(1 - mask) * -1e9`, as transformers write it. Integers of 0 to 1 have two numbers, floats more."""

    def attention(x: Any, mask: Any) -> Any:
        return network(lambda y: y + (1.0 - mask.astype(np.float32)) * -1e9)(x)

    found = interp.quantize(attention, [(x, SEEN.astype(kind)) for (x,) in SAMPLES])
    assert bool(found.masks) == (kind is not np.float32)


NONE: dict[str, Scores] = {
    "relu": lambda x: jnp.where(x > 0, x, 0),
    "near": lambda x: jnp.where(SEEN, x, -20.0),
    "a small slope": lambda x: jnp.where(x > 0, 1.0, x * 0.001),
    "large numbers": lambda x: jnp.where(SEEN, x * 1e9, -1e9),
    "never taken": lambda x: jnp.where(x > 1e6, -1e9, x),
    "never infinite": lambda x: jnp.where(jnp.isnan(x), -jnp.inf, x),
    "two levels": lambda x: jnp.where(x > 0, 0.0, -1e9),
    "a maximum": lambda x: jnp.maximum(x, -1e9),
}


@pytest.mark.parametrize("name", NONE)
def test_other_constants_are_no_masks(name: str) -> None:
    scores = NONE[name]
    assert interp.quantize(lambda x: scores(x * 0.5) * 1.0, SAMPLES).masks == ()


OUTLIER = np.array([-90.0, *[0.5] * 7], np.float32)
FAR = {
    "a bias with an outlier": lambda x: x[0] + OUTLIER,
    "zeros beside large numbers": lambda x: jnp.pad(x[0] * 0.5 - 60, ((0, 0), (0, 8))),
    "a row of its own": lambda x: jnp.concatenate([x[0], jnp.full((1, x.shape[-1]), -90.0)]),
}


@pytest.mark.parametrize("name", FAR)
@pytest.mark.parametrize("ends", ["product", "softmax", "argmax", "result", "above"])
def test_what_a_product_reads_is_no_mask(name: str, ends: str) -> None:
    """All numbers of a product count; softmax, and a largest number, ignore what is far below the others."""
    rng = np.random.default_rng(0)
    samples = [(rng.standard_normal((1, 8, 8)).astype(np.float32),) for _ in range(2)]
    follow = {
        "product": lambda y: y @ np.ones((y.shape[-1], 2), np.float32),
        "softmax": jax.nn.softmax,
        "argmax": lambda y: jnp.argmax(y, -1),
        "result": lambda y: y * 1.0,
        "above": lambda y: -y,
    }[ends]
    found = interp.quantize(lambda x: follow(FAR[name](x)), samples)
    below = name != "zeros beside large numbers"
    assert bool(found.masks) == (
        ends in ("softmax", "argmax") or (below and ends == "result") or (not below and ends == "above")
    )


def test_targets_without_quantized_results_have_no_masks() -> None:
    assert (
        interp.quantize(
            lambda x: selected(-1e9)(x @ x.T) @ np.eye(N, dtype=np.float32), SAMPLES, "int8_weights"
        ).masks
        == ()
    )


def test_wide_types_have_room_for_small_masks() -> None:
    """-3,000 leaves numbers of 16 bits hundreds of steps, those of 8 bits hardly one."""
    assert quantized(selected(-3000)).masks
    assert not quantized(selected(-3000), "int16x8").masks


def test_what_is_demanded_of_a_value_counts_more() -> None:
    scores = selected(-1e9)
    masks = quantized(scores).masks
    name = masks[0].value
    for demand in (Calibrated(-20, 20), Bits(8)):
        found = quantized(scores, constraints={name: demand})
        assert name in {each.value for each in found.decisions}
        assert name not in {each.value for each in found.masks}
    with pytest.raises(Malformed, match="'both' is not a way with masks"):
        quantized(scores, masks="both")


def test_a_method_that_cuts_the_mask_off_hides_it_not() -> None:
    """The range of a method may leave the mask out; the samples have taken it all the same."""
    found = quantized(lambda x: jnp.where(np.eye(N, dtype=bool), np.float32(-1e9), x), method="entropy")
    assert found.masks


def test_the_command_has_the_option(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    lowered = jax.jit(network(selected(-1e9))).lower(SAMPLES[0][0])
    (tmp_path / "f.mlir").write_text(lowered.as_text())
    np.save(tmp_path / "x.npy", np.stack([x for (x,) in SAMPLES]))
    files = [str(tmp_path / "f.mlir"), str(tmp_path / "x.npy")]
    assert main(["quantize", *files]) == 0
    assert "stay in float for a mask" in capsys.readouterr().out
    assert main(["quantize", *files, "--masks", "quantize"]) == 0
    assert "for a mask" not in capsys.readouterr().out
