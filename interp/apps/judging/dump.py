"""Dumps of devices: arrays by name, in .npy files that are mapped, in archives, or in memory.

A name is the path of a file below the dump's folder without its ending (`block/conv.npy` is `block/conv`),
the name of an array in an archive, or one that a mapping gives. A mapping is a JSON object from names to
files: `{"%4": "tensor_17.npy", "conv2.in0": "all.npz:x"}`; the file `mapping.json` of a folder is one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from interp.apps.judging.etdump import read_etdump
from interp.backends import Array
from interp.engine.inputs import ARCHIVES, WRITE, plain_elements, read_array, read_members
from spec.errors import InterpError, Location, Malformed

MAPPING = "mapping.json"
ETDUMP = (".etdp", ".etdump")
EXPECTED = "expected a folder of .npy or .npz files, an archive, a mapping in .json, or arrays by name"
Read = Callable[[], Array]


@dataclass(frozen=True, eq=False)
class Dump:
    """Arrays by name. title: where they are from. An array is read when it is asked for."""

    title: str
    readers: Mapping[str, Read] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Array:
        return self.readers[name]()


def read_dump(given: Any) -> Dump:
    """Return the dump that a path, or a mapping from names to arrays or to files, means."""
    if isinstance(given, Dump):
        return given
    if isinstance(given, Mapping):
        return Dump("arrays", {str(name): _reader(x, Path()) for name, x in given.items()})
    if not isinstance(given, str | Path):
        raise Malformed(f"a dump in {type(given).__name__}", EXPECTED)
    path = Path(given)
    if path.is_dir():
        return Dump(str(path), _folder(path))
    if not path.is_file():
        raise Malformed("no such file or folder", EXPECTED, Location(str(path)))
    if path.suffix == ".json":
        return Dump(str(path), _mapping(path))
    if path.suffix in (*ARCHIVES, *ETDUMP):
        return Dump(str(path), _archive(path))
    raise Malformed("not a dump", EXPECTED, Location(str(path)))


def _folder(path: Path) -> dict[str, Read]:
    """Return the arrays of all files in a folder and below."""
    found: dict[str, Read] = {}
    files = sorted(file for file in path.rglob("*") if file.is_file())
    for file in files:
        name = file.relative_to(path).with_suffix("").as_posix()
        if file.suffix == ".npy":
            arrays: dict[str, Read] = _arrays(file, name)
        elif file.suffix in (*ARCHIVES, *ETDUMP):
            arrays = _archive(file)
        else:
            continue
        if twice := sorted(found.keys() & arrays.keys()):
            raise Malformed(f"two arrays are named {twice[0]}", "rename one", Location(str(file)))
        found |= arrays
    if (path / MAPPING).is_file():
        found |= _mapping(path / MAPPING)
    if not found:
        raise Malformed("no arrays in the folder", EXPECTED, Location(str(path)))
    return found


def _archive(file: Path) -> dict[str, Read]:
    """Return the arrays of an archive; of .npz, only those that are asked for are read."""
    if file.suffix in ETDUMP:
        return {name: _constant(x) for name, x in read_etdump(file).items()}
    if file.suffix != ".npz":
        return {name: _constant(x) for name, x in read_members(str(file)).items()}
    with _open(file) as content:
        names = list(content.files)
    return {name: lambda name=name: _member(file, name) for name in names}  # type: ignore[misc]


@contextmanager
def _open(file: Path) -> Iterator[Any]:
    """Open an .npz file; `Malformed` for whatever NumPy, zipfile and zlib raise if it is damaged."""
    try:
        with np.load(file, allow_pickle=False) as content:
            yield content
    except InterpError:
        raise
    except Exception as error:
        raise Malformed("not an archive of arrays", f"{error}: {WRITE}", Location(str(file))) from error


def _member(file: Path, name: str) -> Array:
    with _open(file) as content:
        return plain_elements(content[name], name, Location(str(file)))


def _mapping(file: Path) -> dict[str, Read]:
    where = Location(str(file))
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Malformed("not a mapping", str(error), where) from error
    if not isinstance(content, dict) or not all(isinstance(x, str) for x in content.values()):
        raise Malformed("not a mapping", 'expected {"%4": "tensor_17.npy", "conv2": "all.npz:x"}', where)
    return {name: _reader(x, file.parent) for name, x in content.items()}


def _reader(x: Any, folder: Path) -> Read:
    if not isinstance(x, str | Path):
        return _constant(np.asarray(x))
    for ending in (*ARCHIVES, *ETDUMP):
        archive, is_member, name = str(folder / x).rpartition(f"{ending}:")
        if is_member:
            file = _existing(Path(archive + ending))
            if ending in ETDUMP:
                return _tensor(file, name)
            return lambda: read_array(f"{file}:{name}") if ending != ".npz" else _member(file, name)
    path = _existing(folder / x)
    return (lambda: map_array(path)) if path.suffix == ".npy" else lambda: read_array(str(path))


def _tensor(file: Path, name: str) -> Read:
    found = read_etdump(file)
    if name not in found:
        raise Malformed(f"no tensor {name!r} in it", f"there are {', '.join(found)}", Location(str(file)))
    return _constant(found[name])


def _existing(file: Path) -> Path:
    if not file.is_file():
        raise Malformed("no such file", "the mapping names it", Location(str(file)))
    return file


def _constant(x: Array) -> Read:
    return lambda: x


def map_array(path: Path, offset: int = 0) -> Array:
    """Return the array of a .npy file, mapped; elements of a type that NumPy lacks are their bits.

    offset: the byte at which the array begins.
    """
    return _header(path, offset)[0]


def _header(path: Path, offset: int) -> tuple[Array, int]:
    """Return a mapped array of a file, and the byte behind it."""
    where = Location(str(path))
    try:
        with path.open("rb") as stream:
            stream.seek(offset)
            version = np.lib.format.read_magic(stream)
            read = (
                np.lib.format.read_array_header_1_0
                if version == (1, 0)
                else np.lib.format.read_array_header_2_0
            )
            shape, fortran, dtype = read(stream)
            start = stream.tell()
    except (OSError, ValueError) as error:
        raise Malformed("not a .npy file", f"{error}: {WRITE}", where) from error
    if dtype.hasobject or dtype.names or (dtype.kind == "V" and dtype.itemsize not in (1, 2)):
        raise Malformed(f"an array of {dtype}", WRITE, where)
    if dtype.kind == "V":
        dtype = np.dtype(f"u{dtype.itemsize}")
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if start + size > path.stat().st_size:
        raise Malformed("the file ends before its array does", WRITE, where)
    if not size:
        return np.zeros(shape, dtype), start
    order = "F" if fortran else "C"
    return np.memmap(path, dtype, "r", start, shape, order), start + size  # type: ignore[call-overload]


def _arrays(file: Path, name: str) -> dict[str, Read]:
    """Return the arrays of a .npy file: mostly one, but IREE writes several behind one another."""
    size, end = file.stat().st_size, 0
    offsets = list[int]()
    while end < size:
        offsets.append(end)
        end = _header(file, end)[1]
    if not offsets:
        raise Malformed("an empty file", WRITE, Location(str(file)))
    if len(offsets) == 1:
        return {name: lambda: map_array(file)}
    return {f"out{k}": lambda at=at: map_array(file, at) for k, at in enumerate(offsets)}  # type: ignore[misc]
