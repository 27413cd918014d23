"""Contents of a .tflite file: graphs of nodes and tensors, checked, with constants as views of the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite, prod
from typing import Any, NamedTuple

import numpy as np

from interp.apps.litert.flatbuffer import File, Table
from interp.apps.litert.schema import ELEMENTS, KINDS, OPERATORS, OPTIONS, RESOURCE, Fields
from interp.apps.litert.sparse import Sparsity, densify, sparsity
from interp.backends.dtypes import numpy_dtype
from interp.loading.build import Element
from interp.loading.writer import LARGEST
from spec.errors import InterpError, Location, Malformed, Unsupported
from spec.types import ELEMENT_TYPES, ElementType, TensorType, make_quantized

MAGIC = b"TFL3"
CUSTOM = "CUSTOM"
SMALLEST = 2.0**-126  # a scale: the quant dialect has no subnormal ones
HELD = ("i8", "ui8", "i16")  # elements of tensors that have a quantized type here
F32 = ELEMENT_TYPES["f32"]


@dataclass
class Tensor:
    """A tensor of a graph. Without scales it is not quantized; several scales are along `axis`.

    data: the bytes of a constant, else empty. unknown: the dimensions of which the file only says 1.
    """

    name: str
    shape: tuple[int, ...]
    number: int
    data: np.ndarray
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    axis: int
    is_variable: bool
    unknown: tuple[int, ...]
    where: Location
    sparsity: Sparsity | None = None

    @property
    def is_open(self) -> bool:
        return bool(self.unknown)

    @property
    def is_constant(self) -> bool:
        return self.data.size > 0 or 0 in self.shape

    @property
    def is_resource(self) -> bool:
        return self.number == RESOURCE

    @cached_property
    def storage(self) -> ElementType:
        """The type of the stored numbers."""
        if not 0 <= self.number < len(ELEMENTS):
            raise self.error(f"the element type {self.number} is unknown")
        name = ELEMENTS[self.number]
        if name == "-":
            kind = KINDS[(5, RESOURCE, 14).index(self.number)]
            raise Unsupported(
                f"tensor '{self.name}' is of {kind}", "expected numbers or booleans", self.where
            )
        return ELEMENT_TYPES["i8" if name in ("i4", "i2") else name]

    @cached_property
    def element(self) -> Element:
        """The element type: a quantized one for integers of 8 and 16 bits that have scales."""
        if not self.scales or self.storage.name not in HELD:
            return self.storage
        if any(scale < SMALLEST for scale in self.scales):
            raise Unsupported(
                f"tensor '{self.name}' has a subnormal scale", "expected at least 2^-126", self.where
            )
        axis = self.axis if len(self.scales) > 1 else None
        return make_quantized(
            self.storage.name, "f32", self.scales, self.zero_points, quantization_dimension=axis
        )

    @property
    def type(self) -> TensorType:
        return TensorType(self.shape, self.element)

    @cached_property
    def array(self) -> np.ndarray:
        """The stored numbers of a constant."""
        storage, size = self.storage, prod(self.shape)
        name = ELEMENTS[self.number]
        if name in ("i4", "i2"):
            return self._unpack(int(name[1]), size)
        dtype = np.dtype(np.bool_) if name == "i1" else numpy_dtype(storage)
        if self.sparsity is not None:
            return self._densify(self.sparsity, dtype)
        if self.data.size != size * dtype.itemsize:
            got = f"{self.data.size} bytes for {list(self.shape)} of {self.storage}"
            raise self.error(f"expected {size * dtype.itemsize} bytes, got {got}")
        if name == "i1" and size and int(self.data.max()) > 1:
            raise self.error("a boolean is neither 0 nor 1")
        return self.data.view(dtype).reshape(self.shape)

    def _densify(self, layout: Sparsity, dtype: np.dtype) -> np.ndarray:
        if self.data.size % dtype.itemsize:
            raise self.error(f"{self.data.size} bytes of {self.storage}")
        try:
            return densify(self.data.view(dtype), self.shape, layout)
        except ValueError as error:
            raise self.error(f"its sparse layout does not fit: {error}") from None

    def _unpack(self, bits: int, size: int) -> np.ndarray:
        """Return integers of few bits, the first in the lowest bits of a byte, as i8."""
        per = 8 // bits
        if self.data.size != -(-size // per):
            raise self.error(f"{self.data.size} bytes for {size} integers of {bits} bits")
        fields = (self.data[:, None] >> (np.arange(per, dtype=np.uint8) * bits)).reshape(-1)[:size]
        signed = (fields << (8 - bits)).astype(np.uint8).view(np.int8) >> (8 - bits)
        return signed.reshape(self.shape)

    def error(self, reason: str) -> InterpError:
        return Malformed(
            f"tensor '{self.name}': {reason}", "the file is damaged, or from another version", self.where
        )


class NodeContent(NamedTuple):
    """A node: its place in the graph, its operator with its version, its tensors and options."""

    place: int
    operator: str
    version: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    intermediates: tuple[int, ...]
    options: dict[str, Any]


@dataclass
class Graph:
    """A graph: its nodes are in an order in which they can run."""

    name: str
    tensors: list[Tensor]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    nodes: list[NodeContent]


class Signature(NamedTuple):
    """An entry point: its name, its graph, and the names of the tensors that it takes and gives."""

    key: str
    graph: int
    inputs: dict[int, str]
    outputs: dict[int, str]


@dataclass
class Contents:
    """All that a model says; `custom`: the codes of its custom operators, with the numbers of nodes."""

    graphs: list[Graph]
    signatures: list[Signature]
    where: Location
    counts: dict[str, list[int]] = field(default_factory=dict)


def parse(data: bytes, where: Location) -> Contents:
    """Return the contents of a .tflite file; `Malformed` for a damaged one."""
    if data[4:8] != MAGIC:
        raise Malformed("not a LiteRT model", f"expected {MAGIC!r} at byte 4, got {data[4:8]!r}", where)
    model = File(data, where).root()
    if (version := model.number(Fields.VERSION, "<I")) != 3:
        raise Unsupported(f"a LiteRT model of schema version {version}", "expected 3", where)
    buffers = [_buffer(table, data, where) for table in model.tables(Fields.BUFFERS)]
    codes = [_code(table, where) for table in model.tables(Fields.CODES)]
    graphs = [_graph(table, buffers, codes, where) for table in model.tables(Fields.SUBGRAPHS)]
    if not graphs:
        raise Malformed("a LiteRT model without a graph", "", where)
    signatures = [_signature(table, graphs, where) for table in model.tables(Fields.SIGNATURES)]
    return Contents(graphs, signatures, where)


def _buffer(table: Table, data: bytes, where: Location) -> np.ndarray:
    offset, size = table.number(Fields.OFFSET, "<Q"), table.number(Fields.SIZE, "<Q")
    if offset > 1:  # the bytes stand behind the flatbuffer
        if offset + size > len(data):
            raise Malformed("a damaged LiteRT model", f"{size} bytes at {offset} of {len(data)}", where)
        table.file.visit(size)
        return np.frombuffer(data, np.uint8, size, offset)
    return table.array(Fields.DATA, "u1")


def _code(table: Table, where: Location) -> tuple[str, int]:
    """Return the name of an operator, `CUSTOM name` for a custom one, and its version.

    Old files have the number in a byte, and 0 in the field that newer ones use.
    """
    number = max(table.number(Fields.CODE, "<i"), table.number(Fields.OLD_CODE, "<b"))
    version = table.number(Fields.CODE_VERSION, "<i", 1)
    if not 0 <= number < len(OPERATORS):
        return f"operator number {number}", version
    name = OPERATORS[number]
    return (f"{CUSTOM} {table.text(Fields.CUSTOM_CODE)!r}" if name == CUSTOM else name), version


def _graph(
    table: Table, buffers: Sequence[np.ndarray], codes: Sequence[tuple[str, int]], where: Location
) -> Graph:
    tensors = [_tensor(each, buffers, where) for each in table.tables(Fields.TENSORS)]
    inputs, outputs = (tuple(table.numbers(k)) for k in (Fields.INPUTS, Fields.OUTPUTS))
    _check_places((*inputs, *outputs), len(tensors), "a graph", where, least=0)
    nodes = [_node(k, each, len(tensors), codes, where) for k, each in enumerate(table.tables(Fields.NODES))]
    return Graph(table.text(Fields.NAME), tensors, inputs, outputs, nodes)


def _tensor(table: Table, buffers: Sequence[np.ndarray], where: Location) -> Tensor:
    place, name = table.number(Fields.BUFFER, "<I"), table.text(Fields.TENSOR_NAME)
    shape, title = tuple(table.numbers(Fields.SHAPE)), f"tensor '{name}'"
    if place >= len(buffers):
        raise Malformed(f"{title}: no buffer {place}", f"the file has {len(buffers)}", where)
    if any(size < 0 for size in shape) or len(shape) > 64 or prod(shape) > LARGEST:
        raise Malformed(f"{title} has the shape {list(shape)}", "expected sizes of a tensor in memory", where)
    scales, points, axis = _quantization(table.table(Fields.QUANTIZATION), shape, title, where)
    layout = table.table(Fields.SPARSITY)
    return Tensor(
        name,
        shape,
        table.number(Fields.TYPE, "<b"),
        buffers[place] if place else np.zeros(0, np.uint8),
        scales,
        points,
        axis,
        table.number(Fields.IS_VARIABLE, "<?", False),
        tuple(d for d, size in enumerate(table.numbers(Fields.SIGNATURE)) if size == -1 and d < len(shape)),
        where,
        sparsity(layout) if layout else None,
    )


def _quantization(
    table: Table | None, shape: tuple[int, ...], title: str, where: Location
) -> tuple[tuple[float, ...], tuple[int, ...], int]:
    """Return scales, zero points and the axis of several; no scales for a tensor without them."""
    if table is None or not (scales := table.array(Fields.SCALE, "f4").tolist()):
        return (), (), 0
    if table.number(Fields.DETAILS, "<B"):
        raise Unsupported(f"{title} is quantized in blocks or with custom details", "", where)
    points, axis = table.numbers(Fields.ZERO_POINT, "i8") or [0], table.number(Fields.AXIS, "<i")
    if not all(isfinite(scale) and scale > 0 for scale in scales):
        if len(scales) == 1 and scales[0] == 0:  # as some writers say that there is none
            return (), (), 0
        raise Malformed(f"{title}: a scale is not a positive number", f"scales: {scales[:8]}", where)
    if len(points) not in (1, len(scales)):
        raise Malformed(f"{title} has {len(scales)} scales and {len(points)} zero points", "", where)
    if len(scales) > 1 and not (0 <= axis < len(shape) and shape[axis] == len(scales)):
        what = f"{len(scales)} scales along dimension {axis} of {list(shape)}"
        raise Malformed(f"{title} has {what}", "expected one for each index", where)
    if not all(-(1 << 31) <= point < 1 << 31 for point in points):
        raise Malformed(f"{title} has a zero point beyond 32 bits", f"zero points: {points[:8]}", where)
    points = points * len(scales) if len(points) < len(scales) else points
    return tuple(scales), tuple(points), axis


def _node(k: int, table: Table, count: int, codes: Sequence[tuple[str, int]], where: Location) -> NodeContent:
    place = table.number(Fields.OPCODE, "<I")
    if place >= len(codes):
        raise Malformed(f"operator #{k}: no code {place}", f"the file has {len(codes)}", where)
    name, version = codes[place]
    inputs, outputs = (tuple(table.numbers(f)) for f in (Fields.NODE_INPUTS, Fields.NODE_OUTPUTS))
    between = tuple(table.numbers(Fields.INTERMEDIATES))
    title = f"operator #{k} ({name})"
    _check_places((*inputs, *between), count, title, where, least=-1)
    _check_places(outputs, count, title, where, least=0)
    options = table.table(Fields.OPTIONS)
    known = OPTIONS.get(name, {})
    values = {
        key: options.number(option.field, option.form, option.default) if options else option.default
        for key, option in known.items()
    }
    if name == "RESHAPE":
        values["shape"] = options.numbers(0) if options else []
    if name == "SQUEEZE":
        values["dimensions"] = options.numbers(0) if options else []
    if name == "VAR_HANDLE":
        values["name"] = options.text(1) if options else ""
    return NodeContent(k, name, version, inputs, outputs, between, values)


def _check_places(places: Sequence[int], count: int, title: str, where: Location, least: int) -> None:
    if any(not least <= place < count for place in places):
        raise Malformed(f"{title} names a tensor that is not there", f"{list(places)[:16]} of {count}", where)


def _signature(table: Table, graphs: Sequence[Graph], where: Location) -> Signature:
    key, graph = table.text(Fields.KEY), table.number(Fields.KEY_SUBGRAPH, "<I")
    if graph >= len(graphs):
        raise Malformed(f"signature '{key}' is of graph {graph}", f"the file has {len(graphs)}", where)
    names = []
    for which in (Fields.KEY_INPUTS, Fields.KEY_OUTPUTS):
        pairs = {
            each.number(Fields.MAP_TENSOR, "<I"): each.text(Fields.MAP_NAME) for each in table.tables(which)
        }
        _check_places(list(pairs), len(graphs[graph].tensors), f"signature '{key}'", where, least=0)
        names.append(pairs)
    return Signature(key, graph, names[0], names[1])
