"""Mutation testing itself: what the operators change, that the suite notices, that listed survivors exist."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from mutation import judges, trial  # noqa: E402
from mutation.lines import executed, lines_of  # noqa: E402
from mutation.operators import KERNELS, files, mutants  # noqa: E402
from mutation.semantic import MISTAKES, semantic  # noqa: E402
from mutation.survivors import key, listed, noticed, unseen  # noqa: E402

from interp.backends import windows  # noqa: E402


def changed(source: str, operator: str) -> list[str]:
    """Return the source texts that one operator makes of a source text."""
    code = source.encode()
    return [m.applied(code).decode() for m in mutants("x.py", code) if m.operator == operator]


@pytest.mark.parametrize(
    ("operator", "source", "expected"),
    [
        ("constant", "x = 3", ["x = (2)", "x = (4)"]),
        ("constant", "x = True", ["x = False"]),
        ("constant", "x = 'text'", []),
        ("operator", "x = a + b", ["x = ((a) - (b))"]),
        ("operator", "x = a & b", ["x = ((a) | (b))"]),
        ("operator", "x = not a", ["x = (a)"]),
        ("operator", "x = a and b", ["x = a or b"]),
        ("comparison", "x = a < b", ["x = a <= b", "x = a > b"]),
        ("comparison", "x = a == b", ["x = a != b"]),
        (
            "comparison",
            "x = 0 <= a is not b",
            ["x = 0 < a is not b", "x = 0 >= a is not b", "x = 0 <= a is b"],
        ),
        (
            "statement",
            "x = 1\nif x:\n    f()",
            ["pass\nif x:\n    f()", "x = 1\npass", "x = 1\nif x:\n    pass"],
        ),
        ("statement", "def f():\n    '''Words.'''\n    return 1", ["def f():\n    '''Words.'''\n    pass"]),
        ("operands", "x = a - b", ["x = ((b) - (a))"]),
        ("operands", "x = a + b", []),
        ("operator", "x = a @ b", []),
        ("operands", "x = f(a, b, c)", ["x = f(b, a, c)", "x = f(a, c, b)"]),
        ("operands", "x = f(a, *b)", []),
        ("operands", "x = a if b else c", ["x = c if b else a"]),
        ("operands", "é = f(ä, ö)", ["é = f(ö, ä)"]),
    ],
)
def test_operators_change_one_thing(operator: str, source: str, expected: list[str]) -> None:
    assert changed(source, operator) == expected


def test_what_only_a_reader_sees_is_left_alone() -> None:
    source = '"""Words."""\nimport a\nArray = Callable[..., 1]\ndef f(x: A | B) -> C | D: ...\n'
    source += "if TYPE_CHECKING:\n    from a import b\n"
    assert mutants("x.py", source.encode()) == []
    assert changed("x = zip(a, b, strict=True)", "constant") == []


def test_a_mutant_knows_its_function() -> None:
    source = b"x = 1\ndef f():\n    def g():\n        return 2\n    return lambda: 3\n"
    found = {(m.function, m.scope, m.line) for m in mutants("x.py", source) if m.operator == "constant"}
    assert found == {("", 0, 1), ("f.g", 3, 4), ("f", 5, 5)}


@pytest.mark.slow("parses every mutant")
def test_every_kernel_is_mutated_and_stays_python() -> None:
    """One mutant in eight is compiled, since they are thousands."""
    named = {kernel.split("/")[1] for kernel in KERNELS}
    assert {f.split("/")[1] for f in files()} == named == {"backends", "engine", "kernels", "speed", "theory"}
    for file in files():
        source = (ROOT / file).read_bytes()
        for mutant in mutants(file, source)[::8]:
            compile(mutant.applied(source), file, "exec")


CODE = """
import json, sys
sys.path[:0] = {paths!r}
from mutation.conforming import outcomes
from mutation.lines import lines_of
from mutation.questions import ORDERS, Killers, Question, answered
from mutation.semantic import semantic
from mutation.survivors import noticed
from interp.apps.suite.conformance import CASES, discover, program

cases, found = {{case.id: case for case in discover(CASES)}}, noticed()

def asked(name):
    case = cases[name]
    module = program(case.path, case.dialect, case.is_verified)
    questions = [Question(name, module, case.args, order, case) for order in ORDERS]
    return [question._replace(answer=answered(question, compiled=False)) for question in questions]

tried = []
for mutant in semantic():
    if mutant.function in found:
        questions = asked(found[mutant.function])
        suite = Killers(questions, len(questions), lines_of(mutant))
        tried += [(mutant.function, o.killer) for o in outcomes(suite, [mutant], 1, compiled=False)]
print(json.dumps(tried))
"""


@pytest.mark.slow("some 60 mistakes, each under the conformance cases")
def test_the_suite_notices_every_named_mistake() -> None:
    """The child process forks; this one may have threads."""
    code = CODE.format(paths=[str(ROOT), str(ROOT / "tools")])
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    tried = json.loads(output)
    permitted = {"right fold", "init twice in a balanced tree"}  # some schedule gives what they give
    assert {name for name, _ in tried} == {mistake.name for mistake in MISTAKES} - permitted
    assert [row for row in tried if row[1] != noticed()[row[0]]] == []


def test_a_mutant_stands_on_the_lines_of_its_statement() -> None:
    """A compound statement has those of its header; and what runs them is found."""
    file = "interp/backends/windows.py"
    every = mutants(file, (ROOT / file).read_bytes())
    header = next(m for m in every if m.function == "boxes" and m.text == "or")
    assert lines_of(header) == {(file, header.line)}
    long = next(m for m in every if m.function == "Windows.tables" and m.operator == "statement")
    assert len(lines_of(long)) == 4
    reached = {line for name, line in executed(lambda: windows.row_major((2, 3))) if name == file}
    assert reached >= {m.line for m in every if m.function == "row_major"}
    assert not reached & {m.line for m in every if m.function == "boxes"}


def test_mistakes_name_texts_of_the_kernels() -> None:
    assert [m.function for m in semantic()] == [mistake.name for mistake in MISTAKES]


def test_every_judged_file_has_tests() -> None:
    """A pattern that finds nothing says that a file or a test has moved."""
    for pattern, globs in judges.TESTS.items():
        assert [*ROOT.glob(pattern)], pattern
        assert all([*(ROOT / "tests").glob(f"{glob}.py")] for glob in globs), pattern


def test_a_mutant_of_a_judgement_is_tried_on_the_tests_of_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that an import executes belongs to every test of the file that does more than import it."""
    file = "interp/engine/work.py"
    every = mutants(file, (ROOT / file).read_bytes())
    function = next(m for m in every if m.function == "Work.whole")
    tests = [
        judges.Test("a.py::first", 1.0, frozenset({(file, 1)})),
        judges.Test("a.py::second", 2.0, frozenset({(file, function.line)})),
        judges.Test("b.py::other", 3.0, frozenset({("other.py", function.line)})),
    ]
    assert {m.line for m in every if m.function == "beat"} - {line for _, line in judges._import_lines(file)}
    monkeypatch.setattr(judges, "_test_files", lambda _: [Path("a.py")])
    monkeypatch.setattr(judges, "_measured", lambda _: tuple(tests))
    assert judges.killers(function) == [tests[1]]
    default = next(m for m in every if m.function == "beat" and m.operator == "constant")
    assert judges.killers(default) == [tests[1]]


def test_the_tests_of_a_judgement_run_its_mutant() -> None:
    """And not the file: pytest has a loader of its own for packages that have a plugin, as ours does."""
    file, name = "interp/rewrite/fewer_samples.py", "test_each_operation_has_its_original"
    every = mutants(file, (ROOT / file).read_bytes())
    broken = next(m for m in every if m.function == "_Writer.func" and m.operator == "statement")

    def attempt() -> None:
        for known in [name for name in sys.modules if name.endswith("fewer_samples")]:
            del sys.modules[known]  # as in the tool's process, which has not imported it
        assert trial.is_begun(None, broken, 60)  # type: ignore[arg-type]
        os._exit(7 if judges.fail([f"tests/test_fewer_samples.py::{name}"]) else 0)

    process = trial.FORK.Process(target=attempt)
    process.start()
    process.join()
    assert process.exitcode == 7


def test_quick_test_files_come_first_and_share_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 60 seconds, the first of three files may take 20, the second half of the 57 that are left."""
    monkeypatch.setattr(judges, "CPU_SECONDS", 60.0)
    seconds = {"a::1": 60.0, "b::1": 20.0, "b::2": 1.0, "b::3": 27.6, "c::1": 3.0}
    tests = [judges.Test(name, n, frozenset()) for name, n in seconds.items()]
    assert [*judges.groups(tests)] == [["c::1"], ["b::2", "b::1"], []]


def test_listed_survivors_are_mutants_of_kernels_or_judgements() -> None:
    sources = {*files(), *judges.judged()}
    every = {key(m) for file in sources for m in mutants(file, (ROOT / file).read_bytes())}
    reasons = {**listed(), **unseen()}
    assert set(reasons) - every == set(), "not in the kernels any more: run tools/mutate --check"
    assert all(len(reason.split()) > 3 for reason in reasons.values())
