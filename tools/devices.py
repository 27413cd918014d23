#!/usr/bin/env python3
"""Made-up devices that `interp.reveal` must state or refuse: `tools/devices.py [--number 200] [--jobs 1]`.

Each device of the family adds along an accumulation; each of those beyond it does something that is none.
What is stated is compared with the device on fresh inputs: a difference is a false statement. `--seeds 20`
counts the probes of each tree instead, with so many seeds, as multiples of n log2 n: more than 2 is a fault.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import interp
from interp.apps.revealing.counting import calibrate
from interp.apps.revealing.device import Device as Asked
from interp.apps.revealing.execution import NUMBER, draw, rerun
from interp.apps.revealing.reveal import reveal
from interp.apps.revealing.site import Site, site_of
from interp.apps.revealing.tree import recover
from interp.backends.dtypes import numpy_dtype
from spec.accumulation import Accumulation
from spec.patterns import Level
from spec.trees import PLAIN, Arithmetic, Node, Tree, canonical
from tests.library.devices.float_sums import kahan, left, neumaier

ROWS, COLUMNS = 8, 2
REDUCE = """func.func @main(%x: tensor<{m}x{n}x{t}>) -> tensor<{m}x{t}> {{
  %c = stablehlo.constant dense<0> : tensor<{t}>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1]
    : (tensor<{m}x{n}x{t}>, tensor<{t}>) -> tensor<{m}x{t}>
  return %0 : tensor<{m}x{t}>
}}"""
DOT = """func.func @main(%x: tensor<{m}x{n}x{t}>, %y: tensor<{n}x{k}x{t}>) -> tensor<{m}x{k}x{r}> {{
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<{m}x{n}x{t}>, tensor<{n}x{k}x{t}>) -> tensor<{m}x{k}x{r}>
  return %0 : tensor<{m}x{k}x{r}>
}}"""
PATTERNS = (
    *("left", "right", "balanced", "halves", "strided", "pairwise", "windows(8)", "blocks(16)", "lanes(4)"),
    *("vector(8: left; balanced)", "blocks(32: balanced; right)", "lanes(8: left; balanced; tail after)"),
)

FUSED_PRODUCTS = (
    *("left fma", "right fma", "lanes(8: left fma; balanced)", "vector(4: left fma; balanced)"),
)


def program(n: int, type: str, result: str = "") -> Any:
    """Return the program of a sum, or of a contraction with results of a type."""
    if not result:
        zero = "0" if type.startswith(("i", "u")) else "0.0"
        return interp.load(REDUCE.format(m=ROWS, n=n, t=type).replace("<0>", f"<{zero}>"))
    return interp.load(DOT.format(m=ROWS, n=n, k=COLUMNS, t=type, r=result))


class Device(NamedTuple):
    """A device: its kind, its program, what it does, and its accumulation, None if it has none."""

    kind: str
    module: Any
    function: Callable[..., Any]
    accumulation: Accumulation | None


def adding(site: Site, accumulation: Accumulation) -> Callable[..., Any]:
    """Return a function that adds along an accumulation."""

    def function(*args: np.ndarray) -> np.ndarray:
        sides = []
        for side in site.sides:
            x = args[side.argument].reshape(-1)[side.places]
            sides.append(x.astype(np.int64 if side.type.is_integer else np.float64))
        sums = rerun(site, accumulation, *sides)
        (type,) = site.func.results
        return sums.astype(numpy_dtype(type.storage_type)).reshape(type.shape)

    return function


def random_tree(n: int, rng: np.random.Generator, kind: str, arithmetic: Arithmetic = PLAIN) -> Tree:
    """Return a tree of a kind over permuted leaves."""
    nodes, parts = list[Node](), list(map(int, rng.permutation(n)))

    def join(*children: int) -> int:
        nodes.append(Node(children, arithmetic))
        return n + len(nodes) - 1

    if kind == "comb":
        total = parts[0]
        for leaf in parts[1:]:
            total = join(total, leaf)
    elif kind == "comb of combs":
        size, sums = max(2, int(n**0.5)), []
        for start in range(0, n, size):
            total = parts[start]
            for leaf in parts[start + 1 : start + size]:
                total = join(total, leaf)
            sums.append(total)
        while len(sums) > 1:
            sums = [join(sums[0], sums[1]), *sums[2:]]
    elif kind == "zigzag":
        low, high = 0, n - 1
        total, low = 0, 1
        while low <= high:
            total = join(total, high if (n - high) % 2 else low)
            low, high = (low, high - 1) if (n - high) % 2 else (low + 1, high)
    else:
        while len(parts) > 1:
            most = min(len(parts), 4 if kind == "k-ary" else 2)
            several = int(rng.integers(2, most + 1))
            chosen = sorted(rng.choice(len(parts), several, replace=False).tolist(), reverse=True)
            parts.append(join(*(parts.pop(k) for k in chosen)))
    return canonical(n, nodes, n + len(nodes) - 1)


def family(number: int, seed: int) -> Iterator[Device]:
    """Yield devices that add along accumulations, of every kind in turn."""
    rng, kinds = np.random.default_rng(seed), list(KINDS)
    for k in range(number):
        kind = kinds[k % len(kinds)]
        n = int(rng.choice([5, 16, 31, 64, 100]))
        text, types = KINDS[kind](n, rng)
        module = program(n, *types)
        accumulation = text if isinstance(text, Accumulation) else Accumulation.parse(text)
        yield Device(kind, module, adding(site_of(module, None), accumulation), accumulation)


Made = tuple[str | Accumulation, tuple[str, ...]]


def _tree(shape: str) -> Callable[[int, np.random.Generator], Made]:
    def make(n: int, rng: np.random.Generator) -> Made:
        type = str(rng.choice(["f32", "f32", "f64", "f16", "bf16"]))
        return Accumulation(Level("tree", tree=random_tree(n, rng, shape)), start="without init"), (type,)

    return make


def _fused_tree(n: int, rng: np.random.Generator) -> Made:
    arithmetic = Arithmetic("fused", bits=int(rng.integers(12, 27)), rounding="toward zero", type="f32")
    return Accumulation(Level("tree", tree=random_tree(n, rng, "k-ary", arithmetic)), start="without init"), (
        "f16",
        "f32",
    )


def _choose(*texts: tuple[str, tuple[str, ...]]) -> Callable[[int, np.random.Generator], Made]:
    return lambda n, rng: texts[int(rng.integers(len(texts)))]


KINDS: dict[str, Callable[[int, np.random.Generator], Made]] = {
    "comb": _tree("comb"),
    "zigzag": _tree("zigzag"),
    "comb of combs": _tree("comb of combs"),
    "random tree": _tree("random"),
    "pattern": lambda n, rng: (str(rng.choice(PATTERNS)), (str(rng.choice(["f32", "f64", "f16"])),)),
    "without init": lambda n, rng: (f"{rng.choice(PATTERNS)} without init", ("f32",)),
    "narrow sum in a wide type": lambda n, rng: (
        f"{rng.choice(PATTERNS)} in f32",
        (str(rng.choice(["bf16", "f16"])),),
    ),
    "fma": lambda n, rng: (str(rng.choice(FUSED_PRODUCTS)), ("f32", "f32")),
    "wide sum of products": _choose(
        ("left in f64 products in f32", ("f32", "f32")),
        ("left in f64", ("f32", "f32")),
        ("lanes(4) in f64", ("f32", "f32")),
        ("left", ("bf16", "f32")),
    ),
    "fused chain": lambda n, rng: (
        f"left({rng.choice([4, 8, 16])}) fused({rng.integers(12, 26)}) in f32 toward zero",
        (str(rng.choice(["f16", "bf16"])), "f32"),
    ),
    "fused tree": _fused_tree,
    "promotion": _choose(
        ("blocks(32: left(8) fused(13) in f32 cut 13; left in f32)", ("bf16", "f32")),
        ("blocks(16: left in bf16; left in f32)", ("f32",)),
        ("blocks(16: left in f16; left in f32)", ("f32",)),
        ("blocks(8: left; left in f64)", ("f32",)),
        ("blocks(32: left(8) fused(13) in f32 cut 13 toward zero; left in f32)", ("f8E4M3FN", "f32")),
    ),
    "exact": _choose(
        *(
            ("star exact", ("f32",)),
            ("star exact", ("f16", "f32")),
            ("blocks(8: star exact; left)", ("f32",)),
        ),
        ("blocks(8: left; star exact)", ("f32",)),
    ),
    "rounded inputs": _choose(
        ("left(8) fused(24) toward zero inputs in tf32 toward zero", ("f32", "f32")),
        ("left fma inputs in tf32", ("f32", "f32")),
        ("left fma", ("f64", "f64")),
    ),
    "toward zero": lambda n, rng: (f"{rng.choice(PATTERNS[:6])} toward zero", ("f32",)),
    "flush": _choose(
        ("windows(8) flush inputs flush", ("f32",)),
        ("left flush", ("f32",)),
        ("left fma flush inputs flush", ("f32", "f32")),
        ("balanced inputs flush", ("f32",)),
    ),
    "integers": _choose(
        ("left saturate", ("i32",)),
        ("balanced saturate", ("i16",)),
        ("lanes(4: left saturate; balanced saturate)", ("i8",)),
        ("left", ("i16",)),
        ("left in i16 saturate", ("i8", "i32")),
        ("left in i20", ("i8", "i32")),
    ),
}

# Beyond the family.


def _by_data(x: np.ndarray) -> np.ndarray:
    return np.where(x[:, 0] > 0, left(x), left(x[:, ::-1]))


def _off(x: np.ndarray) -> np.ndarray:
    total = left(x)
    return np.where(np.abs(total) > 3, np.nextafter(total, np.float32(0)), total).astype(x.dtype)


class _Racing:
    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        return left(x[:, self.rng.permutation(x.shape[1])])


BEYOND: dict[str, Callable[[int], Callable[[np.ndarray], Any]]] = {
    "Kahan": lambda seed: kahan,
    "Neumaier": lambda seed: neumaier,
    "sorts": lambda seed: lambda x: left(np.sort(x, axis=1)),
    "sorts by size": lambda seed: lambda x: left(np.take_along_axis(x, np.argsort(np.abs(x), axis=1), 1)),
    "subtracts the mean": lambda seed: (
        lambda x: left(x - x.mean(axis=1, keepdims=True)) + x.mean(axis=1) * x.shape[1]
    ),
    "racing": _Racing,
    "order by data": lambda seed: _by_data,
    "one step off": lambda seed: _off,
    "skips zeros, pairs the others": lambda seed: (
        lambda x: np.array([r[r != 0].sum(dtype=x.dtype) for r in x])
    ),
    "positive first": lambda seed: lambda x: left(np.where(x > 0, x, 0)) + left(np.where(x > 0, 0, x)),
}


def beyond(number: int, seed: int) -> Iterator[Device]:
    """Yield devices that have no accumulation."""
    rng, names = np.random.default_rng(seed), list(BEYOND)
    for k in range(number):
        n = int(rng.choice([16, 33, 64, 100]))
        yield Device(names[k % len(names)], program(n, "f32"), BEYOND[names[k % len(names)]](k), None)


def is_true(device: Device, found: Accumulation, seed: int) -> bool:
    """Return whether a statement holds on fresh inputs."""
    site, rng = site_of(device.module, None), np.random.default_rng(seed)
    stated = adding(site, found)
    first = site.sides[0]
    kinds = NUMBER + (first.type.kind == "float")
    for k in range(20 * kinds):
        fixed = site.sides[1].type if len(site.sides) > 1 else None
        x, other = draw(k % kinds, ROWS, site.n, first.type, fixed, rng)
        args = [x] if other is None else [x, np.repeat(other[:, None], COLUMNS, axis=1)]
        a, b = np.asarray(stated(*args)), np.asarray(device.function(*args))
        if not ((a == b) | ((a != a) & (b != b))).all():
            return False
    return True


DEVICES = list[Device]()  # those of this run, for processes that are forked


def judge(k: int) -> tuple[str, str]:
    """Return the verdict about a device, and a line where it is not the one that is hoped for."""
    device, start = DEVICES[k], time.monotonic()
    found = reveal(device.module, device.function, seed=k)
    verdict = "refused"
    if found.accumulation is not None:
        verdict = "stated" if is_true(device, found.accumulation, k) else "FALSE"
    if verdict != "FALSE" and (verdict == "refused") == (device.accumulation is None):
        return verdict, ""
    asked, seconds = repr(device.accumulation)[:100], time.monotonic() - start
    where = f"{k} {device.kind} {asked} n={found.n} {found.declared}"
    return verdict, f"{where}: {verdict}: {found.statement[:400]} ({seconds:.1f} s)"


def count_probes(k: int, seeds: int) -> float:
    """Return the most probes of the tree of a device, of several seeds, as a multiple of n log2 n."""
    made, worst = DEVICES[k], 0.0
    site = site_of(made.module, None)
    for seed in range(seeds):
        device, rng = Asked(site, made.function), np.random.default_rng(seed)
        probing = calibrate(device, rng)
        if probing is None:
            continue
        before = device.probes
        recover(site.n, probing, rng)
        worst = max(worst, (device.probes - before) / (site.n * np.log2(site.n)))
    return worst


def print_probes(chosen: list[int], seeds: int) -> int:
    """Print the most probes of each kind of device; return the exit status."""
    worst = dict[str, float]()
    for k in chosen:
        if DEVICES[k].accumulation is not None:
            kind = DEVICES[k].kind
            worst[kind] = max(worst.get(kind, 0.0), count_probes(k, seeds))
            print(f"{k + 1} of {len(DEVICES)}", end="\r", file=sys.stderr, flush=True)
    for kind, ratio in sorted(worst.items()):
        print(f"{kind:30} {ratio:5.2f} n log2 n probes at most, of {seeds} seeds")
    return int(max(worst.values(), default=0.0) > 2)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--beyond", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=0, help="count the probes of trees with so many seeds")
    options = parser.parse_args()
    counts = Counter[tuple[str, str]]()
    DEVICES.extend([*family(options.number, options.seed), *beyond(options.beyond, options.seed)])
    chosen = [k for k, device in enumerate(DEVICES) if options.only in ("", device.kind)]
    if options.seeds:
        return print_probes(chosen, options.seeds)
    with multiprocessing.get_context("fork").Pool(options.jobs) as pool:
        for k, (verdict, line) in zip(chosen, pool.imap(judge, chosen), strict=True):
            counts[DEVICES[k].kind, verdict] += 1
            print(f"{k + 1} of {len(DEVICES)}", end="\r", file=sys.stderr, flush=True)
            if line:
                print(line, flush=True)
    false = sum(count for (_, verdict), count in counts.items() if verdict == "FALSE")
    for (kind, verdict), count in sorted(counts.items()):
        print(f"{kind:30} {verdict:8} {count:4}")
    print(f"false statements: {false}")
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main())
