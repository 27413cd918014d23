"""Programs with unknown sizes: refined on the shapes of their arguments, or refused with both shapes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.__main__ import main

jax = pytest.importorskip("jax")
export = pytest.importorskip("jax.export")
jnp = jax.numpy

SUM = """func.func @main(%x: tensor<?x4x{0}>, %init: tensor<{0}>) -> tensor<?x{1}> {{
  %sum = "stablehlo.reduce"(%x, %init) ({{
  ^bb0(%a: tensor<{1}>, %b: tensor<{1}>):
    %c = stablehlo.add %a, %b : tensor<{1}>
    stablehlo.return %c : tensor<{1}>
  }}) {{dimensions = array<i64: 1>}} : (tensor<?x4x{0}>, tensor<{0}>) -> tensor<?x{1}>
  return %sum : tensor<?x{1}>
}}"""
QUANTIZED = SUM.format("!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<i32:f32, 0.5:3>")
X = np.arange(12, dtype=np.int8).reshape(3, 4)


def sizes(text: str) -> tuple[Any, ...]:
    return tuple(export.symbolic_shape(text))


def floats(*shape: Any) -> Any:
    return jax.ShapeDtypeStruct(shape, jnp.float32)


(B,) = sizes("b")
(EVEN,) = sizes("2*k")
POLYMORPHIC: dict[str, tuple[Callable[..., Any], tuple[Any, ...], float]] = {
    "affine": (lambda w, x: jnp.maximum(x @ w, 0), (floats(4, 3), floats(B, 4)), 1e-6),
    "sum": (lambda x: x.sum(0), (floats(B, 4),), 1e-6),
    "flat": (lambda x: x.reshape(-1), (floats(*sizes("n, m")),), 0),
    "prefix": (lambda x: jnp.cumsum(x, 0), (floats(B, 4),), 1e-6),
    "pairs": (lambda x: x.reshape(-1, 2).sum(1), (floats(EVEN),), 0),
    "counted": (lambda x: jnp.arange(x.shape[0]) + x.shape[0], (floats(B),), 0),
    "reversed": (lambda x: x[jnp.arange(x.shape[0])[::-1]], (floats(B, 4),), 0),
    "pooled": (
        lambda x: jax.lax.reduce_window(x, 0.0, jax.lax.add, (1, 2, 2), (1, 2, 2), "VALID"),
        (floats(B, 8, 8),),
        1e-6,
    ),
}


@pytest.mark.slow("compiles each", rows=5)
@pytest.mark.parametrize("name", POLYMORPHIC)
@pytest.mark.parametrize("size", [2, 6])
def test_a_shape_polymorphic_export_gives_what_jax_gives(name: str, size: int) -> None:
    function, types, tolerance = POLYMORPHIC[name]
    exported = export.export(jax.jit(function))(*types)
    rng = np.random.default_rng(size)
    shapes = [[n if isinstance(n, int) else size for n in type.shape] for type in types]
    args = [rng.random(shape, np.float32) for shape in shapes]
    module = interp.load(exported)
    assert module.is_dynamic
    (result,), wanted = interp.run(module, *args), np.asarray(exported.call(*args))
    assert result.type.shape == wanted.shape
    np.testing.assert_allclose(result.storage, wanted, rtol=tolerance, atol=0)
    (compiled,) = interp.compile(module)(*args)
    assert np.asarray(compiled).tobytes() == result.storage.tobytes()


def test_a_quantized_sum_of_unknown_size_keeps_its_names_and_types() -> None:
    module = interp.load(QUANTIZED)
    trace = interp.trace(module, X, np.int8(3))
    assert trace.results[0].storage.tolist() == [3 + sum(row - 3) for row in X.astype(int)]
    assert next(interp.refine(module, X, np.int8(3)).ops()).result.name == "%sum"
    assert "safe" in repr(trace.verdict("%sum"))


def test_the_value_of_an_integer_argument_may_be_a_size() -> None:
    module = interp.load("""func.func @main(%n: tensor<i64>) -> tensor<?xi32> {
      %shape = stablehlo.reshape %n : (tensor<i64>) -> tensor<1xi64>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %ones = stablehlo.dynamic_broadcast_in_dim %one, %shape, dims = []
        : (tensor<i32>, tensor<1xi64>) -> tensor<?xi32>
      return %ones : tensor<?xi32>
    }""")
    for n in (0, 5):
        assert interp.run(module, np.int64(n))[0].tolist() == [1] * n


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((np.ones((3, 5), np.int8), np.int8(3)), ["%x", "tensor<?x4x", "tensor<3x5x"]),
        ((np.ones(3, np.int8), np.int8(3)), ["%x", "tensor<?x4x", "tensor<3x"]),
        ((X,), ["2 arguments, 1 given"]),
    ],
)
def test_shapes_that_do_not_fit_are_named_beside_the_expected_ones(args: Any, said: list[str]) -> None:
    with pytest.raises(interp.Malformed) as caught:
        interp.run(interp.load(QUANTIZED), *args)
    assert all(words in str(caught.value) for words in said)


def test_shapes_that_contradict_each_other_are_named() -> None:
    exported = export.export(jax.jit(lambda x, y: x + y))(floats(B), floats(B))
    with pytest.raises(interp.Malformed) as caught:
        interp.run(interp.load(exported), np.ones(3, np.float32), np.ones(4, np.float32))
    assert "tensor<3xf32>" in str(caught.value)
    assert "tensor<4xf32>" in str(caught.value)


def test_what_needs_sizes_says_how_to_give_them() -> None:
    module = interp.load(QUANTIZED)
    for verb in (interp.lower, interp.lint, interp.plan, interp.run, interp.trace):
        with pytest.raises(interp.Unsupported, match=r"(?s)sizes are unknown.*interp\.refine"):
            verb(module)
    static = interp.refine(module, "tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>", np.int8(3))
    assert interp.verify(static) == []
    assert interp.refine(static, X[:2], np.int8(3)) is static
    assert "2x4x" in repr(interp.lower(static)).replace("2x4xi8", "2x4x")


def test_a_command_refines_on_the_shapes_in_its_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sum.mlir").write_text(QUANTIZED)
    np.savez(tmp_path / "x.npz", x=X, init=np.int8(3))
    assert main(["run", str(tmp_path / "sum.mlir"), str(tmp_path / "x.npz")]) == 0
    assert "tensor<3x!quant" in capsys.readouterr().out
    assert main(["run", str(tmp_path / "sum.mlir"), "--random", "1"]) == 2
    assert "sizes are unknown" in capsys.readouterr().err
