"""`tools/soak` on a few items: it finds what is wrong, goes on where it stopped, and shows one item again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools")]

from soaking import (  # noqa: E402
    attributes,
    bounding,
    children,
    corpora,
    damage,
    drawing,
    judgements,
    models,
    reading,
    session,
    work,
)
from soaking.outcome import Counts, Failure, Finding  # noqa: E402
from soaking.report import table  # noqa: E402
from soaking.state import State  # noqa: E402

import interp  # noqa: E402
import interp.kernels  # noqa: E402
from interp.loading import warm  # noqa: E402
from tests.library.oracles.trees import by_integers  # noqa: E402


@pytest.fixture(autouse=True)
def restored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore the settings that the tool changes for its process."""
    monkeypatch.setattr(warm, "TIMEOUT", warm.TIMEOUT)
    monkeypatch.setenv("INTERP_MEMORY", str(1 << 28))
    monkeypatch.setattr(session, "SIZE", {"program": 6, "damaged": 10})


def soaked(programs: int, damaged: int, state: State | None = None, **options: Any) -> State:
    """A soak in this process."""
    state = state or State(seed=3)
    session.soak(state, session.Plan({"program": programs, "damaged": damaged}, jobs=0, **options))
    return state


@pytest.mark.slow("24 programs and 40 damaged inputs, against brute force")
def test_a_quick_soak() -> None:
    state = soaked(24, 40)
    assert (state.done("program"), state.done("damaged")) == (24, 40)
    assert state.counts["programs run"] == 24
    assert state.counts["programs compiled"] > 0
    assert state.counts["verdicts replayed"] > 0
    assert sum(state.counts[f"{kind}: damaged"] for kind in ("bytes", "text", "model")) == 40
    assert state.counts["bytes: malformed"] > 0
    assert "24 programs" in table(state)
    engine = [f for f in state.failures if f.kind in ("engine", "compile", "text", "crash", "damaged: Bug")]
    assert engine == [], "\n".join(f.text for f in engine)


def test_items_are_the_same_in_every_process() -> None:
    code = f"""
import sys
sys.path[:0] = [{str(ROOT / "tools")!r}, {str(ROOT)!r}]
from soaking import damage, drawing
t, d = drawing.trial(1, 7), damage.damaged(1, 8)
print(repr((t.program.module, t.program.args, t.schedule, d)))
"""
    env = {**os.environ, "PYTHONHASHSEED": "7"}
    other = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    t, d = drawing.trial(1, 7), damage.damaged(1, 8)
    assert other.stdout.strip() == repr((t.program.module, t.program.args, t.schedule, d))


def test_damaged_inputs_are_drawn_from_exports_and_models() -> None:
    """Of 400: bytes and texts of exports, and ONNX models, with a damaged attribute among the changes."""
    items = [damage.damaged(5, n) for n in range(400)]
    assert {item.kind for item in items} == {"bytes", "text", "model"}
    exports = {name for name, _ in corpora.exports()}
    for kind in ("bytes", "text"):
        assert any(item.kind == kind and item.source in exports for item in items), kind
    drawn = {change for item in items for change in item.how.split(", ")}
    changes = {f.__name__ for f in (*damage.BYTES, *damage.TEXTS, *attributes.CHANGES, *models.CHANGES)}
    assert drawn == changes


def test_one_attribute_is_damaged_and_the_rest_is_as_it_was() -> None:
    text = '%0 = "x.y"(%a) <{one = [1, {a = "}, "}], two = array<i64: 1, 2>}> : (i8) -> i8'
    found = [text[f.start : f.end] for f in attributes.fields(text + " ", Random(0))]
    assert found
    assert all(" = " in field for field in found)
    whole = {text[f.start : f.end] for f in attributes._from(text, 0)}
    assert whole == {'one = [1, {a = "}, "}]', 'a = "}, "', "two = array<i64: 1, 2>"}
    for change in attributes.CHANGES:
        changed = {change(text, Random(k)) for k in range(20)}
        assert any(each != text for each in changed), change.__name__
        assert all(each.endswith("> : (i8) -> i8") for each in changed)


@pytest.mark.slow("starts several processes")
def test_a_wrong_engine_is_found_made_small_and_shown_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A `reduce` that gives zeros, or the numbers that stand for them."""
    right = interp.kernels.KERNELS["stablehlo.reduce"]
    wrong = lambda *given: tuple(x * 0 for x in right(*given))
    monkeypatch.setitem(interp.kernels.KERNELS, "stablehlo.reduce", wrong)
    found: list[Failure] = []
    state = soaked(24, 0, found=found.append)
    first = next(failure for failure in found if failure.kind == "engine")
    assert "stablehlo.reduce" in first.reproduction
    assert f"tools/soak --only {first.item}" in first.text
    assert state.sorts.total() >= len(found)
    again: list[Failure] = []
    tell = lambda m: again.extend(m.failures) if isinstance(m, work.Done) else None
    work.work(work.Block(3, "program", (int(first.item[1:]),), thorough=True), set(), tell)
    assert [f.evidence for f in again if f.kind == "engine"] == [first.evidence]
    scope: dict[str, Any] = {"interp": interp, "np": __import__("numpy")}
    exec(first.reproduction, scope)
    interp.run(scope["m"], *scope["args"], schedule=scope["schedule"])


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Two halves, the first interrupted in its second block, give what one whole gives."""
    file = tmp_path / "soak.json"
    interrupted = iter([False, True])

    def progress(state: State) -> None:
        if next(interrupted, False):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        soaked(12, 20, progress=progress, save=lambda state: state.save(file))
    begun = State.load(file, 3)
    assert 0 < begun.done("program") + begun.done("damaged") < 32
    assert json.loads(file.read_text())["seed"] == 3
    resumed, whole = soaked(12, 20, begun), soaked(12, 20)
    assert (resumed.counts, resumed.next, resumed.sorts) == (whole.counts, whole.next, whole.sorts)
    with pytest.raises(SystemExit, match="expected seed 3, with which it was begun, got 4"):
        State.load(file, 4)


@pytest.mark.filterwarnings("ignore:os.fork", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_process_that_dies_or_hangs_loses_one_item(monkeypatch: pytest.MonkeyPatch) -> None:
    """The items after it are checked by another process, and it is a finding."""
    monkeypatch.setattr(session, "SIZE", {"program": 12})
    monkeypatch.setattr(session, "serve", dying)
    monkeypatch.setattr(session, "TIMEOUT", 1.0)
    monkeypatch.setattr(session, "LOADED", 2)
    monkeypatch.setattr(session, "PROCESSES", session.get_context("fork"))
    state = State()
    session.soak(state, session.Plan({"program": 12, "damaged": 0}, jobs=1))
    assert state.done("program") == 12
    assert {(f.item, f.kind) for f in state.failures} == {("p4", "crash"), ("p7", "hang")}
    assert state.counts["programs run"] == 10


def test_an_item_waits_for_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """After its limit on the clock it has as much CPU time, and ten times as long if it gets none."""
    clock, used = [0.0], [0.0]
    monkeypatch.setattr(session.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(session, "seconds_of", lambda pid: used[0])
    monkeypatch.setattr(session, "TIMEOUT", 100.0)
    monkeypatch.setattr(session, "LOADED", 10)
    hand = session.Hand.__new__(session.Hand)
    hand.part = session.Part(work.Block(0, "program", (1,)), item="p1")
    hand.process = SimpleNamespace(pid=1)  # type: ignore[assignment]
    for passed, seconds, late in ((99, 50, False), (101, 60, False), (500, 159, False), (600, 161, True)):
        if passed == 99:
            hand.begin()
        clock[0], used[0] = passed, seconds
        assert hand.is_late() is late
    hand.begin()  # the next item begins at 600
    clock[0] = 1601.0
    assert hand.is_late()


@pytest.mark.skipif(not children.PROCESSES.is_dir(), reason="CPU time is read from /proc")
def test_cpu_time_is_that_of_all_descendants() -> None:
    """A child of a child works; the child itself waits."""
    inner = "while True: pass"
    outer = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {inner!r}]).wait()"
    with subprocess.Popen([sys.executable, "-c", outer], start_new_session=True) as process:
        try:
            end = time.monotonic() + 60
            while children.seconds_of(process.pid) < 0.5 and time.monotonic() < end:
                time.sleep(0.05)
            assert children.seconds_of(process.pid) >= 0.5
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    assert children.seconds_of(process.pid) == 0


def test_a_process_ends_with_the_one_that_started_it(tmp_path: Path) -> None:
    """Its item may never end; killed, the parent cannot say so."""
    (tmp_path / "parent.py").write_text(f"""
import multiprocessing, os, sys, time
sys.path[:0] = [{str(ROOT / "tools")!r}, {str(ROOT)!r}]
from soaking.children import end_with_parent
def endless():
    end_with_parent()
    print(os.getpid(), flush=True)
    while True:
        pass
if __name__ == "__main__":
    multiprocessing.get_context("spawn").Process(target=endless).start()
    time.sleep(60)
""")
    command = [sys.executable, str(tmp_path / "parent.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        parent.kill()
    end = time.monotonic() + 30
    while Path(f"/proc/{pid}").exists() and time.monotonic() < end:
        time.sleep(0.05)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_command_may_loop_for_long_only_in_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """A `while` that does not end is the program's; anything else that does not end is a finding."""
    monkeypatch.setattr(reading, "LONGEST", 0.5)
    monkeypatch.setattr(reading, "VERBS", {"run": "run {}"})
    endless = """func.func @main() -> tensor<i1> {
      %c = stablehlo.constant dense<true> : tensor<i1>
      %0 = stablehlo.while(%x = %c) : tensor<i1> cond { stablehlo.return %x : tensor<i1> }
        do { stablehlo.return %x : tensor<i1> }
      return %0 : tensor<i1> }"""
    counts = Counts()
    reading.command(damage.Damaged(endless, "here", "seeded"), Random(0), counts)
    assert counts["commands: status loops for long"] == 1
    monkeypatch.setattr(reading, "main", lambda _: next(x for x in iter(int, 1) if x))
    with pytest.raises(Finding, match="no end after"):
        reading.command(damage.Damaged(reading.SMALLEST, "here", "seeded"), Random(0), Counts())


def test_only_what_agrees_bit_for_bit_is_held_against_the_oracle() -> None:
    """`logistic` of f64 differs by 2 ulp at most, of f32 by none: docs/agreement.md."""
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.logistic %x : tensor<4xf32>
      return %0 : tensor<4xf32> }"""
    for type, number in (("f32", 1), ("f64", 0)):
        counts = Counts()
        reading.read(damage.Damaged(text.replace("f32", type), "here", "seeded"), Random(0), counts)
        assert counts["text: ran"] == 1
        assert counts["damaged, and the oracle agrees"] == number


def dying(pipe: Any) -> None:
    import time

    block, _ = pipe.recv()
    for number in block.numbers:
        pipe.send(work.Begun(f"p{number}"))
        if number == 4:
            os._exit(3)
        if number == 7:
            time.sleep(60)
        pipe.send(work.Done(f"p{number}", Counts({"programs run": 1}), (), 0.0))
    pipe.send(None)
    time.sleep(60)


def test_judgements_are_held_against_all_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict that is always `safe`, a bound one too small, and a refuted member are found."""
    kinds: set[str] = set()
    monkeypatch.setattr("interp.questions.verdicts.INEVITABLE", "safe")
    monkeypatch.setattr("interp.questions.verdicts.ORDER_DEPENDENT", "safe")
    monkeypatch.setattr("interp.questions.bounds.WIDTHS", (2, 4, 8, 16, 32))
    monkeypatch.setattr("interp.questions.bounds.narrowest", lambda least, greatest, signed: 2)
    monkeypatch.setattr("interp.questions.bounds.has_room", lambda *_: True)
    monkeypatch.setattr("interp.questions.bounds.is_exact", lambda *_: True)
    monkeypatch.setattr("interp.questions.permitted.search.membership", refuted)
    monkeypatch.setattr("interp.questions.permitted.members.ROUNDS", ())
    for others in ("OTHERS", "REPEATING"):
        monkeypatch.setattr(f"interp.questions.permitted.search.{others}", ())
    for number in range(80):
        for check in (judgements.verdicts, bounding.bounds, judgements.permits):
            try:
                check(drawing.trial(0, number), Counts())
            except Finding as finding:
                kinds.add(finding.kind)
        if len(kinds) == 3:
            break
    assert kinds == {"verdict", "bounds", "permits"}


def refuted(*args: Any, **options: Any) -> Any:
    from spec.permitted import Membership

    return Membership("not permitted", "seeded")


def test_brute_force_by_hand() -> None:
    """100 + 28 - 1 in i8: one of two trees overflows; 100 + 100: the only one; 1 + 2 + 3: none."""
    assert by_integers([100, 28, -1], -128, 127, wraps=False).kind == "order-dependent"
    assert set(by_integers([100, 28, -1], -128, 127, wraps=False).states) == {"(126,)", "(127,)"}
    assert set(by_integers([100, 28, -1], -128, 127, wraps=True).states) == {"(127,)"}
    assert by_integers([100, 100], -128, 127, wraps=False).kind == "inevitable"
    assert by_integers([1, 2, 3], -128, 127, wraps=False).kind == "safe"


@pytest.mark.parametrize("error", [ValueError("foreign"), interp.Bug("ours")])
def test_what_is_no_error_of_ours_is_found(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(interp, "load", fail)
    with pytest.raises(Finding, match="foreign" if isinstance(error, ValueError) else "Bug"):
        reading.read(damage.Damaged("x", "here", "seeded"), Random(0), Counts())


def test_a_lost_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    old = reading.existing()
    path = Path("lowered.mlir")
    assert path in old
    reading.whole("lower", path, old[path], Counts())
    path.write_text("module {")
    with pytest.raises(Finding, match="lost file: lower"):
        reading.whole("lower", path, old[path], Counts())
    path.write_text(reading.SMALLEST)
    reading.whole("lower", path, old[path], Counts())
