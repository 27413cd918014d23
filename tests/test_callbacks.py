"""JAX's calls of Python functions: those that give nothing are skipped with a note, others refused."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.engine.registry import REGISTERED
from interp.execute.unused import Note

jax = pytest.importorskip("jax")
io_callback = pytest.importorskip("jax.experimental").io_callback
X = np.float32([1.0, -2.0, 3.5])
TARGET = "xla_ffi_python_cpu_callback"


def printing(x: Any, ordered: bool = False) -> Any:
    jax.debug.print("x = {x}", x=x, ordered=ordered)
    return x + 1


def in_a_branch(x: Any) -> Any:
    jax.lax.cond(x[0] > 0, lambda: jax.debug.print("positive {}", x), lambda: None)
    io_callback(lambda v: None, None, x)
    return x + 1


def in_a_scan(x: Any) -> Any:
    def body(carry: Any, element: Any) -> Any:
        jax.debug.print("carry {c}", c=carry, ordered=True)
        return carry + element, carry

    last, before = jax.lax.scan(body, jax.numpy.float32(0), x)
    return before + last


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "unordered": printing,
    "ordered": functools.partial(printing, ordered=True),
    "in_a_branch": in_a_branch,
    "in_a_scan": in_a_scan,
}


def lowered(name: str) -> Any:
    return jax.jit(FUNCTIONS[name]).lower(X)


def wanted(name: str) -> list[float]:
    if name != "in_a_scan":
        return (X + 1).tolist()
    before = np.cumsum(np.float32([0, *X[:-1]]), dtype=np.float32)
    return (before + (before[-1] + X[-1])).tolist()


@pytest.mark.slow("starts processes", rows=1)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_call_that_gives_nothing_is_skipped_with_a_note(name: str) -> None:
    program = lowered(name)
    for verb in (interp.run, lambda p, x: interp.compile(p)(x), lambda p, x: interp.trace(p, x).results[-1]):
        with pytest.warns(Note, match=r"skipped.*jax\.debug\.print: .*test_callbacks\.py:\d+"):
            result = verb(program, X)
        assert np.asarray(result).tolist() == wanted(name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_same_program_as_text_needs_no_token(name: str) -> None:
    module = interp.load(lowered(name).as_text())
    with pytest.warns(Note, match="<text>:"):
        results = interp.run(module, X)
    assert results[-1].tolist() == wanted(name)
    compiled = interp.compile(module)(X)
    assert np.asarray(compiled[-1]).tolist() == wanted(name)
    tokens = [()] * (len(module.main.inputs) - 1)
    assert interp.run(module, *tokens, X)[-1] == results[-1]


def test_the_note_points_at_the_caller_and_comes_once() -> None:
    module = interp.load(lowered("unordered").as_text())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        interp.run(module, X)
        interp.run(module, X)
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize("verb", ["run", "trace"])
def test_a_command_prints_the_note(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file := tmp_path / "m.mlir").write_text(lowered("ordered").as_text())
    np.save(tmp_path / "x.npy", X)
    assert main([verb, str(file), str(tmp_path / "x.npy")]) == 0
    assert capsys.readouterr().err.startswith("note: a call of a Python function is skipped")
    assert main([verb, str(file), "--random", "0"]) == 0
    assert main(["run", str(file), str(tmp_path / "x.npy"), "--save", str(tmp_path)]) == 0
    assert np.load(tmp_path / "out0.npy").tolist() == wanted("ordered")


@pytest.mark.filterwarnings("ignore::interp.execute.unused.Note")
def test_the_float_reference_leaves_it_out() -> None:
    with pytest.warns(Note):
        assert interp.compare(lowered("unordered"), X).ok
    for judge in (interp.compare, lambda m, x: interp.permits(m, [x], [x]), lambda m, x: interp.lower(m)):
        with pytest.raises(interp.Unsupported, match="tokens and tuples are not"):
            judge(interp.load(lowered("ordered").as_text()), X)


def test_a_call_that_gives_numbers_is_refused_at_all_its_places() -> None:
    def asking(x: Any) -> Any:
        double = lambda v: 2 * np.asarray(v)
        jax.debug.print("{}", x)
        y = jax.pure_callback(double, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
        return y + jax.pure_callback(double, jax.ShapeDtypeStruct(x.shape, x.dtype), y)

    module = interp.load(jax.jit(asking).lower(X).as_text())
    with pytest.raises(interp.Unsupported) as caught:
        interp.run(module, X)
    message = str(caught.value)
    assert f"custom_call @{TARGET} is not known" in message
    assert "2 times: <text>:5:10, <text>:6:10" in message
    assert "does not hold the Python function" in message


def test_a_registered_function_is_called_without_the_tokens() -> None:
    seen: list[Any] = []
    interp.register(TARGET, lambda x: seen.append(x.tolist()))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            token, result = interp.run(lowered("ordered").as_text(), X)
    finally:
        del REGISTERED[TARGET]
    assert seen == [X.tolist()]
    assert (token, result.tolist()) == ((), wanted("ordered"))
