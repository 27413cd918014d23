"""JAX's own interface: the trees of arguments and results of exported and lowered functions."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.engine.inputs import read_arguments

jax = pytest.importorskip("jax")
export = pytest.importorskip("jax.export")
jnp = jax.numpy


class Layer(NamedTuple):
    kernel: Any
    bias: Any


export.register_namedtuple_serialization(Layer, serialized_name="tests.test_calling.Layer")
PARAMS = {"dense": Layer(jnp.ones((4, 3)), jnp.arange(3.0)), "scale": jnp.float32(2)}
X = jnp.ones((2, 4))


def model(params: Any, x: Any, unused: Any = None, *, shift: Any = 0.0) -> Any:
    layer = params["dense"]
    return {"y": (x @ layer.kernel + layer.bias) * params["scale"] + shift, "x": [x, None]}


FORMS = {
    "exported": lambda *args, **kw: export.export(jax.jit(model))(*args, **kw),
    "lowered": lambda *args, **kw: jax.jit(model).lower(*args, **kw),
}


def same(a: Any, b: Any) -> None:
    assert jax.tree_util.tree_structure(a) == jax.tree_util.tree_structure(b)
    for left, right in zip(jax.tree_util.tree_leaves(a), jax.tree_util.tree_leaves(b), strict=True):
        np.testing.assert_array_equal(np.asarray(left), np.asarray(right))


@pytest.mark.parametrize("form", FORMS)
def test_a_function_takes_and_gives_its_trees(form: str) -> None:
    program, wanted = FORMS[form](PARAMS, X), model(PARAMS, X)
    same(interp.run(program, PARAMS, X), wanted)
    same(interp.compile(program)(PARAMS, X), wanted)
    assert interp.trace(program, PARAMS, X).results[1].tolist() == wanted["y"].tolist()
    assert interp.compare(program, PARAMS, X).ok
    assert interp.permits(program, (PARAMS, X), wanted).ok


@pytest.mark.parametrize("form", FORMS)
def test_unused_and_keyword_arguments_are_jaxs(form: str) -> None:
    program = FORMS[form](PARAMS, X, X, shift=0.5)
    assert len(interp.load(program).main.inputs) == 5
    same(interp.run(program, PARAMS, X, X, shift=0.5), model(PARAMS, X, X, shift=0.5))
    same(
        interp.run(program, PARAMS, X, X, shift=jnp.float32(1), schedule="balanced"),
        model(PARAMS, X, shift=1.0),
    )


@pytest.mark.parametrize("form", FORMS)
def test_flat_arguments_give_a_flat_tuple(form: str) -> None:
    program = FORMS[form](PARAMS, X)
    flat = [*jax.tree_util.tree_leaves(PARAMS), X]
    assert [np.asarray(r).tolist() for r in interp.run(program, *flat)] == [
        X.tolist(),
        model(PARAMS, X)["y"].tolist(),
    ]


def test_a_single_result_is_that_result() -> None:
    program = export.export(jax.jit(lambda x: x + 1))(X)
    result = interp.run(program, X)
    assert isinstance(result, interp.Tensor)
    assert interp.run(interp.load(program), X) == (result,)


def test_a_random_key_is_its_words() -> None:
    draw = jax.jit(lambda key: jax.random.bits(key, (3,)))
    key = jax.random.key(7)
    np.testing.assert_array_equal(interp.run(draw.lower(key), key).storage, draw(key))


@pytest.mark.parametrize("form", FORMS)
def test_another_tree_is_refused_with_both(form: str) -> None:
    with pytest.raises(interp.Malformed) as caught:
        interp.run(FORMS[form](PARAMS, X), {"dense": PARAMS["dense"]}, X)
    assert "expected PyTreeDef" in caught.value.evidence
    assert "'scale'" in caught.value.evidence


# Names -----------------------------------------------------------------------------------------------


def exported(tmp_path: Path) -> Path:
    path = tmp_path / "model.export"
    path.write_bytes(export.export(jax.jit(model))(PARAMS, X).serialize())
    return path


LABELS = ["params['dense'].kernel", "params['dense'].bias", "params['scale']", "x"]
LEAVES = [np.asarray(leaf) for leaf in (*jax.tree_util.tree_leaves(PARAMS), X)]


def test_an_argument_has_its_path_in_the_tree_as_label(tmp_path: Path) -> None:
    m = interp.load(exported(tmp_path))
    assert [value.label for value in m.main.inputs] == LABELS
    with pytest.raises(
        interp.Malformed, match=r"argument params\['dense'\]\.bias \(%arg1\) has another shape"
    ):
        interp.run(m, LEAVES[0], LEAVES[0], *LEAVES[2:])
    with pytest.raises(interp.Malformed, match=r"params\['scale'\] \(%arg2\): tensor<f32>"):
        interp.run(m)


@pytest.mark.parametrize("kind", ["npz", "safetensors", "both"])
def test_files_name_arguments_by_their_path(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    safetensors = pytest.importorskip("safetensors.numpy")
    named = dict(zip(LABELS, LEAVES, strict=True))
    params = {name: x for name, x in named.items() if name != "x"}
    files = {"npz": [(".npz", named)], "safetensors": [(".safetensors", named)]}
    files["both"] = [(".safetensors", params), (".npz", {"x": named["x"]})]
    paths = []
    for ending, arrays in files[kind]:
        paths.append(tmp_path / f"args{ending}")
        if ending == ".npz":
            np.savez(paths[-1], **arrays)
        else:
            safetensors.save_file({name: x.copy() for name, x in arrays.items()}, paths[-1])
    program = exported(tmp_path)
    assert main(["run", str(program), *map(str, paths), "--save", str(tmp_path / "out")]) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "out/out1.npy"), model(PARAMS, X)["y"])
    capsys.readouterr()
    np.savez(tmp_path / "other.npz", x=X)
    assert main(["run", str(program), str(tmp_path / "other.npz")]) == 2
    assert "expected params['dense'].kernel, params['dense'].bias, " in capsys.readouterr().err


def test_a_type_that_numpy_lacks_comes_from_safetensors_as_bits(tmp_path: Path) -> None:
    pytest.importorskip("safetensors")
    header = b'{"x":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}'
    data = len(header).to_bytes(8, "little") + header + bytes([0x80, 0x3F, 0, 0xC0])
    (tmp_path / "x.safetensors").write_bytes(data)
    m = interp.load("func.func @main(%x: tensor<2xbf16>) -> tensor<2xbf16> {\n return %x : tensor<2xbf16>\n}")
    (x,) = read_arguments([str(tmp_path / "x.safetensors")], m.main)
    assert interp.run(m, x)[0].tolist() == [1.0, -2.0]


def test_a_damaged_safetensors_file_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("safetensors")
    (tmp_path / "x.safetensors").write_bytes(b"\xff" * 20)
    with pytest.raises(interp.Malformed, match=r"not a \.safetensors file"):
        read_arguments([str(tmp_path / "x.safetensors")], interp.load(exported(tmp_path)).main)
