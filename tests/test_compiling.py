"""Compiled code on disk: read again where nothing changed, and never where something did."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numba", reason="it has no wheel here")
from interp.backends import compiling, machine_code


def doubled(x: int) -> int:
    return x + x


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(machine_code.FOLDER, str(tmp_path / "cache"))
    machine_code.folder.cache_clear()
    yield tmp_path / "cache"
    machine_code.folder.cache_clear()


def compiled(text: str) -> Any:
    """A function that has been called, as a new process would."""
    function = compiling.jit_cached(doubled, text)
    assert function(21) == 42
    return function


def was_read(function: Any) -> bool:
    return bool(sum(function.stats.cache_hits.values()))


def test_the_same_text_is_read_again_and_another_one_is_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not was_read(compiled("one"))
    (file,) = folder.iterdir()
    assert not (file.stat().st_mode | folder.stat().st_mode) & 0o077
    assert was_read(compiled("one"))
    assert not was_read(compiled("another"))
    compiling.digest.cache_clear()
    monkeypatch.setattr(compiling, "VERSIONS", ("a numba of tomorrow",))
    assert not was_read(compiled("one"))
    compiling.digest.cache_clear()


def test_a_damaged_file_is_compiled_again(folder: Path) -> None:
    compiled("one")
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    for damaged in (b"", whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1])):
        file.write_bytes(damaged)
        assert not was_read(compiled("one"))
        assert was_read(compiled("one"))


@pytest.mark.parametrize("known", ["", "/dev/null/none"])
def test_without_a_folder_nothing_is_kept(known: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(machine_code.FOLDER, known)
    machine_code.folder.cache_clear()
    assert machine_code.folder() is None
    assert not was_read(compiled("one"))
    assert not folder.exists()


def test_a_folder_that_others_may_write_is_not_used(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    assert machine_code.folder() is None


def test_a_folder_that_vanished_costs_only_time(folder: Path) -> None:
    function = compiling.jit_cached(doubled, "one")
    folder.rmdir()
    assert function(21) == 42
