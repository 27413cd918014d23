"""Arguments and results in files, random arguments, and real numbers for quantized parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import IO, Any, TypeVar

import numpy as np

from interp.backends import NUMPY
from interp.backends.dtypes import is_of_numpy, numpy_dtype
from interp.engine.files import replacing, write_text
from interp.engine.limits import Size, bytes_of, memory, refuse_size
from interp.engine.quant import round_parameters, spread
from interp.engine.storage import storage_range
from interp.engine.tensor import Tensor, to_storage
from spec.errors import UNKNOWN, Location, Malformed
from spec.ir import Func, Module, Value
from spec.types import TOKEN, QuantizedType

ARCHIVES = (".npz", ".safetensors")
# Types of safetensors that NumPy lacks, as integers of their size, or that it spells otherwise.
SAME_BITS = {"BF16": "uint16", "F8_E4M3": "uint8", "F8_E5M2": "uint8", "F8_E8M0": "uint8", "BOOL": "bool"}
T = TypeVar("T")
Read = Callable[[str], dict[str, T]]  # of the file's path: what is in it, by name
WRITE = "write numbers with numpy.save, or with numpy.savez"


def read_arguments(files: Sequence[str], func: Func) -> list[np.ndarray]:
    """Read arguments from `.npy` files, one each, or from archives by name; `FILE.npz:NAME` is one array."""
    return choose_arguments(files, func, read_members)


def choose_arguments(
    files: Sequence[str], func: Func, read: Read[T], archives: tuple[str, ...] = ARCHIVES
) -> list[T]:
    """Return the arguments in files: one of each file, or those of archives by name.

    read: returns what a file has, by name. archives: the endings of files that have several.
    """
    if files and all(file.endswith(archives) for file in files):
        contents = [read(file) for file in files]
        if any(list(found) != [""] for found in contents):
            return _from_archives(files, contents, func)
    return [choose_member(file, read, archives) for file in files]


def read_array(file: str) -> np.ndarray:
    """Read a `.npy` file, or `FILE.npz:NAME`; elements of a type that NumPy lacks are read as their bits."""
    return choose_member(file, read_members)


def choose_member(file: str, read: Read[T], archives: tuple[str, ...] = ARCHIVES) -> T:
    """Return what a file has, or `FILE.npz:NAME` of several."""
    path, name = file, ""
    for ending in archives:
        if (found := file.rfind(f"{ending}:")) >= 0:
            path, name = file[: found + len(ending)], file[found + len(ending) + 1 :]
    arrays = read(path)
    if name not in arrays:
        verdict = f"no array {name!r} in it" if name else "expected one array, got an archive"
        evidence = f"write {path}:NAME for one of its arrays: {', '.join(arrays) or 'there are none'}"
        raise Malformed(verdict, evidence, Location(path))
    return arrays[name]


def _from_archives(files: Sequence[str], contents: Sequence[dict[str, T]], func: Func) -> list[T]:
    """Return the arrays of archives that are named `arg0`, `arg1`, ..., or like the parameters.

    A parameter has its name in the program's text, and perhaps a label that JAX's exporter gave it.
    """
    arrays: dict[str, T] = {}
    for file, more in zip(files, contents, strict=True):
        if twice := sorted(arrays.keys() & more.keys()):
            raise Malformed(f"arrays that another file has, too: {', '.join(twice)}", WRITE, Location(file))
        arrays |= more
    inputs = [value for value in func.inputs if value.type != TOKEN]
    spellings = (
        [f"arg{k}" for k in range(len(inputs))],
        [value.name.removeprefix("%") for value in inputs],
        [value.label for value in inputs],
    )
    for names in spellings:
        if set(names) <= set(arrays):
            return [arrays[name] for name in names]
    expected = spellings[2] if all(spellings[2]) else spellings[0]
    evidence = f"expected {', '.join(expected)}\ngot {', '.join(arrays)}\nor write {files[0]}:NAME for one"
    raise Malformed("its arrays are not the arguments", evidence, Location(files[0]))


def read_members(file: str) -> dict[str, np.ndarray]:
    """Return the arrays of a file by name; a `.npy` file has one array, named ""."""
    where = Location(file)
    try:
        if file.endswith(".safetensors"):
            return _safetensors(file, where)
        content = np.load(file, allow_pickle=False)
        arrays = {"": content} if isinstance(content, np.ndarray) else dict(content)
    except OSError as error:
        raise Malformed(error.strerror or "not readable", WRITE, where) from error
    except Malformed:
        raise
    except Exception as error:  # whatever NumPy, zipfile and zlib raise at a damaged file
        reason = " ".join(str(error).split())
        evidence = WRITE if "pickle" in reason or not reason else f"{reason}: {WRITE}"
        raise Malformed("not a .npy or .npz file", evidence, where) from error
    return {name: plain_elements(array, name, where) for name, array in arrays.items()}


def _safetensors(file: str, where: Location) -> dict[str, np.ndarray]:
    """Return the arrays of a `.safetensors` file; elements of a type that NumPy lacks become their bits."""
    try:
        import safetensors
    except ImportError:
        raise Malformed("safetensors is not installed", "pip install safetensors", where) from None
    try:
        found = safetensors.deserialize(Path(file).read_bytes())
        return {name: _array(tensor) for name, tensor in found}
    except (safetensors.SafetensorError, KeyError, ValueError) as error:
        raise Malformed("not a .safetensors file", str(error), where) from error


def _array(tensor: dict[str, Any]) -> np.ndarray:
    """Return the array for a tensor of `safetensors.deserialize`, which has a type, a shape and bytes."""
    name = tensor["dtype"]
    word = {"F": "float", "I": "int", "U": "uint", "C": "complex"}.get(name[0], "")
    dtype = SAME_BITS.get(name) or f"{word}{name[1:]}"
    return np.frombuffer(tensor["data"], np.dtype(dtype)).reshape(tensor["shape"])


def plain_elements(array: Any, name: str = "", where: Location = UNKNOWN) -> np.ndarray:
    """Return an array, with elements of a type that NumPy lacks (bf16, f8) as their bits."""
    if not isinstance(array, np.ndarray):
        raise Malformed(f"its member {name!r} is not an array", WRITE, where)
    if array.dtype.kind != "V":
        return array
    if array.dtype.names or array.itemsize not in (1, 2):
        raise Malformed(f"an array of {array.dtype}", WRITE, where)
    return array.view(f"uint{array.itemsize * 8}")


def writable(folder: Path) -> Path:
    """Return the folder for results, creating it if missing; `Malformed` if it cannot be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        verdict, where = f"no folder to write to: {error.strerror}", Location(str(folder))
        raise Malformed(verdict, "results are files in a folder of that name", where) from error


def write_results(results: Sequence[Tensor], folder: Path) -> list[Path]:
    """Write results to `out0.npy`, `out1.npy`, ...; elements of a type that NumPy lacks become their bits.

    Tokens are not written.
    """
    tensors = [result for result in results if isinstance(result, Tensor)]
    return write_arrays([result.storage for result in tensors], folder, "out")


def write_arrays(arrays: Sequence[np.ndarray], folder: Path, name: str) -> list[Path]:
    """Write stored elements to `<name>0.npy`, `<name>1.npy`, ..., as `read_arguments` takes them.

    Either all files are written, or none, and `Malformed` is raised.
    """
    paths = [folder / f"{name}{k}.npy" for k in range(len(arrays))]
    with ExitStack() as stack:
        for path, array in zip(paths, arrays, strict=True):
            _write_array(stack.enter_context(replacing(path)), array)
    return paths


def write_program(module: Module, args: Sequence[np.ndarray], folder: Path, name: str) -> list[Path]:
    """Write a program and its arguments, `<name>.mlir` and `<name>0.npy`, ..., and return the files."""
    path = folder / f"{name}.mlir"
    write_text(path, f"{module!r}\n")
    return [path, *write_arrays(args, folder, name)]


def _write_array(stream: IO[bytes], array: np.ndarray) -> None:
    """Write an array as `numpy.save` does, but raise an error that it would ignore at closing the file."""
    np.lib.format.write_array(SimpleNamespace(write=stream.write), plain_array(array), allow_pickle=False)
    stream.flush()


def plain_array(array: np.ndarray) -> np.ndarray:
    """Return elements of a type that NumPy lacks as their bits in unsigned integers, others as they are."""
    x = np.ascontiguousarray(array).reshape(array.shape)
    return x if is_of_numpy(x.dtype) else x.view(f"uint{x.itemsize * 8}")


def random_arguments(func: Func, seed: int) -> list[np.ndarray]:
    """Return random arguments: uniform integers of the storage range, and normally distributed floats."""
    if seed < 0:
        raise Malformed(f"random seed {seed} is negative", "seeds: 0, 1, 2, ...")
    rng = np.random.default_rng(seed)
    inputs = [value for value in func.inputs if value.type != TOKEN]
    for value in inputs:
        size = Size(value.type.shape, bytes_of(value))
        refuse_size(f"argument {value.title}", [size], memory(), func.location)
    return [_random(rng, value) for value in inputs]


def _random(rng: np.random.Generator, value: Value) -> np.ndarray:
    element, storage, shape = value.type.element_type, value.type.storage_type, value.type.shape
    dtype = numpy_dtype(storage)
    if storage.kind == "boolean":
        return rng.integers(0, 2, shape).astype(bool)
    if storage.is_integer:
        return rng.integers(*storage_range(element), shape, dtype, endpoint=True)
    parts = rng.standard_normal((2, *shape))
    return (parts[0] + 1j * parts[1] if storage.kind == "complex" else parts[0]).astype(dtype)


# Real numbers for quantized parameters: quantized by the parameters' own types, and what saturated.


def quantized_inputs(arrays: Sequence[np.ndarray], func: Func) -> tuple[list[np.ndarray], list[str]]:
    """Return the arguments with floats quantized where the parameter is, and a note about each of these.

    An array may have one more dimension in front than its parameter: samples of a data set.
    """
    found, notes = list(arrays), []
    parameters = [value for value in func.inputs if value.type != TOKEN]
    for k, (x, parameter) in enumerate(zip(arrays, parameters, strict=False)):
        if x.dtype.kind == "f" and parameter.type.is_quantized:
            type = _type(parameter, x.ndim)
            found[k] = to_storage(x, type)
            notes.append(_note(x, type, parameter))
    return found, notes


def _type(parameter: Value, rank: int) -> QuantizedType:
    """Return the element type of a parameter, or of several samples of it."""
    type = parameter.type.quantized_element_type
    if rank == parameter.type.rank + 1 and type.quantization_dimension is not None:
        return replace(type, quantization_dimension=type.quantization_dimension + 1)
    return type


def _note(x: np.ndarray, type: QuantizedType, parameter: Value) -> str:
    """Return how many elements the storage range clamps, and how many are NaN."""
    scales, points = (spread(NUMPY, each, np.float64, type, x.shape) for each in _parameters(type))
    with np.errstate(all="ignore"):
        steps = np.rint(x.astype(np.float64) / scales + points)
    beyond = int(np.count_nonzero((steps < type.storage_min) | (steps > type.storage_max)))
    nan = int(np.count_nonzero(np.isnan(x)))
    missing = f", {nan:,} are NaN and become 0" if nan else ""
    return f"{parameter.title}: quantized to {type!r}, {beyond:,} of {x.size:,} elements saturated{missing}"


def _parameters(type: QuantizedType) -> tuple[tuple[float, ...], tuple[int, ...]]:
    return round_parameters(type).scales, type.zero_points
