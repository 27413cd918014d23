"""The REPL: what a session knows, what may be typed, and a terminal session line by line."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pexpect
import pytest

import interp
from interp.apps.prompt.help import banner, with_help
from interp.apps.prompt.session import UNKNOWN_WORD, Session
from interp.apps.prompt.words import WORDS, completions, spelled_out, unknown_word
from interp.recorder.event import KINDS, heading
from spec.accumulator import READINGS
from spec.errata import look_up
from spec.errors import Location
from spec.recipes import RECIPES

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "testdata/programs/saturating_sum.mlir"
ARGUMENTS = PROGRAM.with_suffix(".npz")
X = np.load(ARGUMENTS)["arg0"]
VERBS = ("step", "until", "back", "where", "watch", "explain", "help", "report", "acc")


def session(*args: Any, program: Path = PROGRAM, **options: Any) -> Session:
    return with_help(Session(interp.load(program), args, options, lambda: contextlib.nullcontext([])))


def question(trace: interp.Trace, *given: Any) -> tuple[Any, ...]:
    """A question to a trace, that gives what it is given."""
    return given


# Words


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("step", "step()"),
        ("  step 5 ", "step(5)"),
        ("until saturate", "until('saturate')"),
        ("until %4", "until('%4')"),
        ("until %1#0", "until('%1#0')"),
        ("watch 2 0", "watch(2, 0)"),
        ("watch 2, 0", "watch(2, 0)"),
        ("back -1", "back(-1)"),
        ("explain %4", "explain('%4')"),
        ("explain %4 3", "explain('%4', 3)"),
        ("explain %4 0 2", "explain('%4', (0, 2))"),
        ("explain %4, 0, 2, 1", "explain('%4', (0, 2, 1))"),
        ("explain %4 (0, 2, 1)", "explain('%4', (0, 2, 1))"),
        ("explain %4, [0, 2]", "explain('%4', (0, 2))"),
        ("explain %4 (3,)", "explain('%4', 3)"),
        ("explain %4 ( 3, 0 , )", "explain('%4', (3, 0))"),
        ("explain '%4' (3, 0)", "explain('%4', (3, 0))"),
        ("explain %4 ()", "explain('%4')"),
        ("explain '%4', (0, 2)", "explain('%4', (0, 2))"),
        ("explain index=(0, 2)", "explain(index=(0, 2))"),
        ("until 'a'", "until('a')"),
        ("report out/a.html", "report('out/a.html')"),
        ("?", "help()"),
    ],
)
def test_a_verb_needs_no_parentheses(typed: str, meant: str) -> None:
    assert spelled_out(typed, VERBS) == meant


@pytest.mark.parametrize(
    "typed",
    [
        "step(5)", "step = 3", "step.x", "step + 1", "step - 1", "where is None", "acc in (1, 2)", "x = step",
        "step if x else y", "other 5", "explain('%4')", "%4", "", "explain?", "step == 2",
        "other 'a'", "step -x (5)", "explain 'a", "explain x, (", "watch (2, 0)", "explain ?",
    ],
)  # fmt: skip
def test_python_stays_python(typed: str) -> None:
    assert spelled_out(typed, VERBS) == typed


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("s", "step()"),
        ("s 5", "step(5)"),
        ("n", "_next()"),
        ("next 3", "_next(3)"),
        ("c", "_continue()"),
        ("continue 2", "_continue(2)"),
        ("fin", "finish()"),
        ("bt", "backtrace()"),
        ("b", "_break()"),
        ("b %4", "_break('%4')"),
        ("break saturate", "_break('saturate')"),
        ("br %4 if value > 100", "_break('%4 if value > 100')"),
        ("b if nan", "_break('if nan')"),
        ("d 1 2", "delete(1, 2)"),
        ("delete", "delete()"),
        ("p %4 0 2", "_print('%4', (0, 2))"),
        ("print %4[0, 2]", "_print('%4', (0, 2))"),
        ("p x", "_print('x')"),
        ("print x.sum()", "_print(x.sum())"),
        ("l %4", "_list('%4')"),
        ("list", "_list()"),
        ("i b", "info('b')"),
        ("q", "quit()"),
        ("u saturate", "until('saturate')"),
        ("h", "help()"),
    ],
)
def test_the_words_of_gdb(typed: str, meant: str) -> None:
    verbs = [
        *VERBS,
        "_next",
        "_continue",
        "_break",
        "_print",
        "_list",
        "finish",
        "backtrace",
        "delete",
        "info",
    ]
    assert spelled_out(typed, verbs, WORDS) == meant


@pytest.mark.parametrize(
    "typed",
    [
        "n = 5",
        "n == 5",
        "p = [1]",
        "b = 4",
        "list(x)",
        "print(6 * 7)",
        "next(x)",
        "c + 1",
        "s.storage",
        "q = 1",
    ],
)
def test_python_stays_python_beside_the_words_of_gdb(typed: str) -> None:
    assert spelled_out(typed, VERBS, WORDS) == typed


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("explain --op %4 --index 0,2", "explain(op='%4', index=(0, 2,))"),
        ("explain --op=%4 --index '(3,)' --operand 1", "explain(op='%4', index=(3,), k=1)"),
        ("explain %4 0,2 --operand 1", "explain('%4', (0, 2), k=1)"),
        ("explain --type i16 --type 'i20 saturate'", "explain(types=['i16', 'i20 saturate'])"),
        ("explain --in-schedule left", "explain(schedules=['left'])"),
        ("explain --range x=-1:1 --range y=0:2.5", "explain(ranges={'x': (-1.0, 1.0), 'y': (0.0, 2.5)})"),
        ("explain --recipes", "explain(recipes=True)"),
        ("explain --fail-on wrap", "explain(fail_on='wrap')"),
        ("explain --strict", "explain(strict=True)"),
        ("explain --op 'x", "explain --op 'x"),
        ("explain --range x=a:b", "explain --range x=a:b"),
    ],
)
def test_options_are_those_of_the_command_line(typed: str, meant: str) -> None:
    assert spelled_out(typed, VERBS) == meant


@pytest.mark.parametrize(
    ("typed", "word", "found"),
    [
        ("explain(", "", ['"%0"', '"%12"']),
        ('explain("', "", ["%0", "%12"]),
        ("t.explain('%1", "%1", ["%12"]),
        ("explain %", "%", ["%0", "%12"]),
        ("until 1", "1", ["%12"]),
        ("until sat", "sat", ["saturate"]),
        ("explain sat", "sat", []),
        ("print(", "", []),
        ("explain", "", []),
        ('explain("%0", ', "", []),
    ],
)
def test_completions(typed: str, word: str, found: list[str]) -> None:
    known = {"explain": ["%0", "%12"], "until": ["%0", "%12", "saturate"]}
    assert completions(typed, lambda verb: known.get(verb, [])) == (word, found)


# Sessions


def test_the_names_of_a_session() -> None:
    names = session(X).names
    assert names["m"] == interp.load(PROGRAM)
    assert (names["arg0"] == X).all()
    assert names["args"][0] is names["arg0"]
    assert names["ops"].reduce_sum is names["m"].main.body.ops[1]
    assert names["run"]() == interp.run(names["m"], X)
    assert names["run"](schedule="balanced") == interp.run(names["m"], X, schedule="balanced")
    assert names["run"](X * 0) == interp.run(names["m"], X * 0)
    wide = interp.load(PROGRAM.with_name("widened_sum.mlir"))
    assert names["run"](wide, X) == names["run"](wide) == interp.run(wide, X)
    assert names["verify"]() == []
    assert names["permits"](*names["run"]()).ok
    assert names["run"].__doc__ == interp.run.__doc__


def test_the_trace_is_made_when_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    made = session(X)
    t = made.names["t"]
    assert {"groups", "events", "reductions"} <= set(dir(t))
    assert "target" not in vars(t)
    assert made.known_groups == ()
    assert t.has("saturate")
    assert made.known_groups == t.shown
    made.names["args"] = (np.full_like(X, -128),)
    assert made.names["t"].has("saturate")  # it is that of the arguments as they were
    made.names["t"] = made.names["trace"]()
    assert not made.trace.has("saturate")


def test_options_are_those_of_every_run() -> None:
    names = session(X, schedule="balanced").names
    assert names["trace"]().counts == interp.trace(names["m"], X, schedule="balanced").counts
    assert names["trace"](schedule="left").counts == interp.trace(names["m"], X).counts


def test_the_walk_is_that_of_the_trace() -> None:
    made = session(X)
    names = made.names
    assert made.prompt == "> "
    assert repr(names["where"]()) == "before the first operation"
    names["until"]("saturate")
    assert made.prompt == "%sum 2> "
    names["t"] = names["trace"](schedule="balanced")
    assert repr(names["where"]()) == "before the first operation"
    assert names["step"](100).moment == 0
    assert made.prompt == "end> "


def test_what_a_verb_may_be_given() -> None:
    made = session(X)
    assert made.candidates("until")[:3] == ["%zero", "%sum", "saturate"]
    assert made.candidates("explain") == made.candidates("print") == made.candidates("p") == ["%zero", "%sum"]
    assert made.candidates("verdict") == ["%sum"]
    assert made.candidates("b")[2] == "saturate"
    assert made.candidates("info")[0] == "arguments"
    assert made.candidates("step") == []


def test_what_the_user_names_means_what_the_user_says() -> None:
    made = session(X)
    assert made.words["n"] == "_next"
    made.names["n"] = 5
    made.names["list"] = [1]
    assert {"n", "list"}.isdisjoint(made.words)
    assert made.words["next"] == "_next"


def test_print_and_info() -> None:
    made = session(X)
    names = made.names
    assert names["_print"]("arg0") is names["arg0"]
    assert (names["_print"]("%arg0").storage == X).all()
    with pytest.raises(interp.Malformed, match="no operation %sum has run yet"):
        names["_print"]("%sum")
    names["step"](100)
    assert names["_print"]("%sum") == names["_print"]("sum") == names["run"]()[0]
    assert names["_print"]("%sum", 2).storage == names["_print"]("%sum", (2,)).storage
    assert names["_print"]() == names["run"]()
    assert names["_print"](7) == 7
    for index in ((9,), (0, 0)):
        with pytest.raises(interp.Malformed, match="is not an index of %sum"):
            names["_print"]("%sum", index)
    assert repr(names["info"]()).startswith("info arguments ")
    assert names["info"]("b") == "no breakpoints"
    names["_break"]("saturate")
    assert names["info"]("break") == "breakpoint 1: saturate"
    assert names["info"]("events").startswith(repr(made.trace.shown[0]))
    assert names["info"]("locals").count("\n") == 1  # %zero and %sum
    with pytest.raises(interp.Malformed, match="topic"):
        names["info"]("registers")


def test_questions_take_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    """An operation is given by name, or as what `ops` holds."""
    monkeypatch.setattr(interp.Trace, "verdict", question, raising=False)
    names = session(X).names
    assert names["verdict"]("%sum") == names["verdict"](names["ops"].reduce_sum) == ("%sum",)
    assert names["verdict"].__doc__ == question.__doc__


# What it says of itself


def test_the_banner_shows_what_to_type_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interp.Trace, "explain", question, raising=False)
    first, event, hint = banner(session(X), "m.mlir").splitlines()
    assert first == f"m.mlir: @main({interp.load(PROGRAM).main.inputs[0]!r})"
    assert event == repr(interp.trace(interp.load(PROGRAM), X).groups[0])
    assert hint == "type explain('%sum', (0,)) or help"
    monkeypatch.delattr(interp.Trace, "explain")
    assert banner(session(X), "m.mlir").endswith("type until saturate or help")


def test_the_banner_without_events_without_arguments_and_with_wrong_ones() -> None:
    wide = PROGRAM.with_name("widened_sum.mlir")
    assert banner(session(X, program=wide), "m").splitlines()[1:] == [
        "no errors or warnings",
        "information: erratum x 25",
        "type step or help",
    ]
    assert banner(session(), "m").splitlines()[1:] == [
        "no arguments yet: args = (x, ...), or start with files or --random 7",
        "type help",
    ]
    wrong = banner(session(X[:2]), "m").splitlines()
    assert wrong[1:] == [
        "argument %arg0 has another shape",
        f"  expected (4, 16) for {interp.load(PROGRAM).main.inputs[0].type!r}",
        "  got (2, 16)",
        "type help",
    ]


def test_a_trace_that_takes_too_long_may_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless() -> None:
        raise KeyboardInterrupt

    made = session(X)
    monkeypatch.setattr(made, "progress", endless)
    assert banner(made, "m").splitlines()[1:] == ["interrupted: t is traced when it is asked", "type help"]


def test_help_is_by_example_and_of_what_there_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(interp.Trace, "matrix", question, raising=False)
    monkeypatch.delattr(interp.Trace, "bounds", raising=False)
    made = session(X)
    text = repr(made.names["help"]())
    assert "matrix('%sum')" in text
    assert "bounds" not in text
    assert "until saturate, until %sum" in text
    assert max(map(len, text.splitlines())) <= 110
    made.names["help"](interp.run)
    assert "fail_on" in capsys.readouterr().out


PAGE = (ROOT / "docs" / "debugging.md").read_text()


def test_help_has_every_word() -> None:
    """Each word that may be typed, that an answer prints, or that the page names has a text of its own."""
    made = session(X)
    help = made.names["help"]
    verbs = [verb.removeprefix("_") for verb in made.verbs]
    page = PAGE[PAGE.index("| word | what it does |") : PAGE.index("$ interp repl")]
    cells = re.findall(r"^\| (.*?) \|", page, re.M)
    written = [word for cell in cells for word in re.findall(r"`(\w+)", cell)]
    assert {"step", "bt", "info"} <= {*written}
    words = [*verbs, *WORDS, *written, *KINDS, *READINGS, *RECIPES, "safe", "order-dependent", "--schedule"]
    for word in words:
        first, colon, text = repr(help(word)).partition(": ")
        assert word.strip("-") in first.split(", "), word
        assert colon, word
        assert len(text.split()) > 2, word
    assert repr(help("n")) == repr(help("next")) != repr(help("step"))
    assert repr(help("step n")) == f"{help('step')}\n\n{help('n')}"
    assert repr(help("%sum")).startswith("%sum: stablehlo.reduce; ")
    assert repr(help("reduce")).startswith("reduce: an operation, %sum; errata reduce ")
    with pytest.raises(interp.Malformed, match="no word 'stpe'\n  did you mean step"):
        help("stpe")


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("stpe", "stpe"), ("stpe 4", "stpe"), ("explan %4 0 2", "explan"), ("  foo --bar 7", "foo"),
        ("step", ""), ("x", ""), ("x = 5", ""), ("y = 5", ""), ("y + 1", ""), ("for", ""), ("print", ""),
        ("for k in x:", ""), ("7", ""), ("y?", ""), ("!ls", ""), ("%time y", ""), ("", ""), ("y.z", ""),
    ],
)  # fmt: skip
def test_a_word_that_nobody_knows(typed: str, word: str) -> None:
    assert unknown_word(typed, {"step", "x"}) == word


def test_a_mistyped_verb_is_told_what_is_like_it() -> None:
    refuse = session(X).names[UNKNOWN_WORD]
    for typed, meant in {
        "stpe": "step",
        "explan": "explain",
        "untill": "until",
        "cont1nue": "continue",
    }.items():
        with pytest.raises(interp.Malformed, match=f"no verb or name {typed}\n  did you mean {meant}"):
            refuse(typed)
    with pytest.raises(interp.Malformed, match="help lists what to type"):
        refuse("xyzzy")


def test_the_accumulator_says_where_there_is_one() -> None:
    names = session(X).names
    for ask in (names["acc"], lambda: names["_print"]("acc")):
        with pytest.raises(
            interp.Malformed, match=r"no accumulator at the start.*\n  until %sum goes to one"
        ):
            ask()
    names["step"]()
    with pytest.raises(interp.Malformed, match=r"at constant %zero: .*\n.*\n  p %zero is the value"):
        names["acc"]()
    names["until"]("%sum")
    assert repr(names["_print"]("acc")) == repr(names["acc"]()) == repr(names["_print"]())
    assert repr(names["_print"]("where")) == repr(names["where"]())


def test_errata_at_the_prompt() -> None:
    errata = session(X).names["errata"]
    case = (ROOT / "testdata" / "reduce" / "c8_narrower_result.mlir").read_text().rstrip()
    assert str(errata("E7")).startswith("E7: reduce (C8) forbids")
    assert str(errata("E7")).endswith(case)
    told = str(errata("reduce_window"))
    assert re.findall(r"^(E\d+): ", told, re.M) == [row.id for row in look_up("reduce_window")]
    assert str(errata("tanh")) == "no erratum speaks of tanh"
    assert str(errata()).count("\n  we do: ") == len(interp.errata)
    with pytest.raises(interp.Malformed, match="did you mean reduce"):
        errata("redcue")


@pytest.mark.parametrize(
    ("file", "name", "text"),
    [
        ("net.py", "", "net.py:5:8"),
        ("/v/lib/python3.11/site-packages/jax/_src/nn.py", "jit(f)/sum", "…/jax/_src/nn.py:5:8 (jit(f)/sum)"),
        ("/home/" + "deep/" * 20 + "net.py", "", "/home/…" + "/deep" * 9 + "/net.py:5:8"),
        ("x" * 90, "", "x" * 29 + "…" + "x" * 30 + ":5:8"),
        ("C:\\v\\Lib\\site-packages\\a.py", "", "…/a.py:5:8"),
    ],
)
def test_long_places_are_short_in_headings(file: str, name: str, text: str) -> None:
    where = Location(file, 5, 8, name)
    assert where.short == text
    op = replace(interp.load(PROGRAM).main.body.ops[1], location=where)
    assert heading(op) == f"{text} reduce %sum"
    assert file in str(where)  # which errors, JSON and editors need


# Piped in


def piped(text: str, *arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
    start = ["-c", code] if code else ["-m", "interp"]
    command = [sys.executable, *start, "repl", str(PROGRAM), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, input=text, capture_output=True, text=True, env=environment, check=False)


def test_a_script_is_piped_in(tmp_path: Path) -> None:
    script = (
        "until saturate\nacc\nfor k in range(2):\n    back(1)\n    print('k', k)\n\nwhere\nexit\nnot reached"
    )
    done = piped(script, str(ARGUMENTS))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[-2:] == ["  step 0 of 16: init", "  -128"]
    assert any(line.startswith("stored 127, value 63.75, exact 82.25 (-74 steps)") for line in lines)
    assert {"k 0", "k 1"} <= set(lines)
    assert done.stderr == ""


def test_what_is_typed_as_it_is_printed_and_what_is_typed_alone() -> None:
    script = (
        "explain %sum (1,)\nexplain '%sum', (1,)\nrun schedule='balanced'\nuntil\nwatch\nwatch (1,)\nwatch 2"
    )
    done = piped(script, str(ARGUMENTS))
    assert (done.returncode, done.stderr) == (0, "")
    trace = interp.trace(interp.load(PROGRAM), X)
    told = repr(trace.explain("%sum", (1,)))
    assert done.stdout.startswith(f"{told}\n{told}\n(Tensor(")
    balanced = interp.run(interp.load(PROGRAM), X, schedule="balanced")[0].storage
    assert f"Tensor({balanced.tolist()}" in done.stdout
    assert "step 2 of 16" in done.stdout
    places = [line for line in done.stdout.splitlines() if "reduce %sum, result" in line]
    assert [place[place.index("result") :].split(",)")[0] for place in places] == [
        f"result ({k}" for k in (0, 0, 1, 2)
    ]


def test_an_error_ends_a_script_in_two_lines() -> None:
    done = piped("m.main.name\nstep(-1)\n'not reached'\n", "--random", "7")
    assert done.returncode == 2
    assert done.stdout == "'main'\n"
    assert done.stderr == "-1 is not a number of steps\n  expected a whole number: step(5), back(2)\n"


def test_a_mistyped_verb_ends_a_script_with_a_hint() -> None:
    done = piped("help bt\nerrata E8\nstpe 4\n", "--random", "7")
    assert done.returncode == 2
    assert done.stdout.startswith("backtrace, bt: Return the position, and the calls")
    assert "\nE8: a window of select_and_scatter" in done.stdout
    assert done.stderr == "no verb or name stpe\n  did you mean step?\n"


def test_without_ipython_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['IPython'] = None; from interp.__main__ import main; sys.exit(main())"
    done = piped("", code=code)
    assert done.returncode == 2
    assert done.stderr == "the REPL needs IPython\n  pip install 'stablehlo-interp[repl]'\n"


# On a terminal


def test_a_session_on_a_terminal(tmp_path: Path) -> None:
    """Line by line as a person types; after each what must appear, and the prompt that follows."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "IPYTHONDIR": str(tmp_path),
        "TERM": "xterm",
        "PROMPT_TOOLKIT_NO_CPR": "1",
    }
    arguments = ["-m", "interp", "repl", str(PROGRAM), str(ARGUMENTS)]
    terminal = pexpect.spawn(
        sys.executable,
        arguments,
        env=environment,
        encoding="utf-8",
        timeout=60,
        dimensions=(50, 160),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    )

    def typed(keys: str, *expected: str) -> None:
        terminal.send(keys)
        for pattern in expected:
            terminal.expect(pattern)

    try:
        terminal.expect(r"reduce %sum: saturate x 55, first at result \(0,\)")
        terminal.expect("type .* or help")
        terminal.expect("> ")
        typed("step 2\r", r"reduce %sum, result \(0,\)", "step 0 of 16: init", "%sum 0> ")
        typed("until sat\t", "urate")
        typed("\r", r"13 \+ 60 -> 127, erratum, saturate \(exact 201\)", "%sum 2> ")
        typed("where\r", r"%sum = stablehlo.reduce\(", r"\^", r"\(\(init . x0\) . x1\)", "%sum 2> ")
        typed("acc\r", r"stored 127, value 63.75, exact 82.25 \(-74 steps\)", "%sum 2> ")
        typed("back 1\r", r"\(init . x0\) inside", "%sum 1> ")
        typed("ops.red\t", "uce_sum")
        typed("\r", '"stablehlo.reduce"', "%sum 1> ")
        typed("until %7\r", "no operation %7", "operations: %zero, %sum", "or a kind: saturate", "%sum 1> ")
        typed('until("%z\t', "ero")
        typed('")\r', "no %zero from here on", "it is behind", "%sum 1> ")
        typed("no_such_name\r", "no verb or name no_such_name", "help lists", "%sum 1> ")
        typed("print(6 * 7) or sum(0 for _ in iter(int, 1))\r", "42")
        typed("\x03", "interrupted", "%sum 1> ")
        typed("t.has('saturate')\r", "True", "%sum 1> ")
        typed("?\r", "until saturate, until %sum", "Ctrl-D leaves", "%sum 1> ")
        typed("s\r", "step 2 of 16", "%sum 2> ")
        typed("\r", "step 3 of 16", "%sum 3> ")
        typed("p arg0.shape\r", r"\(4, 16\)", "%sum 3> ")
        typed("\r", "step 4 of 16", "%sum 4> ")
        typed("b %sum if stored == -128\r", "breakpoint 1: %sum if stored == -128", "%sum 4> ")
        typed("fin\r", r"result \(0,\)", "> ")
        typed("q\r", pexpect.EOF)
        terminal.wait()
    finally:
        terminal.close()
    assert terminal.exitstatus == 0
