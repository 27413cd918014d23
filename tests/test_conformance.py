"""The conformance suite: its cases, its verdicts on implementations right and wrong, and its reports."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from interp.__main__ import main
from interp.apps.runtimes.translation import Reply
from interp.apps.suite.cases import discover, read_case, same, tensor, to_storage
from interp.apps.suite.commands import shorten
from interp.apps.suite.conformance import (
    CASES,
    conformance,
    judge_answer,
    judge_results,
    program,
    question_of,
)
from interp.apps.suite.implementations import OURS, Answered, Question, implementation
from interp.apps.suite.outcome import VERDICTS, Outcome
from interp.apps.suite.report import Report, as_json, as_junit
from interp.apps.suite.report_files import as_html
from spec.errors import Malformed, Unsupported
from spec.types import parse_type
from tests.library.browsers import CHROMIUM, needs_chromium

ROOT = Path(__file__).resolve().parent.parent
REDUCTIONS = ("reduce/", "reduce_window/", "select_and_scatter/")
ALL = discover(CASES)
VALUED = [case for case in ALL if case.expect]


# The cases
# -------------------------------------------------------------------------------------------------


def test_three_hundred_cases_for_the_reductions() -> None:
    counts = [sum(case.id.startswith(op) for case in ALL) for op in REDUCTIONS]
    assert sum(counts) >= 300
    assert min(counts) >= 90


def test_a_case_says_what_it_is_for_and_why_its_results_are_right() -> None:
    """tests/test_confirm_cases.py refutes a wrong answer that is right."""
    assert [case.id for case in VALUED if not case.clause or "// derivation: " not in case.text] == []


def test_a_file_that_is_no_case_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.mlir").write_text("// args: 1, 2\n// expect: dense<1> : tensor<i8>\n")
    with pytest.raises(Malformed, match=r"bad.mlir: not a conformance case: 1, 2 is not a constant"):
        read_case(tmp_path / "bad.mlir", tmp_path)


# Ours
# -------------------------------------------------------------------------------------------------


def check_that_all_conform(report: Report) -> None:
    assert [(o.case.id, o.verdict, o.detail) for o in report.outcomes if not o.conforms] == []
    assert {o.verdict for o in report.outcomes} <= {"exact", "refused"}
    assert all(o.verdict == "refused" for o in report.outcomes if o.case.constraint)


@pytest.mark.slow("runs all cases under all schedules")
def test_ours_passes_the_whole_suite_exactly_as_the_page_says() -> None:
    """The page's rows of others take minutes: `tools/tables.py --conformance --check`."""
    report = conformance("numpy")
    check_that_all_conform(report)
    page = (ROOT / "docs" / "conformance.md").read_text()
    row = next(line for line in page.splitlines() if line.startswith("| `numpy` |"))
    counts = [cell.strip() for cell in row.split("|")[2:-1]]
    number = len(report.outcomes)
    assert counts == [*(str(report.counts()[v] or "") for v in VERDICTS), f"{number} of {number}"]


def test_a_refusal_by_another_constraint_does_not_conform() -> None:
    """All of ours name the constraint; of what has no codes any refusal of the program conforms."""
    case = next(case for case in ALL if case.constraint and not case.malformed and case.mode == "strict")
    asked = Question(case, None, ())
    replies = [Reply("refused", code=code) for code in ("", case.constraint, "tanh_c1")]
    outcomes = [judge_answer(Answered(asked, reply, 0.0)) for reply in replies]
    assert [outcome.conforms for outcome in outcomes] == [True, True, False]
    assert outcomes[2].detail == f"refused by tanh_c1, not by {case.constraint}"
    for name in OURS:
        tested = implementation(name)
        assert tested(question_of(case)).code == case.constraint


def test_the_oracle_refuses_what_breaks_a_constraint_and_every_constraint_is_broken() -> None:
    """tests/test_confirm_cases.py holds the oracle's results against those of every other case."""
    report = conformance("oracle", filter=[case.id for case in ALL if not case.expect])
    check_that_all_conform(report)
    assert [code for code, cases in report.constraints().items() if not cases] == []


@pytest.mark.slow("XLA compiles much code")
@pytest.mark.parametrize(
    "word", ["reduce/nan_f", "in_order_i8", "/captured", "/ties_g", "/wider_", "window/unsigned_u", "/empty_"]
)
def test_the_compiled_implementation_passes(word: str) -> None:
    """A part of the suite, since XLA takes a third of a second a program; the command runs all of it."""
    report = conformance("compiled", filter=[word])
    check_that_all_conform(report)
    assert report.counts()["exact"] > 0


def test_a_loop_that_forgets_the_rest_of_its_vectors_is_found() -> None:
    """The wrong answers of every case with many leaves name it."""
    cases = [case for case in ALL if "/many_" in case.id or case.id == "reduce/init_once_or_more"]
    assert {case.op for case in cases} == {"reduce", "reduce_window", "select_and_scatter"}
    assert all(any("left out" in answer.name for answer in case.wrong) for case in cases)


# Others
# -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reference() -> Report:
    words = "unsigned body_of_another saturates_u8 promotion_i8_ ties_g argmax_ties wrapping"
    return conformance("stablehlo", filter=words.split())


def verdicts(report: Report, pattern: str) -> set[str]:
    found = {o.verdict for o in report.outcomes if re.fullmatch(pattern, o.case.id)}
    assert found, pattern
    return found


@pytest.mark.slow("runs all cases in the reference interpreter")
def test_the_suite_finds_what_stablehlo_does_not_support(reference: Report) -> None:
    assert verdicts(reference, "reduce/(promotion|unsigned).*") == {"unsupported"}
    assert verdicts(reference, "select_and_scatter/(promotion|unsigned|ties).*") == {"unsupported"}
    assert verdicts(reference, ".*/wrapping_.*") <= {"exact", "permitted"}


@pytest.mark.slow("runs all cases")
def test_the_suite_finds_the_unconverted_body(reference: Report) -> None:
    (outcome,) = [o for o in reference.outcomes if o.case.id == "reduce_window/body_of_another_scale_add"]
    assert (outcome.verdict, outcome.conforms) == ("wrong", False)
    assert outcome.mistake.startswith("stored integers not converted")
    assert outcome.detail == "expected [15], given [39]"


def test_the_suite_finds_unsigned_read_as_signed(reference: Report) -> None:
    for case in ("saturates_u8", "unsigned_sum_u8", "unsigned_maximum"):
        (outcome,) = [o for o in reference.outcomes if o.case.id == f"reduce_window/{case}"]
        assert outcome.verdict == "wrong"
        assert "unsigned storage read" in outcome.mistake


def test_the_suite_survives_the_abort_on_wider_bodies(reference: Report) -> None:
    assert verdicts(reference, "reduce_window/promotion_i8_(i16|i32)") == {"crashed"}
    crash = next(o for o in reference.outcomes if o.verdict == "crashed")
    assert "signal 6" in crash.detail
    assert reference.outcomes[-1].verdict != "crashed"  # others were asked after it


def test_xla_may_count_init_more_than_once() -> None:
    report = conformance("xla", filter=["reduce/init_once_or_more", "reduce/wrapping_integers_i8"])
    assert [(o.verdict, o.conforms) for o in report.outcomes] == [("permitted", True), ("exact", True)]


def test_a_type_that_jaxlib_cannot_hand_over_is_no_crash_of_the_interpreter() -> None:
    assert verdicts(conformance("stablehlo", filter=["sum_of_complex"]), ".*") == {"unsupported"}


def test_xla_has_no_quantized_types() -> None:
    assert verdicts(conformance("xla", filter=["reduce/unsigned_maximum"]), ".*") == {"unsupported"}


def test_an_absent_implementation_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interp.apps.suite.compilers.find_spec", lambda name: None)
    with pytest.raises(Unsupported, match="iree is not installed"):
        implementation("iree")


# Commands
# -------------------------------------------------------------------------------------------------

COMMAND = """
import sys
from pathlib import Path
module, results, *inputs = sys.argv[1:]
if {arrays}:
    import numpy as np
    args = [np.load(file) for file in inputs]
{action}
"""


def command(action: str) -> str:
    """Return a script that does this; it imports NumPy, which takes longer than the rest, only to use it."""
    return COMMAND.format(action=action, arrays="np." in action)


# A right answer to reduce/unsigned_maximum is 200; each action stands for an implementation.
ACTIONS = {
    "np.save(results + '/out0.npy', args[0].max())": ("exact", True, ""),
    "np.save(results + '/out0.npy', args[0].max().astype(np.int64))": ("exact", True, ""),
    "np.save(results + '/out0.npy', args[0].view(np.int8).max().view(np.uint8))": (
        "wrong",
        False,
        "unsigned storage read and saturated as signed",
    ),
    "np.save(results + '/out0.npy', np.uint8(1))": ("wrong", False, ""),
    "np.save(results + '/out0.npy', np.float32(200))": ("wrong", False, ""),
    "np.save(results + '/out0.npy', args[0])": ("wrong", False, ""),
    "pass": ("wrong", False, ""),
    "sys.exit(1)": ("refused", False, ""),
    "sys.exit(2)": ("unsupported", False, ""),
    "sys.exit(7)": ("crashed", False, ""),
    "raise ValueError('no such type')": ("crashed", False, ""),
    "print('panic: index out of range', file=sys.stderr); sys.exit(2)": ("crashed", False, ""),
    "print('Traceback (most recent call last):'); sys.exit(1)": ("refused", False, ""),
    "sys.stdout.write('y' * 10_000_000); np.save(results + '/out0.npy', args[0].max())": ("exact", True, ""),
    "sys.stdin.read(); np.save(results + '/out0.npy', args[0].max())": ("exact", True, ""),
    "np.save(results + '/out1.npy', args[0].max())": ("wrong", False, ""),
    "np.save(results + '/out0.npy', args[0].max()); np.save(results + '/mine.npy', 0)": ("exact", True, ""),
    "np.savez(open(results + '/out0.npy', 'wb'), args[0].max())": ("wrong", False, ""),
    "np.save(results + '/out0.npy', np.array({}), allow_pickle=True)": ("wrong", False, ""),
    "Path(results + '/out0.npy').mkdir()": ("wrong", False, ""),
    "Path(results + '/out0.npy').write_bytes(b'')": ("wrong", False, ""),
    "Path(results + '/out0.npy').write_bytes(b'\\x93NUMPY garbage')": ("wrong", False, ""),
    "np.save(results + '/out0.npy', np.float32('nan'))": ("wrong", False, ""),
    "np.save(results + '/out0.npy', np.bytes_(b'\\xc8'))": ("wrong", False, ""),
    "import os; os.abort()": ("crashed", False, ""),
}


def outcome_of(folder: Path, script: str, case: str = "reduce/unsigned_maximum", **options: float) -> Outcome:
    """Return the outcome of one case and an implementation that is a Python script."""
    (folder / "impl.py").write_text(script)
    (outcome,) = conformance(f"{sys.executable} {folder}/impl.py", filter=[case], **options).outcomes
    return outcome


@pytest.mark.slow("starts processes", rows=9)
@pytest.mark.parametrize("action", ACTIONS)
def test_a_command_is_judged(action: str, tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, command(action))
    assert (outcome.verdict, outcome.conforms, outcome.mistake) == ACTIONS[action]


def test_a_slow_command_is_stopped(tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, "import time\ntime.sleep(60)\n", timeout=0.5)
    assert (outcome.verdict, outcome.conforms) == ("timed out", False)


def test_a_command_that_started_another_is_not_waited_for(tmp_path: Path) -> None:
    """Its answer counts, though another process holds its output open; that one ends with it."""
    action = f"""
import subprocess
other = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
Path({str(tmp_path / "other")!r}).write_text(str(other.pid))
np.save(results + '/out0.npy', args[0].max())
"""
    assert outcome_of(tmp_path, command(action)).verdict == "exact"
    other, patience = int((tmp_path / "other").read_text()), time.monotonic() + 60
    while is_running(other) and time.monotonic() < patience:  # it has been killed, and has yet to end
        time.sleep(0.01)
    assert not is_running(other)


def is_running(pid: int) -> bool:
    """A process that ended but that nobody waited for does not count."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("command", ["", "''", "my 'implementation"])
def test_what_is_no_command(command: str) -> None:
    with pytest.raises(Malformed, match=r"is not a command|no implementation is named"):
        implementation(command)


def test_a_report_that_cannot_be_written_is_known_before_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    arguments = ["--impl", "oracle", "--filter", "reduce/argmax", "--html", str(tmp_path / "file" / "x.html")]
    assert main(["conformance", *arguments]) == 2
    assert "no folder to write to" in "".join(capsys.readouterr())


def test_a_traceback_begins_with_its_error(tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, "raise ValueError('no such type')")
    assert outcome.detail.startswith("ValueError: no such type\nTraceback (most recent call last):\n")


def test_a_message_is_the_end_of_what_was_written() -> None:
    assert shorten("a\nb") == "a\nb"
    assert shorten("x" * 400 + "\n" + "y" * 400) == "y" * 400
    assert shorten("x" * 1000) == "x" * 500


def test_a_command_that_cannot_start() -> None:
    with pytest.raises(Malformed, match="cannot start no-such-program"):
        conformance("no-such-program", filter=["reduce/unsigned_maximum"])


def test_a_command_that_accepts_everything_is_wrong_about_constraints(tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, "", "c5_duplicate")
    assert (outcome.verdict, outcome.detail) == ("wrong", "accepts what breaks reduce_c5")


# Verdicts and arrays
# -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("result", "verdict"), [(2048, "exact"), (2050, "permitted"), (2056, "wrong")])
def test_any_schedule_that_gives_a_result_permits_it(result: int, verdict: str) -> None:
    """f16 2048 + 1 + 1 + 1: 2050 is what ((2048 + 1) + (1 + 1)) gives, and 2049 is no number of f16."""
    case = next(case for case in ALL if case.id == "reduce/order_of_f16")
    module = program(case.path, case.dialect, case.is_verified)
    assert judge_results(case, module, case.args, (np.array(result, np.float16),))[0] == verdict


def test_constants_are_read_by_their_bits() -> None:
    assert tensor("dense<[-0.0, 0x7FC00000]> : tensor<2xf32>").tobytes() == bytes.fromhex("000000800000c07f")
    assert tensor("dense<200> : tensor<2xui8>").tolist() == [200, 200]
    assert tensor("dense<> : tensor<0x2xi4>").shape == (0, 2)


def test_same_is_bits_but_for_nans() -> None:
    zero, nan = np.float32(0.0), np.array(0x7FC00000, np.uint32).view(np.float32)
    assert same(np.array(nan), np.array(0xFFC00001, np.uint32).view(np.float32))
    assert not same(np.array(zero), np.array(-zero))
    assert not same(np.zeros(2, np.int8), np.zeros(2, np.uint8))
    assert not same(np.zeros((0, 2)), np.zeros((2, 0)))


def test_arrays_of_other_containers() -> None:
    bf16 = parse_type("tensor<1xbf16>")
    assert str(to_storage(np.array([0x3F80], np.uint16), bf16)) == "[1]"
    u8 = parse_type("tensor<1x!quant.uniform<u8:f32, 1.0>>")
    assert to_storage(np.array([-56], np.int8), u8).tolist() == [200]  # type: ignore[union-attr]
    assert to_storage(np.array([300], np.int32), u8) is None
    assert to_storage(np.array([1.0], np.float32), parse_type("tensor<1xi32>")) is None
    assert to_storage(np.array([1j], np.complex64), parse_type("tensor<1xi64>")) is None
    assert to_storage(np.array([258], ">i2"), parse_type("tensor<1xi16>")).tolist() == [258]  # type: ignore[union-attr]
    assert to_storage(np.array([1.5], ">f4"), parse_type("tensor<1xf32>")).tolist() == [1.5]  # type: ignore[union-attr]


# Reports
# -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Report on an implementation with a fault of every kind, whose output would break a careless page."""
    script = tmp_path_factory.mktemp("impl") / "impl.py"
    status = "sys.exit(sum(open(sys.argv[1], 'rb').read()) % 4)"
    script.write_text(f"import sys; print('<script>&\\x07\\ufffe', file=sys.stderr); {status}")
    return conformance(f"{sys.executable} -S {script}", filter=["reduce/argmax", "reduce/c5", "reduce/e"])


def test_json_and_junit_agree(report: Report) -> None:
    data, junit = json.loads(as_json(report)), ElementTree.fromstring(as_junit(report))
    cases = junit.findall(".//testcase")
    assert len(cases) == len(data["cases"]) == len(report.outcomes)
    failed = {f"{c.get('classname')}/{c.get('name')}" for c in cases if len(c)}
    assert failed == {c["case"] for c in data["cases"] if not c["conforms"]}
    assert int(junit.find("testsuite").get("failures")) == len(junit.findall(".//failure"))  # type: ignore


VOID = {"meta", "input"}


class Page(HTMLParser):
    """Checks nesting, and collects what a page would load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [f"{tag} {name}" for name, _ in attrs if name in ("src", "href", "srcset", "action")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def test_the_page_is_well_formed_and_self_contained(report: Report) -> None:
    html = as_html(report)
    page = Page()
    page.feed(html)
    page.close()
    assert (page.open, page.loads) == ([], [])
    assert page.tags.count("script") == 1
    assert not re.search(r"https?:|url\(|@import", html)
    assert {"details", "summary", "caption", "label"} <= set(page.tags)
    assert "prefers-color-scheme: dark" in html
    assert all(f'<th scope="row">{o.case.id}</th>' in html for o in report.outcomes)


@needs_chromium
def test_the_page_in_a_browser(report: Report, tmp_path: Path) -> None:
    """The script ran: the form is shown and counts the cases."""
    page = tmp_path / "report.html"
    page.write_text(as_html(report), encoding="utf-8")
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert f"{len(report.outcomes)} of {len(report.outcomes)} cases" in dom
    assert "<form>" in dom


@needs_chromium
@pytest.mark.parametrize("width", [390, 1440])
def test_the_page_needs_no_scrolling_sideways(report: Report, tmp_path: Path, width: int) -> None:
    page, inner = tmp_path / "frame.html", escape(as_html(report))
    told = "document.title = this.contentDocument.documentElement.scrollWidth + ' wide'"
    page.write_text(f'<iframe width="{width}" height="800" frameborder="0" onload="{told}" srcdoc="{inner}">')
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    found = re.search(r"<title>(\d+) wide</title>", dom)
    assert found
    assert int(found[1]) <= width


def test_each_cell_of_the_page_has_the_head_of_its_column(report: Report) -> None:
    """On a narrow screen the heads are away, and each row is a card."""
    html = as_html(report)
    cases = html.partition("<caption>Cases</caption>")[2]
    assert cases.count('data-head="verdict"') == cases.count('data-head="clause and evidence"')
    assert cases.count('data-head="verdict"') == len(report.outcomes)
    assert "<td>" not in html
    verdict, number = report.counts().most_common(1)[0]
    assert f'<td data-head="{verdict}" class="n">{number}</td>' in html


@pytest.fixture
def written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, Path]:
    files = [f"--{kind}={tmp_path}/sub/report.{kind}" for kind in ("json", "junit", "html")]
    status = main(["conformance", "--impl", "oracle", "--filter", "reduce/argmax", *files])
    return status, capsys.readouterr().out, tmp_path / "sub"


def test_the_command(written: tuple[int, str, Path]) -> None:
    status, out, folder = written
    assert status == 0
    assert "oracle: 1 of 1 cases conform" in out
    assert {path.name for path in folder.iterdir()} == {"report.json", "report.junit", "report.html"}


def test_the_command_fails_where_a_case_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "impl.py").write_text(command("np.save(results + '/out0.npy', np.uint8(200 - 100))"))
    implementation = f"{sys.executable} {tmp_path}/impl.py"
    assert main(["conformance", "--impl", implementation, "--filter", "reduce/unsigned_maximum"]) == 1
    assert "unsigned storage read and saturated as signed" in capsys.readouterr().out
    (tmp_path / "impl.py").write_text("import sys; sys.exit('error: in [brackets]')")
    assert main(["conformance", "--impl", implementation, "--filter", "reduce/unsigned_maximum"]) == 1
    assert " in [brackets] " in capsys.readouterr().out
    assert main(["conformance", "--filter", "no such case"]) == 2
