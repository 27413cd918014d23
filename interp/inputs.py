"""Arguments and results in files: .npy and .npz, and random arguments."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from interp.tensor import Tensor
from spec.errors import Location, Malformed
from spec.ir import Func, Value
from spec.types import QuantizedType


def read_arguments(files: Sequence[str], func: Func) -> list[np.ndarray]:
    """The arguments in `.npy` files, one each, or in one `.npz`; `FILE.npz:NAME` is one array of a file."""
    if len(files) == 1 and files[0].endswith(".npz"):
        return _from_archive(files[0], func)
    return [_array(file) for file in files]


def _array(file: str) -> np.ndarray:
    path, _, name = file.rpartition(":")
    path, name = (path, name) if path.endswith(".npz") else (file, "")
    arrays = _read(path)
    if name not in arrays:
        evidence = f"arrays {', '.join(arrays)}\nwrite {path}:NAME"
        raise Malformed(f"no array {name!r} in it" if name else "many arrays in it", evidence, Location(path))
    return arrays[name]


def _from_archive(file: str, func: Func) -> list[np.ndarray]:
    """`arg0`, `arg1`, ..., or the names of the parameters."""
    arrays = _read(file)
    numbered = [f"arg{k}" for k in range(len(func.inputs))]
    named = [value.name.removeprefix("%") for value in func.inputs]
    names = numbered if set(numbered) <= set(arrays) else named
    if not set(names) <= set(arrays):
        evidence = f"wanted {', '.join(numbered)}\narrays {', '.join(arrays)}\nor write {file}:NAME for one"
        raise Malformed("its arrays are not the arguments", evidence, Location(file))
    return [arrays[name] for name in names]


def _read(file: str) -> dict[str, np.ndarray]:
    """The arrays of a file by name; that of a `.npy` file has the name ""."""
    try:
        content = np.load(file, allow_pickle=False)
        arrays = {"": content} if isinstance(content, np.ndarray) else dict(content)
        return {name: _plain(array) for name, array in arrays.items()}
    except OSError as error:
        raise Malformed(error.strerror or "not readable", "", Location(file)) from error
    except (ValueError, EOFError, MemoryError, BadZipFile) as error:
        detail = "" if "pickle" in str(error) else str(error)
        raise Malformed("not a .npy or .npz file", detail, Location(file)) from error


def _plain(array: np.ndarray) -> np.ndarray:
    """Elements that NumPy has no name for (bf16, f8) as their bits."""
    return array.view(f"uint{array.itemsize * 8}") if array.dtype.kind == "V" else array


def write_results(results: Sequence[Tensor], folder: Path) -> list[Path]:
    """`out0.npy`, `out1.npy`, ... with stored elements, those that NumPy cannot name as their bits."""
    folder.mkdir(parents=True, exist_ok=True)
    return write_arrays([result.storage for result in results], folder, "out")


def write_arrays(arrays: Sequence[np.ndarray], folder: Path, name: str) -> list[Path]:
    """Stored elements in `<name>0.npy`, `<name>1.npy`, ..., as `read_arguments` takes them."""
    paths = []
    for k, array in enumerate(arrays):
        x = np.ascontiguousarray(array).reshape(array.shape)
        paths.append(folder / f"{name}{k}.npy")
        np.save(paths[-1], x if x.dtype.isbuiltin == 1 else x.view(f"uint{x.itemsize * 8}"))
    return paths


def random_arguments(func: Func, seed: int) -> list[np.ndarray]:
    """Any stored integer of the parameter's range, and normally distributed floats."""
    rng = np.random.default_rng(seed)
    return [_random(rng, value) for value in func.inputs]


def _random(rng: np.random.Generator, value: Value) -> np.ndarray:
    element, storage, shape = value.type.element_type, value.type.storage_type, value.type.shape
    dtype = np.dtype(storage.numpy)
    if storage.kind == "boolean":
        return rng.integers(0, 2, shape).astype(bool)
    if storage.is_integer:
        least, most = storage.min_value, storage.max_value
        if isinstance(element, QuantizedType):
            least, most = element.storage_min, element.storage_max
        return rng.integers(least, most, shape, dtype, endpoint=True)
    parts = rng.standard_normal((2, *shape))
    return (parts[0] + 1j * parts[1] if storage.kind == "complex" else parts[0]).astype(dtype)
