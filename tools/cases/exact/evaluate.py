"""Evaluator of a program; a tensor is a map from indices to elements, a region a scope of names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from cases.exact.floats import FORMATS, Unknown
from cases.exact.operations import applied
from cases.exact.quantization import (
    converted,
    dequantize,
    parameters,
    quantize,
    wrapped,
)
from spec.attributes import Dense
from spec.ir import Module, Op, Region, callee_names
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, is_tensor

Index = tuple[int, ...]


class Array(NamedTuple):
    """A tensor's type and its elements by index."""

    type: TensorType
    at: dict[Index, Any]

    @property
    def item(self) -> Any:
        return self.at[()]


Scope = Mapping[str, Array]


class Program(NamedTuple):
    """Everything that an operation may use besides its operands."""

    module: Module
    scope: Scope

    def run(self, region: Region, args: Sequence[Array]) -> list[Array]:
        """Return the results of a region."""
        scope = {**self.scope, **{v.name: x for v, x in zip(region.arguments, args, strict=True)}}
        for op in region.ops[:-1]:
            name = op.name.removeprefix("stablehlo.")
            foreign = op.name.partition(".")[0] not in ("stablehlo", "quant")
            of_tensors = all(is_tensor(v.type) for v in (*op.operands, *op.results))
            if not of_tensors or (name not in OPS and (foreign or callee_names(op) or op.regions)):
                raise Unknown(op.name)
            rule = OPS.get(name, elementwise)
            given = [scope[v.name] for v in op.operands]
            results = rule(Program(self.module, scope), op, *given)
            results = [results] if isinstance(results, dict) else results
            for value, result in zip(op.results, results, strict=True):
                scope[value.name] = Array(value.type, result)
        return [scope[v.name] for v in region.returns]


def evaluate(module: Module, args: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the results of @main under the schedule `left`, stored as NumPy arrays."""
    inputs = [read(x, v.type) for x, v in zip(args, module.main.inputs, strict=True)]
    return [stored(x) for x in Program(module, {}).run(module.main.body, inputs)]


def indices(shape: Sequence[int]) -> list[Index]:
    return list(product(*map(range, shape)))


def read(x: np.ndarray, type: TensorType) -> Array:
    kind = type.storage_type.kind
    take: Callable[[Any], Any] = {
        "float": float,
        "boolean": bool,
        "complex": lambda v: (float(v.real), float(v.imag)),
    }.get(kind, int)
    return Array(type, {i: take(x[i]) for i in indices(type.shape)})


def stored(x: Array) -> np.ndarray:
    storage = x.type.storage_type
    dtype = np.dtype(storage.numpy)
    values = [complex(*v) if storage.kind == "complex" else v for v in x.at.values()]
    if storage.kind == "complex":
        flat = np.empty(len(values), dtype)
        for k, v in enumerate(values):
            flat[k] = v
    else:
        flat = np.array(values, np.float64 if storage.kind == "float" else dtype).astype(dtype)
    return flat.reshape(x.type.shape)


def number(x: Array, i: Index) -> Any:
    """Return the number that an element represents."""
    E = x.type.element_type
    if not isinstance(E, QuantizedType):
        return x.at[i]
    return dequantize(x.at[i], E, *parameters(E, x.type.shape, i))


def plain(type: TensorType) -> Any:
    E = type.element_type
    return E.expressed_type if isinstance(E, QuantizedType) else E


def put(y: Any, type: TensorType, i: Index) -> Any:
    """Return a number of the plain type as an element of the type."""
    E = type.element_type
    return quantize(y, E, *parameters(E, type.shape, i)) if isinstance(E, QuantizedType) else y


def elementwise(p: Program, op: Op, *operands: Array) -> dict[Index, Any]:
    """Dequantize, operate, quantize."""
    name, types = op.name.removeprefix("stablehlo."), [plain(x.type) for x in operands]
    for t in (*types, plain(op.result.type)):
        if t.kind == "float" and t.name not in FORMATS:
            raise Unknown(t.name)
    return {
        i: put(
            applied(
                op,
                name,
                types,
                plain(op.result.type),
                [number(x, i if x.at.keys() != {()} else ()) for x in operands],
            ),
            op.result.type,
            i,
        )
        for i in indices(op.result.type.shape)
    }


# Conversions.


def convert(p: Program, op: Op, x: Array) -> dict[Index, Any]:
    return {i: converted(v, plain(x.type), plain(op.result.type)) for i, v in x.at.items()}


def uniform_quantize(p: Program, op: Op, x: Array) -> dict[Index, Any]:
    return {i: put(number(x, i), op.result.type, i) for i in x.at}


def uniform_dequantize(p: Program, op: Op, x: Array) -> dict[Index, Any]:
    return {i: number(x, i) for i in x.at}


def scast(p: Program, op: Op, x: Array) -> dict[Index, Any]:
    return {i: wrapped(v, op.result.type.storage_type) for i, v in x.at.items()}


def bitcast(p: Program, op: Op, x: Array) -> dict[Index, Any]:
    """Reinterpret little-endian bits, floats through NumPy's bytes (E17)."""
    source, result = x.type.storage_type, op.result.type.storage_type
    if "complex" in (source.kind, result.kind):
        raise Unknown("bits of complex numbers")
    word = {i: _bits(v, source) for i, v in x.at.items()}
    if source.bits > result.bits:
        mask, n = (1 << result.bits) - 1, source.bits // result.bits
        word = {(*i, k): w >> (k * result.bits) & mask for i, w in word.items() for k in range(n)}
    elif source.bits < result.bits:
        joined: dict[Index, int] = {}
        for (*i, k), w in word.items():
            joined[tuple(i)] = joined.get(tuple(i), 0) | w << (k * source.bits)
        word = joined
    return {i: _of_bits(word[i], result) for i in indices(op.result.type.shape)}


def _bits(v: Any, type: Any) -> int:
    if type.kind != "float":
        return int(v) % (1 << type.bits)
    if v != v:
        raise Unknown("the bits of a NaN")
    return int.from_bytes(np.array(v).astype(np.dtype(type.numpy)).tobytes(), "little")


def _of_bits(word: int, type: Any) -> Any:
    if type.kind != "float":
        return wrapped(word, type)
    return float(np.frombuffer(word.to_bytes(type.bits // 8, "little"), np.dtype(type.numpy))[0])


# What makes or moves elements.


def constant(p: Program, op: Op) -> dict[Index, Any]:
    dense: Dense = op["value"]
    flat = np.frombuffer(dense.data, np.dtype(op.result.type.storage_type.numpy))
    shape = op.result.type.shape
    x = np.broadcast_to(flat.reshape(()), shape) if dense.splat else flat.reshape(shape)
    return read(x, op.result.type).at


def iota(p: Program, op: Op) -> dict[Index, Any]:
    type, d = op.result.type, op["iota_dimension"]
    i64 = ELEMENT_TYPES["i64"]
    return {i: put(converted(i[d], i64, plain(type)), type, i) for i in indices(type.shape)}


def moves(where: Callable[[Op, Index, Index], Index]) -> Callable[..., dict[Index, Any]]:
    """Return an operation whose result at an index is the operand at another."""

    def rule(p: Program, op: Op, x: Array) -> dict[Index, Any]:
        return {i: x.at[where(op, i, x.type.shape)] for i in indices(op.result.type.shape)}

    return rule


def reshape(p: Program, op: Op, x: Array) -> dict[Index, Any]:
    return dict(zip(indices(op.result.type.shape), x.at.values(), strict=True))


def pad(p: Program, op: Op, x: Array, value: Array) -> dict[Index, Any]:
    low, interior = op["edge_padding_low"], op["interior_padding"]
    placed = {
        tuple(a + k * (n + 1) for a, k, n in zip(low, i, interior, strict=True)): v for i, v in x.at.items()
    }
    return {i: placed.get(i, value.item) for i in indices(op.result.type.shape)}


def concatenate(p: Program, op: Op, *inputs: Array) -> dict[Index, Any]:
    d, start, found = op["dimension"], 0, {}
    for x in inputs:
        found |= {(*i[:d], i[d] + start, *i[d + 1 :]): v for i, v in x.at.items()}
        start += x.type.shape[d]
    return {i: found[i] for i in indices(op.result.type.shape)}


def dynamic_slice(p: Program, op: Op, x: Array, *starts: Array) -> dict[Index, Any]:
    sizes = zip(starts, x.type.shape, op["slice_sizes"], strict=True)
    first = [min(max(s.item, 0), n - k) for s, n, k in sizes]
    return {
        i: x.at[tuple(a + b for a, b in zip(first, i, strict=True))] for i in indices(op.result.type.shape)
    }


def dynamic_update_slice(p: Program, op: Op, x: Array, update: Array, *starts: Array) -> dict[Index, Any]:
    sizes = zip(starts, x.type.shape, update.type.shape, strict=True)
    first = [min(max(s.item, 0), n - k) for s, n, k in sizes]
    moved = {tuple(a + b for a, b in zip(first, i, strict=True)): v for i, v in update.at.items()}
    return {**x.at, **moved}


def gather(p: Program, op: Op, x: Array, starts: Array) -> dict[Index, Any]:
    """Gather by the sum of the specification's three index vectors."""
    offset_dims, vector, sizes = op["offset_dims"], op["index_vector_dim"], op["slice_sizes"]
    dropped = {*op["collapsed_slice_dims"], *op["operand_batching_dims"]}
    rank, found = len(x.type.shape), {}
    kept = [d for d in range(rank) if d not in dropped]
    for i in indices(op.result.type.shape):
        batch = [i[d] for d in range(len(i)) if d not in offset_dims]
        index = dict.fromkeys(range(rank), 0)
        for k, d in enumerate(op["start_index_map"]):
            place = [*batch[:vector], k, *batch[vector:]] if vector < len(starts.type.shape) else batch
            index[d] = min(max(starts.at[tuple(place)], 0), x.type.shape[d] - sizes[d])
        for d, s in zip(op["operand_batching_dims"], op["start_indices_batching_dims"], strict=True):
            index[d] += batch[s - (s > vector)]
        for d, o in zip(kept, offset_dims, strict=True):
            index[d] += i[o]
        found[i] = x.at[tuple(index[d] for d in range(rank))]
    return found


# Control.


def call(p: Program, op: Op, *operands: Array) -> list[dict[Index, Any]]:
    return [x.at for x in Program(p.module, {}).run(p.module[op["callee"].name].body, operands)]


def while_(p: Program, op: Op, *operands: Array) -> list[dict[Index, Any]]:
    cond, body = op.regions
    state = list(operands)
    while p.run(cond, state)[0].item:
        state = p.run(body, state)
    return [x.at for x in state]


def case(p: Program, op: Op, index: Array) -> list[dict[Index, Any]]:
    n = len(op.regions)
    chosen = index.item if 0 <= index.item < n else n - 1
    return [x.at for x in p.run(op.regions[chosen], ())]


def if_(p: Program, op: Op, pred: Array) -> list[dict[Index, Any]]:
    return [x.at for x in p.run(op.regions[0 if pred.item else 1], ())]


def scalar(type: Any, x: Any) -> Array:
    return Array(TensorType((), type), {(): x})


def body(p: Program, region: Region, types: Sequence[Any]) -> Callable[[tuple, tuple], tuple]:
    """Return a region as a function of tuples of elements."""

    def f(a: tuple, b: tuple) -> tuple:
        args = [scalar(v.type.element_type, x) for v, x in zip(region.arguments, (*a, *b), strict=True)]
        return tuple(x.item for x in p.run(region, args))

    return f


slice_ = moves(
    lambda op, i, n: tuple(a + k * s for a, k, s in zip(op["start_indices"], i, op["strides"], strict=True))
)
broadcast_in_dim = moves(
    lambda op, i, n: tuple(0 if n[d] == 1 else i[k] for d, k in enumerate(op["broadcast_dimensions"]))
)


# They build on what is above.
from cases.exact import (  # noqa: E402
    contractions,
    dynamic,
    matrices,
    normalization,
    ordering,
    randomness,
    reductions,
    scaled_dots,
    scattering,
    transforms,
)

OPS: dict[str, Callable[..., Any]] = {
    "convert": convert,
    "uniform_quantize": uniform_quantize,
    "uniform_dequantize": uniform_dequantize,
    "quant.qcast": uniform_quantize,  # E16
    "quant.dcast": uniform_dequantize,
    "quant.scast": scast,
    "bitcast_convert": bitcast,
    "constant": constant,
    "arith.constant": constant,
    "iota": iota,
    "transpose": moves(lambda op, i, n: tuple(i[op["permutation"].index(d)] for d in range(len(n)))),
    "reverse": moves(
        lambda op, i, n: tuple(n[d] - 1 - k if d in op["dimensions"] else k for d, k in enumerate(i))
    ),
    "slice": slice_,
    "broadcast_in_dim": broadcast_in_dim,
    "dynamic_broadcast_in_dim": dynamic.of_operands(broadcast_in_dim, output_dimensions=1),
    "dynamic_conv": dynamic.of_operands(contractions.convolution, padding=2),
    "dynamic_gather": dynamic.of_operands(gather, slice_sizes=2),
    "dynamic_iota": dynamic.of_operands(iota, output_shape=0),
    "dynamic_pad": dynamic.of_operands(pad, edge_padding_low=2, edge_padding_high=3, interior_padding=4),
    "dynamic_reshape": dynamic.of_operands(reshape, output_shape=1),
    "get_dimension_size": lambda p, op, x: {(): x.type.shape[op["dimension"]]},
    "real_dynamic_slice": dynamic.of_operands(slice_, start_indices=1, limit_indices=2, strides=3),
    "map": ordering.mapped,
    "sort": ordering.sort,
    "reshape": reshape,
    "pad": pad,
    "concatenate": concatenate,
    "dynamic_slice": dynamic_slice,
    "dynamic_update_slice": dynamic_update_slice,
    "gather": gather,
    "func.call": call,
    "composite": scaled_dots.composite,
    "while": while_,
    "case": case,
    "if": if_,
    "optimization_barrier": lambda p, op, *operands: [x.at for x in operands],
    "reduce": reductions.reduce,
    "reduce_window": reductions.reduce_window,
    "select_and_scatter": reductions.select_and_scatter,
    "scatter": scattering.scatter,
    "dot_general": contractions.dot_general,
    "convolution": contractions.convolution,
    "cholesky": matrices.cholesky,
    "triangular_solve": matrices.triangular_solve,
    "fft": transforms.fft,
    "rng": randomness.rng,
    "rng_bit_generator": randomness.rng_bit_generator,
    "batch_norm_grad": normalization.batch_norm,
    "batch_norm_inference": normalization.batch_norm,
    "batch_norm_training": normalization.batch_norm,
}
