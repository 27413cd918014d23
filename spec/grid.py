"""Grids of processes, the functions that run on them, and meshes and shardings of the sdy dialect."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from spec.errors import Location, Malformed, Unsupported
from spec.ir import RUN_PARALLEL, Op, functions_in

ProcessId = tuple[int, int]  # replica_id and partition_id


class Grid(NamedTuple):
    """The process grid of `num_replicas` by `num_partitions` processes."""

    num_replicas: int = 1
    num_partitions: int = 1

    @property
    def process_ids(self) -> list[ProcessId]:
        return [(r, p) for r in range(self.num_replicas) for p in range(self.num_partitions)]

    @property
    def num_processes(self) -> int:
        return self.num_replicas * self.num_partitions


ONE = Grid()


# The attributes of `interpreter.run_parallel`, which name functions: `[[@a], [@b]]`.

__all__ = ["RUN_PARALLEL", "infeed", "programs"]


def programs(op: Op) -> list[list[str]]:
    """Return the function of each process: a row for each replica."""
    text = getattr(op["programs"], "text", "")
    return [functions_in(row) for row in re.findall(r"\[([^\[\]]*)\]", text)]


def infeed(op: Op) -> list[str]:
    """Return the functions whose results are the elements of the infeed, which all processes share."""
    return functions_in(getattr(op.attributes.get("infeed"), "text", ""))


# Meshes and shardings of the sdy dialect, read from the text of attributes with meshes written out.

MANUAL = "sdy.manual_computation"
_MESH = r"mesh<\[([^\]]*)\](?:, device_ids=\[([^\]]*)\])?>"
_SHARDING = re.compile(rf"<{_MESH}, \[((?:\{{[^{{}}]*\}}(?:p\d+)?(?:, )?)*)\]([^>]*)>")
_AXIS = re.compile(r'"((?:[^"\\]|\\.)*)"(?::\((\d+)\)(\d+))?')
_SIZE = re.compile(r'"((?:[^"\\]|\\.)*)"=(\d+)')


class Axis(NamedTuple):
    """An axis of a mesh, or the part of it that has `size` places after a split into `pre_size` parts."""

    name: str
    pre_size: int = 1
    size: int = 0  # 0: the whole axis


class Mesh(NamedTuple):
    """A named grid of devices; `device_ids` are in the order of the grid, or empty if they ascend."""

    axes: tuple[tuple[str, int], ...]
    device_ids: tuple[int, ...] = ()


class Sharding(NamedTuple):
    """The axes along which each dimension of a tensor is split, the major one first."""

    mesh: Mesh
    dimensions: tuple[tuple[Axis, ...], ...]


class Manual(NamedTuple):
    """A manual computation: how its operands are split, and how its results are joined."""

    mesh: Mesh
    axes: frozenset[str]
    operands: tuple[tuple[tuple[Axis, ...], ...], ...]
    results: tuple[tuple[tuple[Axis, ...], ...], ...]

    @property
    def num_devices(self) -> int:
        count = 1
        for _, size in self.mesh.axes:
            count *= size
        return count


def with_meshes(text: str, meshes: Mapping[str, str]) -> str:
    """Return an attribute's text with the meshes themselves in place of their names."""
    if "#sdy.sharding" not in text:
        return text
    return re.sub(r"(?<=<)@([\w$.]+)", lambda m: meshes.get(m[1], m[0]), text)


def manual(op: Op) -> Manual:
    """Return how a manual computation splits its values; axes that are not manual split nothing."""
    texts = tuple(getattr(op[name], "text", "") for name in ("in_shardings", "out_shardings", "manual_axes"))
    return _manual(*texts, op.location)


@lru_cache
def _manual(ins: str, outs: str, axes: str, where: Location) -> Manual:
    own = frozenset(name for name, *_ in _AXIS.findall(axes))
    split, joined = (_shardings(text, where) for text in (ins, outs))
    meshes = {sharding.mesh for sharding in (*split, *joined)}
    if len(meshes) > 1:
        raise Unsupported("not supported: a manual computation on several meshes", f"{ins}\n{outs}", where)
    if not meshes:
        raise Unsupported("not supported: a manual computation without shardings", "it names no mesh", where)

    def only(sharding: Sharding) -> tuple[tuple[Axis, ...], ...]:
        return tuple(tuple(axis for axis in axes if axis.name in own) for axes in sharding.dimensions)

    return Manual(meshes.pop(), own, tuple(map(only, split)), tuple(map(only, joined)))


def _shardings(text: str, where: Location) -> list[Sharding]:
    """Return the shardings in `#sdy.sharding_per_value<[<mesh<["a"=2]>, [{"a"}, {}]>]>`."""
    found = list(_SHARDING.finditer(text))
    if len(found) != text.count("mesh<") or "<@" in text:
        raise Malformed("a sharding cannot be read", f"{text}\nexpected <mesh<...>, [{{...}}]>", where)
    if any("unreduced" in match[4] for match in found):
        raise Unsupported("not supported: unreduced shardings", text, where)
    return [_sharding(match) for match in found]


def _sharding(match: re.Match[str]) -> Sharding:
    sizes = tuple((name, int(size)) for name, size in _SIZE.findall(match[1]))
    ids = tuple(map(int, re.findall(r"\d+", match[2] or "")))
    dimensions = re.findall(r"\{([^{}]*)\}", match[3])
    axes = tuple(
        tuple(Axis(name, int(pre or 1), int(size or 0)) for name, pre, size in _AXIS.findall(dimension))
        for dimension in dimensions
    )
    return Sharding(Mesh(sizes, ids), axes)
