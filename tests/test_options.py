"""Arguments of the verbs: an object of another kind is `Malformed`, in whatever place it is given."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.loading.load import READABLE
from spec.errors import one_of, several, whole

PROGRAM = Path(__file__).resolve().parent.parent / "testdata/programs/saturating_sum.mlir"
M = interp.load(PROGRAM)
X = np.load(PROGRAM.with_suffix(".npz"))["arg0"]
T = interp.trace(M, X)
TYPE = M.main.inputs[0].type

NOTHING = [3, None, -1, 2.5, float("nan"), "nonsense", b"x", [1], (1,), {"a": 1}, np.zeros((2, 2)), object()]
NOTHING += [len, interp.Listener]  # a class where an instance is wanted

CALLS: dict[str, Callable[[Any], Any]] = {
    "load": interp.load,
    "dialect": lambda x: interp.load(PROGRAM, dialect=x),
    **{
        f"{verb} {option}": lambda x, verb=verb, option=option: getattr(interp, verb)(M, X, **{option: x})
        for verb, options in {
            "run": ["schedule", "function", "mode", "listeners", "fail_on", "contractions"],
            "trace": ["schedule", "function", "kinds", "keep", "break_on", "listeners"],
            "compare": ["schedule", "function", "mode", "listeners"],
            "plan": ["schedule", "function", "mode"],
        }.items()
        for option in options
    },
    **{
        f"{verb} {option}": lambda x, verb=verb, option=option: getattr(interp, verb)(M, **{option: x})
        for verb in ("compile", "lower")
        for option in ("schedule", "function", "mode", "contractions")
    },
    **{
        f"{verb} module": lambda x, verb=verb: getattr(interp, verb)(x)
        for verb in ("verify", "lint", "run", "trace", "compare", "compile", "lower", "plan", "step")
    },
    **{
        f"permits {option}": lambda x, option=option: interp.permits(M, [X], T.results, **{option: x})
        for option in ("function", "mode", "schedules", "inits", "limit", "most")
    },
    "against": lambda x: interp.compare(M, X, against=None if callable(x) else x),
    "permits module": lambda x: interp.permits(x, [X], T.results),
    "permits args": lambda x: interp.permits(M, x, T.results),
    "permits results": lambda x: interp.permits(M, [X], x),
    "verify mode": lambda x: interp.verify(M, mode=x),
    "to_storage": lambda x: interp.to_storage([1.0], x),
    "with_accumulator module": lambda x: interp.with_accumulator(x, "%sum", "i32"),
    "with_accumulator name": lambda x: interp.with_accumulator(M, x, "i32"),
    "with_accumulator type": lambda x: interp.with_accumulator(M, "%sum", x),
    "with_accumulator function": lambda x: interp.with_accumulator(M, "%sum", TYPE, x),
    **{
        f"{question} op": lambda x, question=question: getattr(T, question)(x)
        for question in ("explain", "verdict", "bounds", "matrix", "shrink", "reduction")
    },
    "explain index": lambda x: T.explain("%sum", x),
    "explain k": lambda x: T.explain("%sum", (0,), x),
    "matrix types": lambda x: T.matrix("%sum", x),
    "matrix schedules": lambda x: T.matrix("%sum", None, x),
    "shrink kind": lambda x: T.shrink("%sum", x),
    "table": T.table,
    "budget": T.budget,
    "budget work": lambda x: T.budget(work=x),
    "has": T.has,
    "report": lambda x: T.report(x) if not isinstance(x, str) else None,
    "until": lambda x: interp.step(M, X).until(x),
    "Schedule": interp.schedules.Schedule,
    "tree": interp.schedules.tree,
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_an_object_of_another_kind_is_malformed(call: Callable[[Any], Any]) -> None:
    """Some are fine in some places, such as None for a name; no other error is."""
    refused = 0
    for given in NOTHING:
        try:
            call(given)
        except interp.InterpError as error:
            refused += bool(error.evidence)
    assert refused >= 8


@pytest.mark.parametrize(
    ("call", "verdict", "evidence"),
    [
        (
            lambda: one_of(("left", "straight"), "right", "way"),
            "'right' is not a way",
            "known: left, straight",
        ),
        (lambda: one_of(("left", "straight"), ["left"], "way"), "list is not a way", "known: left, straight"),
        (
            lambda: whole(float("nan"), "limit"),
            "nan is not a valid limit",
            "expected a whole number, 0 or more",
        ),
        (lambda: whole(True, "limit"), "True is not a valid limit", "expected a whole number, 0 or more"),
        (lambda: several(3, "kinds"), "3 is not a sequence of kinds", "expected a list or a tuple"),
        (lambda: interp.load(np.zeros((2, 2))), "expected a program, got ndarray", READABLE),
        (
            lambda: interp.run(M, X, listeners=[interp.Listener]),  # type: ignore[list-item]
            "type is not a listener",
            "expected an instance of interp.Listener",
        ),
        (
            lambda: interp.compare(M, X, against=3),  # type: ignore[arg-type]
            "3 is neither a function nor a program",
            "expected as against= your JAX function of the float arguments, or anything that load takes",
        ),
    ],
)
def test_what_is_told(call: Callable[[], Any], verdict: str, evidence: str) -> None:
    with pytest.raises(interp.Malformed) as found:
        call()
    assert str(found.value) == f"{verdict}\n  {evidence}"


def test_what_is_fine() -> None:
    assert one_of({"a": 1}, "a", "letter") == "a"
    assert [whole(x, "limit") for x in (0, np.int8(7))] == [0, 7]
    assert several("ab", "words") == ("ab",)
    assert several(iter([1, 2]), "numbers") == (1, 2)
    assert interp.run(M, X, listeners=interp.Listener()) == T.results
    assert interp.permits(M, [X], T.results, schedules="left").ok


@pytest.mark.parametrize("type", [TYPE, TYPE.element_type, repr(TYPE), repr(TYPE.element_type)], ids=repr)
def test_a_type_is_given_as_it_is_or_as_text(type: Any) -> None:
    x = [0.0, 1.0, 1000.0]
    assert np.array_equal(interp.to_storage(x, type), interp.to_storage(x, TYPE))
    assert interp.to_storage(x, type).dtype == np.int8
    expected = interp.with_accumulator(M, "%sum", TYPE.element_type)
    assert interp.with_accumulator(M, "%sum", type) == expected


def test_limits_and_numbers_of_elements() -> None:
    for options in ({"limit": -3}, {"limit": float("nan")}, {"most": -1}, {"most": 2.0}):
        with pytest.raises(interp.Malformed, match="expected a whole number, 0 or more"):
            interp.permits(M, [X], T.results, **options)  # type: ignore[arg-type]


def test_a_trace_is_pickled_and_what_has_its_leaves_is_not() -> None:
    trace = interp.trace(M, X, schedule="balanced", break_on="wrap")
    explanation = trace.explain("%sum", (0,))
    again = pickle.loads(pickle.dumps(trace))
    assert repr(again) == repr(trace)
    assert again.results == trace.results
    assert repr(again.explain("%sum", (0,))) == repr(explanation)
    assert repr(again.verdict()) == repr(trace.verdict())
    with pytest.raises(TypeError, match="pickle the trace"):
        pickle.dumps(explanation)
