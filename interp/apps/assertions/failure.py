"""The text of an assertion that fails: the verdict, the worst element, the cause, and how to reproduce it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shlex import join
from typing import Any

import numpy as np

from interp.apps.assertions.judge import Judged, Near, beside_float
from interp.apps.assertions.options import Options
from interp.apps.diagnosing.diagnose import diagnose
from interp.comparison.comparison import Comparison, distance
from interp.engine.inputs import write_arrays, write_program
from interp.engine.tensor import Tensor
from interp.questions.permitted.element_verdicts import NOT_PERMITTED, NOT_TOGETHER, UNKNOWN
from interp.questions.permitted.permits import Element, Permits
from spec.errors import InterpError
from spec.readings import in_reading

ALL_UNKNOWN = "nothing is proved of any element, and a test that cannot fail is none"
CLOSE_HINT = "assert_close_to_float asks for less: that they are within the bound of their roundings"
PASS_HINT = 'unknown="pass" accepts these'
SAVE_HINT = 'save="folder" writes the program and its arrays; the pytest plugin does it by itself'
SHORT = 2000  # characters of a reproduction that is printed; a longer one is written to files
DIAGNOSED = ("function", "mode", "schedule", "reading", "accumulator", "recipe")
FLAGS = ("function", "mode", "schedule", "reading", "accumulator", "recipe", "inits")


def permitted_failure(found: Judged[Permits], options: Options) -> str:
    """Return why an assertion fails; nothing if it holds."""
    answer, counts = found.answer, found.answer.counts
    proved = counts.total() - counts[UNKNOWN]
    if answer.ok or (not answer.is_refuted and options.passes_unknown and proved):
        return ""
    return "\n".join(_permitted_lines(found, options))


def _permitted_lines(found: Judged[Permits], options: Options) -> Iterator[str]:
    answer, counts = found.answer, found.answer.counts
    reading, size = in_reading(answer.reading), f"{counts.total():,}"
    refuted = counts[NOT_PERMITTED] + counts[NOT_TOGETHER]
    if refuted:
        yield f"not permitted: {refuted:,} of {size} elements are given by no schedule{reading}"
    else:
        yield f"unknown: of {counts[UNKNOWN]:,} of {size} elements nothing is proved{reading}"
    if not refuted:
        proved = counts.total() > counts[UNKNOWN]
        yield PASS_HINT if proved else f"{ALL_UNKNOWN}; {CLOSE_HINT}"
    worst = _worst_element(found, (NOT_PERMITTED, NOT_TOGETHER) if refuted else (UNKNOWN,))
    if worst:
        yield f"worst: {_numbers(found, worst)}"
        yield f"bound: {worst.reason}"
    elif answer.partial:
        yield f"bound: {answer.shortfall}"
    yield from _cause(found, options)
    yield from _reproduction(found, options, worst.reproduction if worst else "", "permits")


def _worst_element(found: Judged[Permits], kinds: Sequence[str]) -> Element | None:
    """Return the element that is furthest from what `left` gives, of those with such a verdict."""
    elements = [each for each in found.answer.elements if each.kind in kinds]
    return max(elements, key=lambda each: _apart(found, each), default=None)


def _apart(found: Judged[Permits], element: Element) -> float:
    one = lambda x: _real(found, element.result, element.index, x)
    return float(distance(one(element.given), one(element.left)).max(initial=0))


def _real(found: Judged[Any], result: int, index: tuple[int, ...], stored: Any) -> np.ndarray:
    """Return the number that a stored element of a result stands for."""
    type = found.func.results[result]
    x = np.full(type.shape, stored) if type.shape else np.asarray(stored)
    return np.asarray(Tensor(type, x).dequantize()[index])


def _numbers(found: Judged[Permits], each: Element) -> str:
    place = f"result {each.result}{list(each.index) if each.index else ''}"
    both = [_number(found, each, x) for x in (each.given, each.left)]
    return f"{place}: got {both[0]}, schedule left gives {both[1]}"


def _number(found: Judged[Permits], each: Element, stored: Any) -> str:
    type = found.func.results[each.result]
    if not type.is_quantized:
        return str(stored)
    return f"{stored} ({float(_real(found, each.result, each.index, stored)):.6g})"


def float_failure(found: Judged[Comparison], options: Options) -> str:
    """Return why an assertion fails; nothing if it holds."""
    results = beside_float(found)
    beyond, saturated, unbounded = (
        sum(int(np.count_nonzero(getattr(each, name))) for each in results)
        for name in ("beyond", "saturation", "gap")
    )
    size = sum(each.error.size for each in results)
    unknown = saturated + unbounded
    if not beyond and (not unknown or (options.passes_unknown and unknown < size)):
        return ""
    return "\n".join(_float_lines(found, options, results, (beyond, saturated, unbounded, size)))


def _float_lines(
    found: Judged[Comparison], options: Options, results: Sequence[Near], counts: tuple[int, int, int, int]
) -> Iterator[str]:
    beyond, saturated, unbounded, size = counts
    if beyond:
        yield f"too far from float: {beyond:,} of {size:,} elements are beyond the bound of their roundings"
    else:
        parts = [(saturated, "saturate"), (unbounded, "come of operations that no rule bounds")]
        why = " and ".join(f"{n:,} {what}" for n, what in parts if n)
        yield f"unknown: {saturated + unbounded:,} of {size:,} elements have no bound: {why}"
        yield PASS_HINT if saturated + unbounded < size else ALL_UNKNOWN
    yield f"worst: {_worst_near(results, bool(beyond))}"
    yield from (f"note: {line}" for line in found.answer.note.splitlines())
    yield f"compared: {found.answer.title}"
    if found.given is not None:
        yield from _cause(found, options)
    yield from _reproduction(found, options, "", "compare" if found.given is None else "diagnose")


def _worst_near(results: Sequence[Near], beyond: bool) -> str:
    """Return the element that is furthest beyond its bound, or of those without a bound furthest away."""
    best, text = -np.inf, ""
    for k, each in enumerate(results):
        chosen = each.beyond if beyond else each.saturation | each.gap
        excess = np.where(chosen, each.error - np.where(np.isfinite(each.bound), each.bound, 0), -np.inf)
        if excess.size and excess.max() > best:
            best = excess.max()
            at = np.unravel_index(int(excess.argmax()), excess.shape)
            place = f"result {k}{list(map(int, at)) if at else ''}"
            bound = f"bound {each.bound[at]:.6g}" if beyond else "no bound"
            text = f"{place}: got {each.got[at]:.6g}, float {each.reference[at]:.6g}"
            text += f"; error {each.error[at]:.6g}, {bound}"
    return text


def _cause(found: Judged[Any], options: Options) -> Iterator[str]:
    """Yield the diagnosis of wrong results, if one is asked for and can be made."""
    assert found.given is not None
    if not options.diagnose:
        return
    ways: dict[str, Any] = {name: options.verb[name] for name in DIAGNOSED if name in options.verb}
    try:
        cause = diagnose(found.module, found.args, found.given, **ways, seconds=options.diagnose)
    except InterpError as error:
        yield f"diagnose: {error.verdict}"
        return
    first, *rest = repr(cause).splitlines()[1:]
    yield f"diagnose: {first}"
    yield from (f"  {line}" for line in rest)


def _reproduction(found: Judged[Any], options: Options, code: str, verb: str) -> Iterator[str]:
    """Yield how to reproduce a failure: code if it is short, else a command on files, where these may be."""
    if code and len(code) <= SHORT:
        yield "reproduce: import interp, numpy as np"
        yield from (f"  {line}" for line in code.splitlines())
    elif options.folder is None:
        yield f"reproduce: {SAVE_HINT}"
    else:
        yield f"reproduce: {_command(found, options.verb, options.folder, verb)}"


def _command(found: Judged[Any], ways: Mapping[str, Any], folder: Path, verb: str) -> str:
    """Write the program, its arguments and results, and return a command that asks the same question."""
    args = [np.asarray(x) for x in found.args]
    files = [str(path) for path in write_program(found.module, args, folder, "program")]
    flags = [text for name in FLAGS if name in ways for text in _flag(name, ways[name])]
    if ways.get("only"):
        named = ways.get("schedules", ("left",))
        flags += ["--only", *(map(str, named) if isinstance(named, tuple | list) else [str(named)])]
    if found.given is not None:
        flags += ["--results", *map(str, write_arrays(found.given, folder, "got"))]
    return join(["interp", verb, *files, *flags])


def _flag(name: str, value: Any) -> Iterator[str]:
    """Yield an option of the command line; each of several accumulators has its own."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from (f"--{name}", f"{key}={one}")
    elif value is not None:
        yield from (f"--{name}", str(value))
