"""Layers: the scopes in which an exporter says that an operation stands, and short names for them.

`conv2` is what JAX writes as `jit(f)/net/conv2/dot_general`, PyTorch as `Net/torch.nn.Conv2d_conv2;`, and
ONNX as `node '/net/conv2/Conv' (Conv)` or, from PyTorch, `node 'node_conv2d' (Conv) in net.conv2`. LiteRT has
the name of the first output: `operator #3 CONV_2D 'net/conv2/Relu'`. A layer is named by the shortest end of
its path that no other layer has.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from interp.engine.memo import once
from spec.errors import UNKNOWN, Location
from spec.ir import Module, Op, callee_names, nested_ops

Path = tuple[str, ...]  # scopes, the outermost first
_CALLED = re.compile(r"(?:^|, )called at ")  # before each call of what was inlined
BACKWARD = " backward"  # of what JAX transposes to compute a gradient
_ONNX = re.compile(r"node '(.*)' \((\w+)\)(?: in ([\w.]+))?")
_LITERT = re.compile(r"operator #\d+ \S+ '(.*)'")
_PLACE = re.compile(r"[^()]*:\d+:\d+")
_AFTER_PLACE = re.compile(r"[^()]+ \((.*)\)")
_WRAPPED = re.compile(r"(jit|pjit|jvp|vmap|pmap|transpose)\((.*)\)")
_MODULE = re.compile(
    r"(?:[\w<>]+\.)*_*[^_]+_(.+)"
)  # the class of a module, and its name in the one around it
# Scopes that JAX writes for its own control flow and transformations.
_FLOW = {"while": r"cond|body", "cond": r"branch_\d+_fun"}
_OWN = re.compile(
    r"closed_call|core_closed_call|core_call|custom_jvp_call|custom_vjp_call|checkpoint|remat2?"
    r"|rematted_computation|shard_map|<.*>|.*->.*"
)


def layer_of(module: Module | None, op: Op) -> str:
    """Return the name of the layer in which an operation stands, or "" if its source names none.

    What a function computes that is called in one place belongs to the layer of that place.
    """
    path = path_of(module, op) if module else ()
    return _names(module).get(path, "/".join(path))


def layers_of(module: Module, function: str) -> Mapping[str, str]:
    """Return the names of the layers of one function, by the names of the values in them."""
    ops = nested_ops(module[function].body)
    return {v.name: name for op in ops if (name := layer_of(module, op)) for v in op.results}


def path_of(module: Module, op: Op) -> Path:
    """Return the scopes of an operation of a module, or of one that a kernel makes of it."""
    own = scopes(op.location.name, _is_from_jax(module))
    is_whole = _CALLED.search(op.location.name) or _LITERT.fullmatch(op.location.name)
    around = () if is_whole else _calls(module).get(function_of(module, op), ())
    return *around, *own


@once
def _functions(module: Module) -> Mapping[int, str]:
    """Return the name of each operation's function, by the identity of its results.

    An operation that a kernel makes of another one, such as the static one of a dynamic one, has the same.
    """
    ops = ((func.name, op) for func in module.functions.values() for op in nested_ops(func.body))
    return {id(value): name for name, op in ops for value in op.results}


def function_of(module: Module, op: Op) -> str:
    """Return the name of the function that an operation is in, or ""."""
    return _functions(module).get(id(op.results[0]), "") if op.results else ""


@once
def _names(module: Module) -> Mapping[Path, str]:
    """Return the name of each layer of a module, by its scopes; one around all others has none."""
    paths = {path_of(module, op) for op in module.ops()} - {()}
    ends = Counter(path[k:] for path in paths for k in range(len(path)))
    tails = {path: [path[k:] for k in reversed(range(len(path)))] for path in paths}
    names = {path: "/".join(next((x for x in tails[path] if ends[x] == 1), path)) for path in paths}
    root = min(paths, key=len, default=())
    is_root = len(paths) > 1 and all(path[: len(root)] == root for path in paths)
    return {**names, root: ""} if is_root else names


@once
def _is_from_jax(module: Module) -> bool:
    """Return whether JAX wrote the names, of which one without scopes is that of a primitive."""
    return any("jit(" in op.location.name for op in module.ops())


def inner_path(module: Module, op: Op) -> Path:
    """Return the scopes of an operation beyond those of the one whose region, or whose callee, it is in."""
    path, outer = path_of(module, op), _enclosing(module).get(id(op.results[0])) if op.results else None
    around = path_of(module, outer) if outer else ()
    return path[len(around) :] if path[: len(around)] == around else path


@once
def _enclosing(module: Module) -> Mapping[int, Op]:
    """Return the operation whose region, or the only call whose function, values are computed in, by `id`."""
    calls, every = _only_calls(module), list(module.ops())
    around = [(module[name].body, op) for name, (_, op) in calls.items()]
    around += [(region, op) for op in every for region in op.regions]
    return {id(v): outer for region, outer in around for op in region.ops for v in op.results}


@once
def _only_calls(module: Module) -> Mapping[str, tuple[str, Op]]:
    """Return the only call of each function that is called in one place, and the function of the call."""
    places = [
        (name, home.name, op)
        for home in module.functions.values()
        for op in nested_ops(home.body)
        for name in callee_names(op)
    ]
    counts = Counter(name for name, *_ in places)
    return {name: (home, op) for name, home, op in places if counts[name] == 1}


@once
def _calls(module: Module) -> Mapping[str, Path]:
    """Return the scopes of the call of each function that is called in one place."""
    found = _only_calls(module)

    def scopes_at(name: str, above: frozenset[str] = frozenset()) -> Path:
        if name not in found or name in above:
            return ()
        home, op = found[name]
        return *scopes_at(home, above | {name}), *_scopes_of_call(op.location.name)

    return {name: scopes_at(name) for name in found}


def location_in(path: Path, op: Op) -> Location:
    """Return the location, as JAX names it, of an operation in these scopes; unknown if there are none."""
    name = f"jit(main)/{'/'.join(path)}/{op.name.rpartition('.')[2]}"
    return Location(name=name) if path and scopes(name) == path else UNKNOWN


def scopes(name: str, is_from_jax: bool = False) -> Path:
    """Return the scopes that a name in a source says, the outermost first, without the operation's own name.

    is_from_jax: a name without scopes is that of a primitive.
    """
    inner, *calls = _CALLED.split(name)
    around = tuple(scope for site in reversed(calls) for scope in _scopes_of_call(_label(site)))
    return around + _scopes(inner, is_from_jax or "jit(" in name)


def _label(site: str) -> str:
    """Return the name in the text of a location, of which it may be all."""
    if _ONNX.fullmatch(site) or _LITERT.fullmatch(site):
        return site
    place = _AFTER_PLACE.fullmatch(site)
    return place[1] if place else "" if _PLACE.fullmatch(site) else site


@lru_cache(1 << 12)
def _scopes(name: str, is_from_jax: bool) -> Path:
    if node := _ONNX.fullmatch(name):
        return _scopes_of_node(*node.groups())
    if node := _LITERT.fullmatch(name):
        return _scopes_of_tensor(node[1])
    if ";" in name:
        found = (_MODULE.fullmatch(part) for part in name.partition(";")[0].split("/"))
        return _join_numbers(part[1] for part in found if part)
    parts = _split(name.partition("@")[0])
    if len(parts) == 1:
        return () if is_from_jax else tuple(filter(None, parts))
    return _plain(parts[:-1], is_whole=True)


@lru_cache(1 << 12)
def _scopes_of_call(name: str) -> Path:
    """Return the scopes of what a call runs: those of the call, and the function that JAX names there."""
    if _ONNX.fullmatch(name) or _LITERT.fullmatch(name) or ";" in name:
        return _scopes(name, False)
    parts = _split(name)
    return _plain(parts if _WRAPPED.fullmatch(parts[-1]) else parts[:-1], is_whole=len(parts) > 1)


def _scopes_of_node(name: str, type: str, module: str | None) -> Path:
    """Return the scopes of a node of ONNX: its module, or its name less a last part that is its type."""
    if module:
        return _join_numbers(module.split("."))
    parts = [part for part in name.split("/") if part]
    if len(parts) > 1 and re.fullmatch(rf"{type}(_\d+)?", parts[-1]):
        parts.pop()
    return _join_numbers(parts)


def litert_tensor(name: str) -> str:
    """Return the name of LiteRT's tensor that an operation computes, in the name of its location, or ""."""
    node = _LITERT.fullmatch(name)
    return node[1] if node else ""


def _scopes_of_tensor(name: str) -> Path:
    """Return the scopes of a tensor of LiteRT: its name less the operation; a name of one part is a layer."""
    parts = [part for part in name.split("/") if part]
    return _join_numbers(parts[:-1] or parts)


def _split(name: str) -> list[str]:
    """Return the parts of a name between slashes that are not in parentheses."""
    parts, depth = [""], 0
    for c in name:
        depth += (c == "(") - (c == ")")
        if c == "/" and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def _plain(parts: list[str], is_whole: bool) -> Path:
    """Return the scopes that somebody chose, of parts of a name that JAX or TensorFlow writes.

    is_whole: the first one may be the function that was exported.
    """
    if is_whole and parts and re.fullmatch(r"p?jit\(.*\)", parts[0]):
        parts = parts[1:]
    names = [x for part in parts for x in _unwrap(part) if x and x != "main"]
    flow = {k for k, x in enumerate(names[:-1]) if re.fullmatch(_FLOW.get(x, "(?!)"), names[k + 1])}
    chosen = (x for k, x in enumerate(names) if not ({k, k - 1} & flow or _OWN.fullmatch(x)))
    path = _join_numbers(chosen)
    is_backward = path and any(part.startswith("transpose(") for part in parts)
    return (*path[:-1], path[-1] + BACKWARD) if is_backward else path


def _unwrap(part: str) -> Iterator[str]:
    """Yield the scopes in `transpose(jvp(block/conv))`."""
    if wrapped := _WRAPPED.fullmatch(part):
        for inner in _split(wrapped[2]):
            yield from _unwrap(inner)
    else:
        yield part


def _join_numbers(parts: Iterator[str] | list[str]) -> Path:
    """Return scopes in which a number is a part of the one before: `features.0`."""
    path: list[str] = []
    for part in parts:
        if path and part.isdecimal():
            path[-1] += f".{part}"
        else:
            path.append(part)
    return tuple(path)
