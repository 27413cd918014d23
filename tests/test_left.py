"""Operations outside of kernels that a quantized program leaves in float, and the reasons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import interp

WEIGHTS = np.random.default_rng(0).normal(size=(4, 4)).astype("f")
X = np.random.default_rng(1).normal(size=(6, 4)).astype("f")


def masked(x: Any) -> Any:
    """Compute two kernels, and besides a cosine, a comparison, a mask and a sort."""
    y = jnp.cos(x @ WEIGHTS)
    y = jnp.where(y > 0, y, -jnp.inf)
    return jnp.tanh(jax.lax.sort((y, x), num_keys=1)[1])


def test_operations_without_a_kernel_are_named_with_the_reason(tmp_path: Path) -> None:
    q = interp.quantize(masked, [(X,)])
    assert q.fully_quantized
    reasons = {each.operation: each.reason for each in q.left}
    outside = {op.name.removeprefix("stablehlo.") for op in q.stages["fuse"].main.body.ops}
    assert set(reasons) == outside - {"quant.region", "quant.stats", "constant", "func.return"}
    assert reasons["cosine"] == "the target int8 has no kernel generic.cosine"
    assert reasons["compare"] == "its result is i1, and kernels give floats"
    assert reasons["select"] == "one of its constants is infinite"
    assert reasons["sort"] == "it has 2 results, and kernels have one"
    text = repr(q)
    assert "every kernel is fully quantized" in text
    assert f"{len(q.left)} operations outside of kernels in float" in text
    assert all(str(each) in text for each in q.left)
    page = q.report(tmp_path / "why.html").read_text()
    assert all(each.reason in page for each in q.left)


def test_bodies_of_control_flow_and_other_targets_count() -> None:
    def looped(x: Any) -> Any:
        return jax.lax.fori_loop(0, 3, lambda k, y: jnp.cos(y), x)

    (left,) = interp.quantize(looped, [(X,)], until="fuse").left
    assert (left.operation, left.reason) == ("cosine", "the target int8 has no kernel generic.cosine")


def test_nothing_is_left_of_a_program_of_kernels() -> None:
    q = interp.quantize(lambda x: jnp.tanh(x @ WEIGHTS), [(X,)])
    assert q.left == ()
    assert repr(q.fully_quantized) == "fully quantized"
