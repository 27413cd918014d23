"""`once`: what is kept for an object, and how long."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import count

import numpy as np
import pytest

import interp
from interp.engine.memo import once
from spec.rules.verify import verify


class Thing:
    __hash__ = None  # type: ignore[assignment]


def test_it_is_computed_once_for_each_object_and_each_rest() -> None:
    calls = []

    @once
    def f(thing: Thing, *rest: object) -> int:
        calls.append((thing, *rest))
        return len(calls)

    a, b = Thing(), Thing()
    assert [f(a), f(b), f(a), f(a, "mlir"), f(b), f(a, "mlir")] == [1, 2, 1, 3, 2, 3]


def test_nothing_outlives_its_object() -> None:
    """Identities are used again: what was kept for an old object must not be found for a new one."""
    numbers = count()
    number = once(lambda thing: next(numbers))
    identities = set()
    for k in range(100):
        thing = Thing()
        identities.add(id(thing))
        assert number(thing) == number(thing) == k
    assert len(identities) < 100
    alive = once(lambda thing: weakref.ref(thing))(thing)
    del thing
    gc.collect()
    assert alive() is None


ADD = """func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %0 = stablehlo.add %x, %x : tensor<4xi8>
  return %0 : tensor<4xi8>
}"""


def test_a_module_is_verified_once(monkeypatch: pytest.MonkeyPatch) -> None:
    verified = []
    counting = lambda *args, **options: verified.append(args) or verify(*args, **options)
    monkeypatch.setattr(import_module("interp.execute.run"), "verify", counting)
    program = interp.load(ADD)
    for mode in ("mlir", "mlir", "strict"):
        assert interp.run(program, np.int8([1, 2, 3, 64]), mode=mode)[0].storage.tolist() == [2, 4, 6, -128]
    assert len(verified) == 2


def test_the_memory_limit_is_read_at_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    program, x = interp.load(ADD), np.int8([1, 2, 3, 4])
    interp.run(program, x)
    monkeypatch.setenv("INTERP_MEMORY", "3")
    with pytest.raises(interp.Unsupported, match="needs 4 bytes"):
        interp.run(program, x)
    monkeypatch.delenv("INTERP_MEMORY")
    with ThreadPoolExecutor(4) as pool:
        assert all(out.storage[3] == 8 for (out,) in pool.map(lambda _: interp.run(program, x), range(16)))


@pytest.mark.parametrize(
    ("module", "mode"), [("text", "mlir"), (interp.load(ADD), []), (interp.load(ADD), "none")]
)
def test_an_error_on_the_way_is_told_alone(module: object, mode: object) -> None:
    """No traceback says `During handling of ...`, of what the memory was asked for."""
    with pytest.raises(interp.Malformed) as caught:
        interp.run(module, np.int8([1, 2, 3, 4]), mode=mode)  # type: ignore[arg-type]
    assert caught.value.__context__ is None or caught.value.__suppress_context__
