"""How time grows with the work: operations of a program, its page, leaves of sums, samples and shards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from benchmarks.measure import Seconds, growth
from benchmarks.scaling import LINEAR

LIMIT = 120.0  # seconds that a call may take, by the one before
STEADY = 0.01  # seconds, below which what every call costs is most of it
TYPE, WEIGHT = "!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<i8:f32, 0.25>"
SHORT, ROUNDS = 1.0, 5  # seconds of a call that is measured so often
BATCH = 100  # samples
Calls = dict[str, Callable[[], Any]]


class Growth(NamedTuple):
    """Seconds of a call by the size of its work; sizes that take too long are missing."""

    call: str
    unit: str
    seconds: dict[int, float]

    @property
    def exponent(self) -> float | None:
        """Return the exponent of the size that the time follows; None if too few sizes take long enough."""
        steady = {size: seconds for size, seconds in self.seconds.items() if seconds >= STEADY}
        return growth(list(steady), list(steady.values())) if len(steady) > 1 else None

    @property
    def is_linear(self) -> bool:
        """Whether the time grows as the work, or is too short to tell."""
        return self.exponent is None or self.exponent <= LINEAR


class Series(NamedTuple):
    """Sizes of some work, and the calls to be measured for a size; the first ones prepare the others."""

    unit: str
    sizes: Sequence[int]
    calls: Callable[[int], Calls]

    def measured(self, quick: bool, say: Callable[[str], object]) -> list[Growth]:
        """Return the growth of every call, each called once before; short ones are measured several times.

        One is left out from the size on at which it would take too long.
        """
        found: dict[str, Growth] = {}
        for call in self.calls(self.sizes[0]).values():
            call()
        for size in self.sizes[:2] if quick else self.sizes:
            for name, call in self.calls(size).items():
                row = found.setdefault(name, Growth(name, self.unit, {}))
                if row.seconds and list(row.seconds.values())[-1] * 10 > LIMIT:
                    continue
                say(f"{name}: {size:,} {self.unit}")
                row.seconds[size] = least_seconds(call)
        return list(found.values())


def least_seconds(call: Callable[[], Any]) -> float:
    """Return the seconds of a call, or what it tells; the least of several if it is short: it may compile."""
    times: list[float] = []
    while not times or (len(times) < ROUNDS and times[0] < SHORT):
        start = perf_counter()
        told = call()
        times.append(perf_counter() - start)
        if isinstance(told, Seconds):
            return told
    return min(times)


def work_growths(names: Sequence[str], quick: bool, say: Callable[[str], object]) -> Iterator[list[Growth]]:
    """Yield the growth of the calls of each series."""
    for name in names:
        yield SERIES[name].measured(quick, say)


def program(operations: int) -> str:
    """Return a program of products, sums and transpositions of 4 x 4 numbers, one after the other."""
    tensor, weights = f"tensor<4x4x{TYPE}>", f"tensor<4x4x{WEIGHT}>"
    forms = (
        f"dot_general %LAST, %w, contracting_dims = [1] x [0] : ({tensor}, {weights}) -> {tensor}",
        f"add %LAST, %x : {tensor}",
        f"transpose %LAST, dims = [1, 0] : ({tensor}) -> {tensor}",
    )
    lines, last = [f"func.func @main(%x: {tensor}, %w: {weights}) -> {tensor} {{"], "%x"
    for k in range(operations):
        lines.append(f"  %v{k} = stablehlo.{forms[k % 3].replace('%LAST', last)}")
        last = f"%v{k}"
    return "\n".join([*lines, f"  return {last} : {tensor}", "}"])


def calls_on_a_program(operations: int) -> Calls:
    """Return what verbs do with a program of so many operations."""
    import interp

    text, args = program(operations), arguments()
    module = interp.load(text)
    interp.trace(module, *args)
    interp.run(module, *args)
    return {
        "load": lambda: interp.load(text),
        "verify": lambda: interp.verify(module),
        "plan": lambda: interp.plan(module),
        "run, first": lambda: interp.run(interp.load(text), *args),
        "run, again": lambda: interp.run(module, *args),
        "trace": lambda: interp.trace(module, *args),
        "prove": lambda: interp.prove(module, runs=0),
        "print": lambda: repr(module),
    }


def calls_on_leaves(leaves: int) -> Calls:
    """Return sums of so many leaves, 1,000 in each, and their sum in one."""
    import interp

    x = np.random.default_rng(0).integers(-121, 128, leaves, np.int8)  # 3 on average, which stands for 0
    few = min(leaves, 1000)
    many, one = (interp.load(sums(leaves // n, n)) for n in (few, leaves))
    lines, line = x.reshape(-1, few), x.reshape(1, -1)
    return {
        "run, 1,000 in a sum": lambda: interp.run(many, lines, np.int32(0)),
        "trace, 1,000 in a sum": lambda: interp.trace(many, lines, np.int32(0)),
        "run, one sum": lambda: interp.run(one, line, np.int32(0)),
    }


def sums(rows: int, leaves: int) -> str:
    """Return a program of sums of so many leaves in each of some rows, in 32 bits."""
    scalar, wide = (f"tensor<{shape}!quant.uniform<i32:f32, 0.5>>" for shape in ("", f"{rows}x"))
    return f"""func.func @main(%x: tensor<{rows}x{leaves}x{TYPE}>, %init: {scalar}) -> {wide} {{
      %0 = "stablehlo.reduce"(%x, %init) ({{
      ^bb0(%a: {scalar}, %b: {scalar}):
        %1 = stablehlo.add %a, %b : {scalar}
        stablehlo.return %1 : {scalar}
      }}) {{dimensions = array<i64: 1>}} : (tensor<{rows}x{leaves}x{TYPE}>, {scalar}) -> {wide}
      return %0 : {wide}
    }}"""


def calls_on_a_page(operations: int) -> Calls:
    """Return what is done with the page of a trace of a program of so many operations."""
    from benchmarks.pages import page_calls

    return page_calls(operations, program(operations), arguments())


def arguments() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.integers(-128, 127, (4, 4), np.int8) for _ in range(2)]


def survey_calls(samples: int) -> Calls:
    """Return a survey of so many samples of a layer of 16 x 16 weights."""
    import interp

    module = interp.load(layer())
    return {"survey": lambda: interp.survey(module, batches(samples))}


def merge_calls(shards: int) -> Calls:
    """Return a merge of so many shards of one batch each."""
    import interp

    module = interp.load(layer())
    data = list(batches(shards * BATCH))
    parts = [interp.survey(module, data, shard=(k, shards)) for k in range(shards)]
    return {"merge": lambda: interp.merge_surveys(parts)}


def layer() -> str:
    tensor, weights = f"tensor<{BATCH}x16x{TYPE}>", f"tensor<16x16x{WEIGHT}>"
    numbers = np.random.default_rng(0).integers(-128, 127, (16, 16)).tolist()
    return f"""func.func @main(%x: {tensor}) -> {tensor} {{
      %w = stablehlo.constant() <{{value = dense<{numbers}> : tensor<16x16xi8>}}> : () -> {weights}
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({tensor}, {weights}) -> {tensor}
      return %0 : {tensor}
    }}"""


def batches(samples: int) -> Iterator[tuple[np.ndarray]]:
    rng = np.random.default_rng(1)
    for _ in range(samples // BATCH):
        yield (rng.integers(-128, 127, (BATCH, 16), np.int8),)


SERIES = {
    "programs": Series("operations", (10, 100, 1000, 10**4, 10**5), calls_on_a_program),
    "leaves": Series("leaves", tuple(10**k for k in range(3, 10)), calls_on_leaves),
    "pages": Series("operations of a page", (10, 100, 1000, 10**4, 10**5), calls_on_a_page),
    "samples": Series("samples", (100, 1000, 10**4, 10**5), survey_calls),
    "shards": Series("shards", (1, 10, 100, 1000), merge_calls),
}
