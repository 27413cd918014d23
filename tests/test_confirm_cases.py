"""Every conformance case states what independent evaluators derive, and a new one is filled in by them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from interp.apps.suite.cases import CASES

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

from cases import confirm
from cases.command import main
from cases.head import joined, parsed

from tests.test_conformance import VALUED

PARTS = [(op, k) for op in sorted({case.op for case in VALUED}) for k in range(6)]


def text_of(name: str) -> str:
    return (CASES / f"{name}.mlir").read_text()


@pytest.mark.parametrize(
    ("op", "part"),
    [
        pytest.param(*part, marks=[pytest.mark.slow("the oracle under many schedules")] * (part[1] > 0))
        for part in PARTS
    ],
)
def test_cases_state_what_the_evaluators_derive(op: str, part: int) -> None:
    """The oracle and exact arithmetic agree on the results, and no schedule gives a wrong answer."""
    for case in [case for case in VALUED if case.op == op][part::6]:
        assert confirm.confirmed(case.text) == case.text, case.id


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("reduce/argmax_ties", "expect: dense<[9", "expect: dense<[8"),
        ("reduce/promotion_i8_i32", "descending", "ascending"),
        ("reduce/order_of_f16", "permitted (balanced): dense<2048.0>", "permitted (balanced): dense<2.0>"),
        ("reduce/saturates_i8", "saturated): dense<[", "saturated): dense<[1"),
        ("integer/add_i8", "expect: dense<[", "expect: dense<[1"),
        ("reduce/sum_in_wider_type", "// args:", "// schedules: any\n// args:"),
    ],
)
def test_a_changed_case_is_noticed(name: str, before: str, after: str) -> None:
    text = text_of(name)
    changed = text.replace(before, after, 1)
    assert confirm.confirmed(changed) == text


@pytest.mark.parametrize(
    "name",
    [
        "reduce/nan_f16",
        "reduce/expressed",
        "reduce/widened_floats_bf16",
        "reduce/along_2x3x4_0_2_argmax",
        "reduce_window/maximum_bf16",
        "select_and_scatter/in_order_i8",
        "integer/add_i8",
    ],
)
def test_a_new_case_is_filled_in(name: str) -> None:
    """Its author writes the program, the clause and the arguments."""
    head = parsed(text_of(name))
    new = head._replace(expect=[], permitted={}, wrong={}, any_schedule=False)
    filled = parsed(confirm.confirmed(joined(new)))
    assert filled._replace(wrong=head.wrong) == head
    assert filled.wrong.items() >= head.wrong.items()


def test_a_mistake_asked_for_is_answered_alone() -> None:
    head = parsed(text_of("reduce/nan_f16"))
    (name,) = list(head.wrong)[:1]
    filled = parsed(confirm.confirmed(joined(head._replace(expect=[], wrong={name: ""}))))
    assert filled.wrong == {name: head.wrong[name]}


@pytest.mark.parametrize(
    ("name", "parts", "message"),
    [
        ("reduce/argmax_ties", {"expect": []}, "needs its `// expect:` lines"),
        ("reduce/argmax_ties", {"args": []}, "an `// args:` line for each"),
        ("reduce/argmax_ties", {"wrong": {"of no name": ""}}, r"wrong \(of no name\): expected its answer"),
        ("reduce/argmax_ties", {"wrong": {"wrapped instead of saturated": ""}}, "its answer is not wrong"),
        (
            "reduce/order_of_f16",
            {"wrong": {"exact": "dense<2051.0> : tensor<f16>"}},
            "some schedule gives it",
        ),
        ("reduce/order_of_f16", {"permitted": {"upwards": ""}}, "expected a schedule of"),
    ],
)
def test_what_only_an_author_can_state_is_asked_for(name: str, parts: dict, message: str) -> None:
    with pytest.raises(confirm.Refuted, match=message):
        confirm.confirmed(joined(parsed(text_of(name))._replace(**parts)))


def test_evaluators_that_disagree_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirm, "exactly", lambda module, args: [args[0]])
    with pytest.raises(confirm.Refuted, match=r"(?s)the oracle gives .* exact arithmetic"):
        confirm.confirmed(text_of("integer/abs_i8").replace("abs", "negate"))


def test_the_command_says_what_differs_and_writes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, text = tmp_path / "case.mlir", text_of("reduce/argmax_ties")
    path.write_text(text.replace("expect: dense<[9", "expect: dense<[8"))
    assert main(["--write", str(path)]) == 0
    assert path.read_text() == text
    assert "+// expect: dense<[9, 7]> : tensor<2xi8>" in capsys.readouterr().out
    path.write_text("// args: dense<1> : tensor<i8>\n")
    assert main(["--write", str(path)]) == 1


def test_the_command_confirms_by_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce/argmax_ties", "select_and_scatter/empty_window"]) == 0
    assert capsys.readouterr().out == "2 of 2 cases confirmed\n"
    assert main(["no such word"]) == 1
