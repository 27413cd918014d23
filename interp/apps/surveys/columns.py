"""Columns of samples as users have them: arrays, files and data sets, of which only the rows in use are read.

A column has a length, and `take(rows)` returns some of its rows as one array. `columns` opens them by name:

| what is given | columns | read by |
| --- | --- | --- |
| `.npy` | "" | a memory map |
| `.npz` | its members | a memory map; forward through a member that is compressed |
| `.safetensors` | its tensors | as a whole |
| `.zarr`, a Zarr array or group | "", or its arrays | chunks (extra `zarr`) |
| `.parquet` | its columns | row groups in parts (extra `parquet`) |
| a folder of `.npy` or `.npz` files, one a sample, in order of their names | "", or the members | files |
| a data set with a length and `[k]`: Hugging Face, Grain, PyTorch | keys or places of its samples | samples |
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np

from interp.engine.inputs import plain_elements, read_array, read_members
from spec.errors import Location, Malformed, Unsupported, short_text

Array = np.ndarray
Rows = Sequence[int]
INSTALL = "pip install 'stablehlo-interp[{}]'"


class Column(Protocol):
    """Rows of samples that are read when they are taken."""

    def __len__(self) -> int:
        """Return the number of samples."""

    def take(self, rows: Rows) -> Array:
        """Return some rows as an array, whose first dimension they are."""


def column_of(given: Any) -> Column:
    """Return an array, or what is indexed like one, as a column; a column is itself."""
    if hasattr(given, "take") and not hasattr(given, "__array__"):
        return cast(Column, given)
    if not (hasattr(given, "dtype") and hasattr(given, "__getitem__")):
        given = np.asarray(given)
    if not given.shape:
        raise Malformed(
            "a number in place of samples", "expected an array with a first dimension, the samples"
        )
    return ArrayColumn(given)


def is_run(rows: Rows) -> bool:
    """Return whether rows follow one another."""
    return rows[-1] - rows[0] == len(rows) - 1 and all(b == a + 1 for a, b in pairwise(rows))


class ArrayColumn:
    """Rows of an array of NumPy, of a memory map, or of what is indexed like them, such as a Zarr array."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __len__(self) -> int:
        return int(self.array.shape[0])

    def take(self, rows: Rows) -> Array:
        """Return a copy of some rows, so that nothing keeps the whole alive."""
        if is_run(rows):
            found = np.array(self.array[rows[0] : rows[-1] + 1])
        elif isinstance(self.array, np.ndarray):
            found = np.asarray(self.array[np.asarray(rows)])
        else:
            found = np.stack([np.asarray(self.array[row]) for row in rows])
        return plain_elements(found)


# Files of NumPy


def open_npy(path: Path) -> dict[str, Column]:
    """Return the array of a `.npy` file, which is mapped into memory."""
    return {"": ArrayColumn(np.load(path, mmap_mode="r", allow_pickle=False))}


def open_npz(path: Path) -> dict[str, Column]:
    """Return the members of a `.npz` file by name; one that is not compressed is mapped into memory."""
    with zipfile.ZipFile(path) as archive:
        return {
            member.filename.removesuffix(".npy"): _member(path, archive, member)
            for member in archive.infolist()
        }


def _member(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Column:
    with archive.open(member) as stream:
        shape, fortran, dtype = _header(stream)
        begin = stream.tell()
    if dtype.hasobject:
        raise ValueError("an array of Python objects, which only pickle reads")
    if fortran or not shape:
        return ArrayColumn(read_array(f"{path}:{member.filename.removesuffix('.npy')}"))
    if member.compress_type == zipfile.ZIP_STORED and np.prod(shape):
        offset = _offset(path, member) + begin
        return ArrayColumn(np.memmap(path, dtype, "r", offset, shape))
    return PackedColumn(path, member.filename, begin, shape, dtype)


def _header(stream: Any) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Read the header of a `.npy` file: the shape, whether it is in Fortran's order, and the dtype."""
    version = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    return read(stream)


def _offset(path: Path, member: zipfile.ZipInfo) -> int:
    """Return where the bytes of a member begin: after its local header, whose last fields are two lengths."""
    with path.open("rb") as stream:
        stream.seek(member.header_offset + 26)
        name, extra = struct.unpack("<HH", stream.read(4))
    return int(member.header_offset + 30 + name + extra)


class PackedColumn:
    """Rows of a compressed member of a `.npz` file: read forward, and from its beginning for earlier rows."""

    def __init__(self, path: Path, member: str, begin: int, shape: tuple[int, ...], dtype: np.dtype) -> None:
        self.path, self.member, self.begin, self.shape, self.dtype = path, member, begin, shape, dtype
        self.row = int(np.prod(shape[1:], dtype=np.int64)) * dtype.itemsize
        self.stream: Any = None

    def __len__(self) -> int:
        return self.shape[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedColumn, (self.path, self.member, self.begin, self.shape, self.dtype)

    def take(self, rows: Rows) -> Array:
        """Return some rows."""
        if self.stream is None:
            self.stream = zipfile.ZipFile(self.path).open(self.member)  # noqa: SIM115, it goes on
        parts = [(rows[0], len(rows))] if is_run(rows) else [(row, 1) for row in rows]
        data = b"".join(self._read(*part) for part in parts)
        return plain_elements(np.frombuffer(data, self.dtype).reshape(len(rows), *self.shape[1:]))

    def _read(self, first: int, number: int) -> bytes:
        self.stream.seek(self.begin + first * self.row)
        return bytes(self.stream.read(number * self.row))


class FileColumn:
    """Rows that are files of one sample each: `.npy` files, or a member of `.npz` files."""

    def __init__(self, files: Sequence[Path], member: str = "") -> None:
        self.files, self.member = files, member

    def __len__(self) -> int:
        return len(self.files)

    def take(self, rows: Rows) -> Array:
        """Return the samples of some files."""
        suffix = f":{self.member}" if self.member else ""
        return np.stack([read_array(f"{self.files[row]}{suffix}") for row in rows])


def open_whole(path: Path) -> dict[str, Column]:
    """Return the arrays of a file, all of which are read."""
    return {name: ArrayColumn(x) for name, x in read_members(str(path)).items()}


def open_folder(path: Path) -> dict[str, Column]:
    """Return the columns of a folder of files, one a sample, in the order of their names."""
    for ending in (".npy", ".npz"):
        if files := sorted(path.glob(f"*{ending}")):
            members = [""] if ending == ".npy" else zipfile.ZipFile(files[0]).namelist()
            return {name: FileColumn(files, name) for name in (x.removesuffix(".npy") for x in members)}
    raise Malformed(
        "no samples in this folder", "expected .npy or .npz files, one a sample", Location(str(path))
    )


# Formats whose readers are extras


def open_zarr(given: Any) -> dict[str, Column]:
    """Return a Zarr array, or the arrays of a group, of a path or of an open one."""
    try:
        import zarr
    except ImportError:
        raise Unsupported("zarr is not installed", INSTALL.format("zarr")) from None
    found = zarr.open(str(given), mode="r") if isinstance(given, Path) else given
    if hasattr(found, "arrays"):
        return {name: ArrayColumn(x) for name, x in found.arrays()}
    return {"": ArrayColumn(found)}


def open_parquet(path: Path) -> dict[str, Column]:
    """Return the columns of a Parquet file."""
    try:
        from pyarrow import parquet
    except ImportError:
        raise Unsupported("pyarrow is not installed", INSTALL.format("parquet")) from None
    with parquet.ParquetFile(path) as file:
        return {name: ParquetColumn(path, name) for name in file.schema_arrow.names}


class ParquetColumn:
    """Rows of a column of numbers, or of lists of one length (of lists), of a Parquet file.

    They are read forward in parts of the size of a batch, and from the beginning of their row group
    otherwise.
    """

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.name = path, name
        self._open()

    def _open(self) -> None:
        from pyarrow import parquet

        self.file = parquet.ParquetFile(self.path, pre_buffer=False)
        groups = [self.file.metadata.row_group(k).num_rows for k in range(self.file.num_row_groups)]
        self.starts = np.cumsum([0, *groups])
        self.parts: Iterator[Any] = iter(())
        self.at, self.part = 0, np.empty(0)  # the first row of the part that was read, and its rows

    def __reduce__(self) -> tuple[Any, ...]:
        return ParquetColumn, (self.path, self.name)

    def __len__(self) -> int:
        return int(self.starts[-1])

    def take(self, rows: Rows) -> Array:
        """Return some rows."""
        return np.stack([self._row(row, len(rows)) for row in rows])

    def _row(self, row: int, size: int) -> Array:
        if not self.at <= row < self.at + len(self.part):
            self._seek(row, size)
        return np.asarray(self.part[row - self.at])

    def _seek(self, row: int, size: int) -> None:
        """Read on, in parts of a size, until the one that has a row; from its row group if that is nearer."""
        group = int(np.searchsorted(self.starts, row, "right")) - 1
        after = self.at + len(self.part)
        if row < after or self.starts[group] > after or not len(self.part):
            groups = list(range(group, self.file.num_row_groups))
            self.parts = self.file.iter_batches(size, groups, [self.name])
            after = int(self.starts[group])
        while row >= after:
            self.at, self.part = after, np.empty(0)
            self.part = _numbers(next(self.parts).column(0))
            after += len(self.part)


def _numbers(column: Any) -> Array:
    """Return a part of an Arrow column as an array, lists of one length as further dimensions."""
    lengths = [len(column)]
    while hasattr(column, "flatten") and hasattr(column.type, "value_type"):
        inner = column.flatten()
        if column.null_count or len(inner) % max(1, len(column)):
            raise Malformed("lists of different lengths", "expected rows of one shape")
        lengths.append(len(inner) // max(1, len(column)))
        column = inner
    if column.null_count:
        raise Malformed(f"{column.null_count} nulls", "expected a number in every row")
    return np.asarray(column.to_numpy(zero_copy_only=False)).reshape(lengths)


class RowColumn:
    """One field of the samples of a data set that has a length and `[k]`, by its key or place."""

    def __init__(self, data: Any, field: Any) -> None:
        self.data, self.field = data, field

    def __len__(self) -> int:
        return len(self.data)

    def take(self, rows: Rows) -> Array:
        """Return a field of some samples."""
        samples = [self.data[int(row)] for row in rows]
        return np.stack([np.asarray(x if self.field == "" else x[self.field]) for x in samples])


def open_rows(data: Any) -> dict[str, Column]:
    """Return the fields of a data set's samples: keys, places in a tuple as text, or "" of an array."""
    if not (hasattr(data, "__len__") and hasattr(data, "__getitem__")):
        what = "expected a file, an array, or a data set with a length and samples by number"
        raise Malformed(f"no columns in {short_text(type(data))}", what)
    first = data[0]
    if isinstance(first, Mapping):
        return {str(key): RowColumn(data, key) for key in first}
    if isinstance(first, tuple | list):
        return {str(k): RowColumn(data, k) for k in range(len(first))}
    return {"": RowColumn(data, "")}


# Columns by name


OPENERS: dict[str, Callable[[Any], dict[str, Column]]] = {
    ".npy": open_npy,
    ".npz": open_npz,
    ".safetensors": open_whole,
    ".zarr": open_zarr,
    ".parquet": open_parquet,
}
SEVERAL = (".npz", ".safetensors", ".zarr", ".parquet", "/")  # with columns that have names


def columns(data: Any, *names: str) -> tuple[Column, ...]:
    """Return columns of a file or a data set, of these names, or all of them; see the table above.

    data: a path, an array of NumPy or Zarr, a Zarr group, or a data set with a length and `[k]`. The result's
    columns are arguments of `batched`, which reads them batch by batch. Raises `Malformed` for other names.
    """
    known = open_columns(data)
    if unknown := [name for name in names if name not in known]:
        has = ", ".join(known) if list(known) != [""] else "one column, without a name"
        raise Malformed(f"no column {unknown[0]!r} in {short_text(data)}", f"it has {has}")
    return tuple(known[name] for name in names or known)


def open_columns(data: Any) -> dict[str, Column]:
    """Return the columns of a file or a data set by their names; "" is that of an array alone."""
    if isinstance(data, str | Path):
        return _open_path(Path(data))
    if hasattr(data, "dtype"):
        return {"": column_of(data)}
    if hasattr(data, "arrays"):
        return open_zarr(data)
    return open_rows(data)


def _open_path(path: Path) -> dict[str, Column]:
    where = Location(str(path))
    opener = OPENERS.get(path.suffix, open_folder if path.is_dir() else None)
    if opener is None:
        raise Malformed(f"no data set: {path.name}", f"expected a folder or {', '.join(OPENERS)}", where)
    try:
        return opener(path)
    except OSError as error:
        raise Malformed(error.strerror or "not readable", "expected a data set", where) from error
    except (Malformed, Unsupported):
        raise
    except Exception as error:  # whatever NumPy, zipfile, Zarr and Arrow raise at a damaged file
        reason = " ".join(str(error).split())
        raise Malformed(f"not a {path.suffix or 'data'} file", f"{reason}: write it again", where) from error
