"""Options that a program does not use: no verb says anything about an accumulator that it did not look at."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.command.status import status
from interp.engine.inputs import random_arguments
from interp.execute.unused import Note
from interp.questions.proving.prove import walk_forward

X, W = "!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<i8<-127:127>:f32, 0.25>"
SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "exports"
DOT = "contracting_dims = [1] x [0]"


def program(text: str, inputs: str, result: str) -> str:
    return f"func.func @main({inputs}) -> {result} {{\n{text}\n  return %p : {result}\n}}"


def add(type: str) -> str:
    """Return the region of a reduction that adds numbers of a type."""
    return f"""({{
  ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
    %c = "stablehlo.add"(%a, %b) : (tensor<{type}>, tensor<{type}>) -> tensor<{type}>
    "stablehlo.return"(%c) : (tensor<{type}>) -> ()
  }})"""


QUANTIZED = program(
    f"""  %p = "stablehlo.dot_general"(%x, %w) {{dot_dimension_numbers = #stablehlo.dot<
    lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}}
    : (tensor<2x8x{X}>, tensor<8x2x{W}>) -> tensor<2x2x{X}>""",
    f"%x: tensor<2x8x{X}>, %w: tensor<8x2x{W}>",
    f"tensor<2x2x{X}>",
)
PLAIN = program(
    f"  %p = stablehlo.dot_general %x, %w, {DOT} : (tensor<2x8xi8>, tensor<8x2xi8>) -> tensor<2x2xi32>",
    "%x: tensor<2x8xi8>, %w: tensor<8x2xi8>",
    "tensor<2x2xi32>",
)
QDQ = program(
    f"""  %l = stablehlo.uniform_dequantize %x : (tensor<2x8x{X}>) -> tensor<2x8xf32>
  %r = stablehlo.uniform_dequantize %w : (tensor<8x2x{W}>) -> tensor<8x2xf32>
  %s = stablehlo.dot_general %l, %r, {DOT} : (tensor<2x8xf32>, tensor<8x2xf32>) -> tensor<2x2xf32>
  %p = stablehlo.uniform_quantize %s : (tensor<2x2xf32>) -> tensor<2x2x{X}>""",
    f"%x: tensor<2x8x{X}>, %w: tensor<8x2x{W}>",
    f"tensor<2x2x{X}>",
)
FLOAT = program(
    f"  %p = stablehlo.dot_general %x, %w, {DOT} : (tensor<2x8xf32>, tensor<8x2xf32>) -> tensor<2x2xf32>",
    "%x: tensor<2x8xf32>, %w: tensor<8x2xf32>",
    "tensor<2x2xf32>",
)
REDUCED = program(
    f"""  %z = stablehlo.constant() {{value = dense<3> : tensor<i8>}} : () -> tensor<{X}>
  %p = "stablehlo.reduce"(%x, %z) {add(X)} {{dimensions = array<i64: 1>}}
    : (tensor<2x8x{X}>, tensor<{X}>) -> tensor<2x{X}>""",
    f"%x: tensor<2x8x{X}>",
    f"tensor<2x{X}>",
)
PRODUCTS = program(
    f"  %p = stablehlo.multiply %x, %y : tensor<4x{X}>",
    f"%x: tensor<4x{X}>, %y: tensor<4x{X}>",
    f"tensor<4x{X}>",
)
NEITHER = program("  %p = stablehlo.abs %x : tensor<4xf32>", "%x: tensor<4xf32>", "tensor<4xf32>")
MIXED = program(  # one sum in the accumulator, one in f32
    QUANTIZED.split("\n", 1)[1].rsplit("\n", 2)[0].replace("%p", "%q")
    + f"""
  %f = stablehlo.uniform_dequantize %q : (tensor<2x2x{X}>) -> tensor<2x2xf32>
  %p = stablehlo.dot_general %f, %f, {DOT} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>""",
    f"%x: tensor<2x8x{X}>, %w: tensor<8x2x{W}>",
    "tensor<2x2xf32>",
)
UNUSED = {"plain": PLAIN, "qdq": QDQ, "float": FLOAT, "reduced": REDUCED, "neither": NEITHER}
ASKED: dict[str, Any] = {"reading": "integer", "accumulator": "i12 saturate"}

Verb = Callable[..., Any]


def _results(module: interp.Module, args: list[Any]) -> list[Any]:
    return [x.storage for x in interp.run(module, *args)]


VERBS: dict[str, Verb] = {
    "run": lambda m, a, **o: interp.run(m, *a, **o),
    "run_parallel": lambda m, a, **o: interp.run_parallel(m, [a], **o),
    "compile": lambda m, a, **o: interp.compile(m, **o)(*a),
    "lower": lambda m, a, **o: interp.lower(m, **o),
    "plan": lambda m, a, **o: interp.plan(m, **o),
    "plan of a run": lambda m, a, **o: interp.plan(m, *a, **o),
    "trace": lambda m, a, **o: interp.trace(m, *a, **o),
    "trace_parallel": lambda m, a, **o: interp.trace_parallel(m, [a], **o)[0],
    "step": lambda m, a, **o: interp.step(m, *a, **o),
    "compare": lambda m, a, **o: interp.compare(m, *a, **o),
    "compare two": lambda m, a, **o: interp.compare(m, *a, against=m, **o),
    "survey": lambda m, a, **o: interp.survey(m, [a], **o),
    "permits": lambda m, a, **o: interp.permits(m, a, _results(m, a), **o),
    "diagnose": lambda m, a, **o: interp.diagnose(m, a, _results(m, a), **o),
}
SILENT = {"run", "run_parallel", "compile", "lower", "step"}  # their answers are no text: they warn


def said(verb: str, text: str, **options: Any) -> str:
    """Return what a verb says of a program with random arguments, its warnings included."""
    module = interp.load(text)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        found = VERBS[verb](module, random_arguments(module.main, 1), **options)
    notes = "\n".join(str(x.message) for x in seen if issubclass(x.category, Note))
    assert bool(notes) == (verb in SILENT and "is not used" in notes), "said once, in the answer or as a note"
    return notes if verb in SILENT else repr(found)


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_refuses_an_accumulator_that_nothing_uses(verb: str) -> None:
    for text in UNUSED.values():
        module = interp.load(text)
        with pytest.raises(interp.Unsupported, match="accumulator i12 saturate is not used"):
            VERBS[verb](module, random_arguments(module.main, 1), **ASKED)


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_says_which_sums_do_not_use_the_accumulator(verb: str) -> None:
    expected = (
        "the accumulator i12 saturate is not used by 1 of 2 sums: %p in f32; only sums of quantized types"
    )
    assert expected in said(verb, MIXED, **ASKED)


@pytest.mark.parametrize("verb", VERBS)
def test_nothing_is_said_where_all_is_used(verb: str) -> None:
    for text in (QUANTIZED, PRODUCTS):
        assert "not used" not in said(verb, text, **ASKED)


@pytest.mark.parametrize("verb", VERBS)
def test_a_recipe_and_a_reading_that_change_nothing_are_named(verb: str) -> None:
    found = said(verb, PLAIN, reading="integer", recipe="tosa")
    assert "the recipe tosa is not used: no operation rescales integers" in found
    assert "the reading integer is not used: no operation computes with quantized numbers alone" in found
    for text in (QUANTIZED, MIXED, PRODUCTS):
        assert "not used" not in said(verb, text, reading="integer", recipe="exact")


def test_the_default_accumulator_was_not_asked_for() -> None:
    assert "accumulator" not in said("trace", MIXED, reading="integer")
    assert "the accumulator i32 is not used by 1 of 2 sums" in said(
        "trace", MIXED, reading="integer", accumulator=32
    )


def test_a_sum_in_a_function_that_a_body_calls_is_a_sum() -> None:
    text = """func.func private @add(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.add %a, %b : tensor<i32>
  return %c : tensor<i32>
}
func.func @main(%x: tensor<4xi32>, %z: tensor<i32>) -> tensor<i32> {
  %p = "stablehlo.reduce"(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = func.call @add(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  return %p : tensor<i32>
}"""
    with pytest.raises(interp.Unsupported, match="cannot be summed in the accumulator"):
        interp.run(interp.load(text), np.full(4, 100, np.int32), np.int32(0), accumulator="i8")
    assert interp.prove(interp.load(text), {"x": (0, 9), "z": (0, 9)}, **ASKED).counts == {"not judged": 1}


def test_one_program_of_two_uses_the_accumulator() -> None:
    module, qdq = interp.load(QUANTIZED), interp.load(QDQ)
    args = random_arguments(module.main, 1)
    found = interp.compare(module, *args, against=qdq, **ASKED)
    assert [bool(each.sums) for each in found.unused] == [False, True]
    assert "right: the accumulator i12 saturate is not used by 1 of 1 sum: %s in f32" in repr(found)


# prove -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", UNUSED)
def test_a_proof_does_not_judge_a_sum_that_does_not_use_the_accumulator(name: str) -> None:
    found = interp.prove(interp.load(UNUSED[name]), {"x": (3, 4)} if name == "reduced" else None, **ASKED)
    verdict = "refuted" if name == "float" else "not judged"  # in its own type: f32's largest number, squared
    assert found.counts == ({} if name == "neither" else {verdict: 1})
    assert found.ok == (name == "neither")
    text = "the accumulator was not looked at" if found.rows else "is not used: the program has neither a sum"
    assert text in repr(found)


def test_a_proof_judges_some_sums_and_leaves_others() -> None:
    for accumulator, verdict in (("i19", "proved"), ("i18", "refuted")):  # 8 * 131 * 127 = 133,096 > 2^17
        found = interp.prove(interp.load(MIXED), reading="integer", accumulator=accumulator)
        assert {name: found[name].verdict for name in "qp"} == {"q": verdict, "p": "not judged"}
        assert not found.ok
        (entry,) = found.to_dict()["unused"]
        assert (entry["option"], entry["op"], entry["type"]) == (f"accumulator {accumulator}", "%p", "f32")


def test_run_differs_where_a_proof_declines() -> None:
    module = interp.load(QDQ)
    x, w = np.full((2, 8), 8, np.int8), np.full((8, 2), 4, np.int8)
    narrow, wide = (interp.run(module, x, w, accumulator=a)[0].storage for a in ("i8 saturate", "i32"))
    assert wide.tolist() == [[43, 43]] * 2  # 8 * 5 * 4 = 160 steps of 0.125 are 40 of 0.5
    assert narrow.tolist() == [[35, 35]] * 2  # 127 steps are 31.75
    found = interp.prove(module, reading="integer", accumulator="i8 saturate")
    assert found.counts == {"not judged": 1}
    assert interp.prove(module).counts == {"proved": 1}


def test_an_overflow_in_the_own_type_of_a_sum_is_still_refuted() -> None:
    big = 1.4e19  # two products fit into f32, their sum does not
    module = interp.load(FLOAT.replace("8", "2"))
    found = interp.prove(module, {0: (-big, big), 1: (-big, big)}, **ASKED)
    assert found.rows[0].verdict == "refuted"
    assert found.rows[0].judgement.why == "in its own type, the accumulator was not looked at"


@pytest.mark.parametrize("seed", range(40))
def test_a_proof_in_an_accumulator_holds_for_all_inputs(seed: int) -> None:
    """Compare with a run of all inputs in the accumulator, and with one that holds everything."""
    rng = np.random.default_rng(seed)
    k, low, bits = int(rng.integers(1, 4)), int(rng.integers(-3, 1)), int(rng.integers(3, 11))
    rows = np.array(list(product(range(low, 3), repeat=k)), np.int8)
    weights, zero = rng.integers(-6, 7, k), int(rng.integers(-2, 3))
    x, y = f"!quant.uniform<i8:f32, 1.0:{zero}>", "!quant.uniform<i8:f32, 0.25>"
    text = program(
        f"""  %w = stablehlo.constant() {{value = dense<{[[int(w)] for w in weights]}> : tensor<{k}x1xi8>}}
    : () -> tensor<{k}x1x{W}>
  %d = stablehlo.dot_general %x, %w, {DOT} : (tensor<{len(rows)}x{k}x{x}>, tensor<{k}x1x{W}>)
    -> tensor<{len(rows)}x1x{y}>
  %p = stablehlo.multiply %d, %d : tensor<{len(rows)}x1x{y}>""",
        f"%x: tensor<{len(rows)}x{k}x{x}>",
        f"tensor<{len(rows)}x1x{y}>",
    )
    module, accumulator = interp.load(text), f"i{bits}" + " saturate" * (seed % 2)
    found = interp.prove(module, {"x": (low, 2)}, reading="integer", accumulator=accumulator)
    leaves = (rows - zero) * weights
    least, most = -(1 << bits - 1), (1 << bits - 1) - 1
    fits = least <= np.minimum(leaves, 0).sum(1).min() and np.maximum(leaves, 0).sum(1).max() <= most
    assert (found["d"].verdict == "proved") == fits or "schedule" in found["d"].judgement.scope
    totals = leaves.sum(1)
    products = [int(a) * int(b) for a in (totals.min(), totals.max()) for b in (totals.min(), totals.max())]
    if fits:
        assert (found["p"].verdict == "proved") == (least <= min(products) and max(products) <= most)
    if found.counts == {"proved": 2}:
        ways: list[Any] = [
            interp.run(module, rows, reading="integer", accumulator=each)[0] for each in (accumulator, "i40")
        ]
        assert ways[0] == ways[1]


def test_products_that_wrap_are_not_taken_for_monotone() -> None:
    """All corners of the factors give at most 0 in nine bits, but 7 * 36 = 252 gives 31."""
    x, y = "!quant.uniform<i8:f32, 1.0>", "!quant.uniform<i8:f32, 8.0>"
    text = program(
        f"""  %s = stablehlo.multiply %x, %y : (tensor<4x{x}>, tensor<4x{x}>) -> tensor<4x{y}>
  %z = stablehlo.constant() {{value = dense<0> : tensor<i8>}} : () -> tensor<{y}>
  %p = "stablehlo.reduce"(%s, %z) {add(y)} {{dimensions = array<i64: 0>}}
    : (tensor<4x{y}>, tensor<{y}>) -> tensor<{y}>""",
        f"%x: tensor<4x{x}>, %y: tensor<4x{x}>",
        f"tensor<{y}>",
    )
    module, ranges = interp.load(text), {"x": (0, 127), "y": (0, 127)}
    args = np.full(4, 7, np.int8), np.full(4, 36, np.int8)
    assert interp.trace(module, *args, reading="integer", accumulator="i9").counts["saturate"] == 1
    found = interp.prove(module, ranges, reading="integer", accumulator="i9")
    assert found["s"].verdict == "refuted"
    assert found["s"].witness
    assert found["s"].witness.event.kind == "wrap"
    assert found["p"].verdict != "proved"
    ends = found["p"].judgement.ends
    assert ends
    assert ends.hull[1] >= 127
    for bits, verdict in ((15, "proved"), (14, "refuted")):  # 127 * 127 = 16,129 < 2^14
        assert interp.prove(module, ranges, reading="integer", accumulator=bits)["s"].verdict == verdict
    found = interp.prove(module, ranges, reading="integer", accumulator="i14 saturate")
    assert found["s"].verdict == "unknown"


def test_a_deadline_leaves_sums_that_are_not_judged() -> None:
    found = interp.prove(interp.load(MIXED), seconds=0)
    assert [row.verdict for row in found.rows] == ["not judged"] * 2
    assert found.rows[0].judgement.why == "the deadline came first"
    assert found.partial
    assert not found.ok
    assert str(found.covered[0]) == "0 of 2 accumulations"
    whole = interp.prove(interp.load(MIXED), seconds=1e6)
    assert not whole.partial
    assert whole.counts == interp.prove(interp.load(MIXED)).counts


def test_a_deadline_that_ends_the_search_for_witnesses_leaves_the_answer_partial(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No run has looked for a witness: the refuted sum is unknown, and the answer is not the whole one."""
    module = interp.load(QUANTIZED)
    asked = {"reading": "integer", "accumulator": "i18"}
    assert interp.prove(module, **asked).counts == {"refuted": 1}

    def late(*args: Any, work: Any, **options: Any) -> Any:
        forward = walk_forward(*args, work=work, **options)
        work.due = 0.0
        return forward

    monkeypatch.setattr("interp.questions.proving.prove.walk_forward", late)
    found = interp.prove(module, **asked, seconds=1e6)
    assert found.counts == {"unknown": 1}
    assert found.partial
    assert "searches for a witness" in repr(found)
    assert found.rows[0].judgement.why == "the deadline came before the runs that may find a witness"


# the command -----------------------------------------------------------------------------------------


def command(tmp_path: Path, text: str, *words: str) -> int:
    file = tmp_path / "program.mlir"
    file.write_text(text)
    return status([words[0], str(file), *words[1:]])


INTEGER = ("--reading", "integer", "--accumulator", "i19")


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        (QUANTIZED, INTEGER, 0),
        (QDQ, INTEGER, 1),
        (MIXED, INTEGER, 1),
        (MIXED, (), 0),
        (MIXED, ("--seconds", "0"), 1),
        (NEITHER, INTEGER, 0),
    ],
)
def test_the_status_of_a_proof(tmp_path: Path, text: str, words: tuple[str, ...], expected: int) -> None:
    assert command(tmp_path, text, "prove", *words) == expected


def test_unknown_is_fine_unless_strict(tmp_path: Path) -> None:
    text = REDUCED.replace("0.5:3", "0.1:3").replace('"stablehlo.add"', '"stablehlo.maximum"')
    text = text.replace('"stablehlo.maximum"', '"stablehlo.multiply"')
    assert interp.prove(interp.load(text)).counts == {"unknown": 1}
    assert command(tmp_path, text, "prove") == 0
    assert command(tmp_path, text, "prove", "--strict") == 1


def test_a_trace_that_may_fail_on_an_event_leaves_the_question_open(tmp_path: Path) -> None:
    words = ("trace", "--random", "1", *INTEGER)
    assert command(tmp_path, MIXED, *words) == 0
    assert command(tmp_path, MIXED, *words, "--fail-on", "wrap") == 1
    assert command(tmp_path, QUANTIZED, *words, "--fail-on", "wrap") == 0
    assert command(tmp_path, QDQ, *words) == 2


def test_the_json_of_a_verb_names_what_is_not_used(tmp_path: Path) -> None:
    entry = {"option": "accumulator i19", "op": "%p", "type": "f32"}
    for words in (("run",), ("trace",), ("bounds", "--op", "%q"), ("compare",)):
        file = tmp_path / f"{words[0]}.json"
        assert command(tmp_path, MIXED, *words, "--random", "1", *INTEGER, "--json", str(file)) == 0
        (found,) = json.loads(file.read_text())["unused"]
        assert {key: found[key] for key in entry} == entry


# real programs ---------------------------------------------------------------------------------------

RESIDUAL = "testdata/onnx/residual_qdq_i8.onnx"


@pytest.mark.slow("proves networks")
def test_sums_of_networks_in_other_types_are_not_judged(capsys: pytest.CaptureFixture[str]) -> None:
    """The accumulator that `prove` once proved nine sums in, without looking at one of them."""
    assert status(["prove", RESIDUAL, "--reading", "integer", "--accumulator", "i12 saturate"]) == 1
    assert "9 accumulations: 9 not judged\n" in capsys.readouterr().out
    mixed = interp.prove("testdata/onnx/residual_qoperator_i8.onnx", **ASKED)
    types = {repr(row.judgement.type) for row in mixed.rows if row.verdict == "not judged"}
    assert types == {"i32", "f32"}
    assert {repr(row.judgement.type) for row in mixed.rows if row.verdict == "refuted"} == {"i12"}


@pytest.mark.slow("proves networks")
@pytest.mark.parametrize("name", ["qwix_a.export", "digits_a.mlirbc"])
def test_exported_networks_are_not_judged(name: str) -> None:
    if not (SHARED / name).exists():
        pytest.skip("needs the shared exports")
    found = interp.prove(SHARED / name, **ASKED)
    assert found.counts == {"not judged": 5}
    assert not found.ok
    raised = interp.prove(interp.raise_qdq(SHARED / name).module, **ASKED)
    assert raised.counts == {"refuted": 3, "not judged": 2}
    types = {row.verdict: repr(row.judgement.type)[:14] for row in raised.rows}
    assert types == {"refuted": "i12", "not judged": "!quant.uniform"}
