"""From a draft to a case: arguments drawn or given, results by hand or by the oracle, wrong answers, text."""

from __future__ import annotations

import random
import textwrap
import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import ml_dtypes  # noqa: F401  (names bfloat16 for NumPy)
import numpy as np

from cases.exact.evaluate import evaluate as exactly
from cases.mistakes import INITS, MISTAKES
from cases.programs import Spec, program
from interp.permitted.permits import permits
from interp.reading.load import load
from interp.suite.cases import same
from spec import schedule
from spec.constant_text import dense_text
from spec.errors import InterpError
from spec.evaluate import evaluate
from spec.index import Tensor
from spec.ir import Dense, Module
from spec.numbers import round_to
from spec.schedule import BALANCED, LEFT, Schedule
from spec.types import QuantizedType, TensorType, complex_part

Stored = tuple[tuple[Any, ...], ...]  # the elements of each argument or result, row-major
SCHEDULES = (BALANCED, *map(schedule.random, range(12)))
SEEDS = 400
REASON = "exact arithmetic in tools/cases/exact, and the oracle in spec/"
# Mistakes of StableHLO's passes that many cases show; where one does not, nothing is lost.
COMMON = (
    "stored integers not converted to the body's type, as StableHLO's passes",
    "unsigned storage read as signed, as StableHLO's passes",
    "accumulated in integers, which wrap at 32 bits, as StableHLO's passes",
)
NO_PADDING = "padding left out, as XLA"
NARROW = "accumulated in the inputs' type"


class Draft(NamedTuple):
    """A case to be written.

    `spec` describes a reduction, or is the program's text. `given` are the arguments, `expect` the results by
    hand, `worked` how they come about. `mistakes` are names of `MISTAKES`; `variants` are other programs for
    wrong implementations (the description, a function of the program's text); `wrong` are wrong answers by
    hand.
    """

    name: str
    clause: str
    why: str
    spec: Spec | str
    given: Sequence[Any] = ()
    expect: Sequence[Any] = ()
    worked: str = ""
    mistakes: Sequence[str] = ()
    variants: Sequence[tuple[str, Callable[[str], str]]] = ()
    wrong: Sequence[tuple[str, Sequence[Any]]] = ()
    draw: str = "any"
    init: Sequence[Any] = ()
    mode: str = ""
    dialect: str = "stablehlo"


class Case(NamedTuple):
    """The parts of a case's file."""

    args: Stored
    expect: Stored
    permitted: dict[str, Stored]
    wrong: dict[str, Stored]


@lru_cache(maxsize=4096)
def module(text: str, dialect: str) -> Module:
    return load(text, dialect=dialect)


def run(text: str, args: Stored, order: Schedule = LEFT, dialect: str = "stablehlo") -> Stored:
    """The oracle's results."""
    m = module(text, dialect)
    tensors = [Tensor(v.type, x) for v, x in zip(m.main.inputs, args, strict=True)]
    return tuple(x.elements for x in evaluate(m, tensors, order))


def flat(value: Any, type: TensorType) -> tuple[Any, ...]:
    """Nested lists of numbers as elements of a type."""
    if type.size == 0:
        return ()
    x = np.array(value, object)
    elements = (x if x.shape == type.shape else np.broadcast_to(x, type.shape)).ravel().tolist()
    storage = type.storage_type
    part = complex_part(storage) if storage.kind == "complex" else storage
    rounded = lambda v: round_to(float(v), part)
    as_pair = lambda v: complex(rounded(complex(v).real), rounded(complex(v).imag))
    numbers = {"float": rounded, "boolean": bool, "complex": as_pair}
    number = numbers.get(storage.kind, int)
    return tuple(map(number, elements))


def drawn(draft: Draft, m: Module, seed: int) -> Stored:
    rng = random.Random(zlib.crc32(draft.name.encode()) * 1000 + seed)
    kinds = {"any": (0.0, 1.0), "near": (0.44, 0.56), "low": (0.0, 0.25), "high": (0.75, 1.0)}
    args = []
    init = iter(draft.init)
    for value in m.main.inputs:
        if value.type.rank == 0 and draft.init:
            args.append(flat(next(init), value.type))
        elif value.type.rank == 0:
            args.append((neutral(value.type),))
        else:
            args.append(
                tuple(
                    element(rng, value.type, *kinds.get(draft.draw, (0, 0)), draft.draw)
                    for _ in range(value.type.size)
                )
            )
    return tuple(args)


def neutral(type: TensorType) -> Any:
    """The real number zero."""
    return type.element_type.zero_point if isinstance(type.element_type, QuantizedType) else flat(0, type)[0]


def element(rng: random.Random, type: TensorType, low: float, high: float, how: str) -> Any:
    storage, E = type.storage_type, type.element_type
    if storage.kind == "boolean":
        return rng.random() < 0.5
    if storage.kind == "float":
        scale = {"big": 3000.0, "near": 1.0}.get(how, 10.0)
        return round_to(rng.uniform(-scale, scale), storage)
    least, most = (
        (E.storage_min, E.storage_max)
        if isinstance(E, QuantizedType)
        else (storage.min_value, storage.max_value)
    )
    if how == "ends":
        low, high = rng.choice([(0.0, 0.12), (0.88, 1.0)])
    if how == "small":
        centre = neutral(type)
        return min(max(centre + rng.randint(-6, 6), least), most)
    if how.startswith("up to "):
        span = int(how.removeprefix("up to "))
        return min(max(neutral(type) + rng.randint(-span, span), least), most)
    return rng.randint(least + round(low * (most - least)), least + round(high * (most - least)))


def wrong_answers(draft: Draft, text: str, args: Stored) -> dict[str, Stored]:
    answers = {}
    if NARROW in draft.mistakes and isinstance(
        draft.spec, Spec
    ):  # its results are numbers of the wider type, too
        answers[NARROW] = run(program(draft.spec._replace(bodies=draft.spec.inputs)), args)
    for name in draft.mistakes:
        if name == NARROW:
            continue
        with MISTAKES[name]():
            answers[name] = run(text, args, dialect=draft.dialect)
    for name, change in draft.variants:
        answers[name] = run(change(text), args, dialect=draft.dialect)
    types = module(text, draft.dialect).main.results
    for name, values in draft.wrong:
        answers[name] = tuple(flat(v, t) for v, t in zip(values, types, strict=True))
    return answers


def key(results: Stored) -> str:
    return repr(results)


def attempt(draft: Draft, text: str, args: Stored) -> Case | None:
    """The case with these arguments; None where a mistake gives what some schedule gives, too."""
    expect = run(text, args, dialect=draft.dialect)
    wrong = wrong_answers(draft, text, args)
    mistaken = set(map(key, wrong.values()))
    if key(expect) in mistaken:
        return None
    orders = {repr(s): run(text, args, s, draft.dialect) for s in SCHEDULES}
    for name, change in INITS.items():
        with change():
            orders[name] = run(text, args, dialect=draft.dialect)
    known = {key(expect), *map(key, orders.values())}
    if mistaken & known or any(is_permitted(draft, text, args, results) for results in wrong.values()):
        return None
    permitted = {name: orders[name] for name in ("balanced", *INITS) if key(orders[name]) != key(expect)}
    return Case(args, expect, permitted, wrong | common(draft, text, args, known))


def is_permitted(draft: Draft, text: str, args: Stored, results: Stored) -> bool:
    """Whether some schedule, with any number of init values, gives each element: then it is no mistake."""
    m = module(text, draft.dialect)
    inputs = [v.type for v in m.main.inputs]
    given, taken = (
        [array(x, t) for x, t in zip(values, types, strict=True)]
        for values, types in ((args, inputs), (results, m.main.results))
    )
    if any(x.size == 0 for x in taken):
        return False
    with np.errstate(all="ignore"):
        return permits(m, given, taken, limit=20_000).ok


def array(elements: tuple[Any, ...], type: TensorType) -> np.ndarray:
    dtype = np.dtype(type.storage_type.numpy)
    wide = np.float64 if type.storage_type.kind == "float" else dtype
    return np.array(elements, wide).astype(dtype).reshape(type.shape)


def common(draft: Draft, text: str, args: Stored, known: set[str]) -> dict[str, Stored]:
    """The common mistakes that show here."""
    spec = draft.spec
    if isinstance(spec, str):
        return {}
    is_sum = spec.combine == "add" and ":" in spec.bodies[0] and len(spec.bodies) == 1
    found = {}
    for name in (*(COMMON if is_sum else ()), *([NO_PADDING] if spec.op == "reduce_window" else [])):
        with MISTAKES[name]():
            results = run(text, args, dialect=draft.dialect)
        if key(results) not in known and not is_permitted(draft, text, args, results):
            found[name] = results
    return found


def case(draft: Draft) -> Case:
    """Arguments as given, or the first draw that tells all mistakes apart, from each other if it can be."""
    text = program(draft.spec)
    m = module(text, draft.dialect)
    if draft.given:
        args = tuple(flat(x, v.type) for x, v in zip(draft.given, m.main.inputs, strict=True))
        found = attempt(draft, text, args)
        assert found, f"{draft.name}: a mistake gives what some schedule gives"
        by_hand = tuple(flat(x, t) for x, t in zip(draft.expect, m.main.results, strict=True))
        assert key(by_hand) == key(found.expect), f"{draft.name}: by hand {by_hand}, oracle {found.expect}"
        return found
    best = None
    for seed in range(SEEDS):
        found = attempt(draft, text, drawn(draft, m, seed))
        if found and (not best or spread(found) > spread(best)):
            best = found
        if best and (spread(best) >= len(draft.mistakes) or seed > 20):
            return best
    assert best, f"{draft.name}: no draw tells {', '.join(draft.mistakes)} apart"
    return best


def spread(found: Case) -> int:
    return len(set(map(key, found.wrong.values())))


def dense(elements: tuple[Any, ...], type: TensorType) -> str:
    storage = type.storage_type
    data = array(elements, TensorType((len(elements),), storage))
    splat = len(elements) > 16 and len(set(map(repr, elements))) == 1
    return dense_text(Dense(TensorType(type.shape, storage), (data[:1] if splat else data).tobytes(), splat))


def written(draft: Draft) -> str:
    """The text of the case's file."""
    try:
        found = case(draft)
    except InterpError as error:
        raise AssertionError(f"{draft.name}: {error}\n{program(draft.spec)}") from error
    text = program(draft.spec)
    main = module(text, draft.dialect).main
    inputs = [v.type for v in main.inputs]
    again = exactly(module(text, draft.dialect), list(map(array, found.args, inputs)))
    assert all(map(same, map(array, found.expect, main.results), again)), f"{draft.name}: exactly {again}"

    def joined(values: Stored) -> str:
        return "; ".join(map(dense, values, main.results))

    derivation = (
        f"by hand: {draft.worked}" if draft.worked else f"{REASON}; arguments drawn so that mistakes show"
    )
    head = [f"clause: {draft.clause}"]
    head += textwrap.wrap(draft.why, 106)
    head += textwrap.wrap(f"derivation: {derivation}", 106)
    head += [f"mode: {draft.mode}"] if draft.mode else []
    head += [f"dialect: {draft.dialect}"] if draft.dialect != "stablehlo" else []
    head += [f"args: {dense(x, t)}" for x, t in zip(found.args, inputs, strict=True)]
    head += [f"expect: {dense(x, t)}" for x, t in zip(found.expect, main.results, strict=True)]
    for word, answers in (("permitted", found.permitted), ("wrong", found.wrong)):
        names: dict[str, list[str]] = {}
        for name, values in answers.items():
            names.setdefault(joined(values), []).append(name)
        head += [f"{word} ({'; '.join(same)}): {values}" for values, same in names.items()]
    return "".join(f"// {line}\n" for line in head) + text
