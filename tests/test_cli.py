"""The command line: what it prints and where, and its exit status."""

from __future__ import annotations

import io
import os
import random
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import interp
from interp.__main__ import main
from interp.command.options import verbs_of
from interp.command.progress import ProgressBar
from interp.command.status import complete_parser
from interp.engine.inputs import read_arguments
from spec.errata import table
from tests.library.builders import UNCHECKED

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "testdata" / "programs"
SATURATING = str(PROGRAMS / "saturating_sum.current.mlirbc")
ARGUMENTS = str(PROGRAMS / "saturating_sum.npz")
WIDENED = str(PROGRAMS / "widened_sum.current.mlirbc")

BF16 = """
func.func @main(%x: tensor<2xbf16>, %n: tensor<2xi4>) -> (tensor<2xbf16>, tensor<2xi4>) {
  %0 = stablehlo.add %x, %x : tensor<2xbf16>
  return %0, %n : tensor<2xbf16>, tensor<2xi4>
}
"""
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
Captured = pytest.CaptureFixture[str]


def test_show(capsys: Captured) -> None:
    assert main(["show", SATURATING]) == 0
    text = capsys.readouterr().out
    assert '%0 = "stablehlo.reduce"(%arg0, %cst) ({' in text
    assert "// @main: 3 operations, 3 of them on quantized types" in text
    assert interp.load(text) == interp.load(SATURATING)


def test_large_constants_are_abbreviated(capsys: Captured, tmp_path: Path) -> None:
    numbers = ", ".join(map(str, range(1000)))
    source = tmp_path / "constant.mlir"
    source.write_text(
        "func.func @main() -> tensor<1000xi32> {\n"
        f"  %0 = stablehlo.constant dense<[{numbers}]> : tensor<1000xi32>\n  return %0 : tensor<1000xi32>\n}}"
    )
    assert main(["show", str(source)]) == 0
    text = capsys.readouterr().out
    assert "dense<[0, 1, 2, ...]>" in text
    assert len(text) < 1000


def test_verify(capsys: Captured, tmp_path: Path) -> None:
    assert main(["verify", SATURATING]) == 0
    assert capsys.readouterr().out == "no violations (strict)\n"
    source = tmp_path / "invalid.mlir"
    source.write_text(UNCHECKED)
    assert main(["verify", str(source), "--dialect", "rfc"]) == 1
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{source}:4:8: reduce_c5: ")
    assert second.startswith("  dimensions = (1, 1)")


def test_a_violation_stops_a_run(capsys: Captured, tmp_path: Path) -> None:
    source = tmp_path / "invalid.mlir"
    source.write_text(UNCHECKED)
    assert main(["run", str(source), "--dialect", "rfc", "--random", "1"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"{source}:4:8: reduce_c5: ")


def test_run_prints_and_saves(capsys: Captured, tmp_path: Path) -> None:
    assert main(["run", WIDENED, ARGUMENTS, "--save", str(tmp_path / "results")]) == 0
    (expected,) = interp.run(interp.load(WIDENED), np.load(ARGUMENTS)["arg0"])
    out = capsys.readouterr().out
    assert repr(expected) in out
    assert f"{tmp_path}/results/out0.npy" in out
    saved = np.load(tmp_path / "results" / "out0.npy")
    assert saved.dtype == np.int32
    assert saved.tolist() == expected.storage.tolist()


def test_exotic_element_types_travel_as_bits(tmp_path: Path) -> None:
    """1.5 is 0x3FC0 in bf16, and 3.0 is 0x4040; i4 is a byte an element."""
    source = tmp_path / "bf16.mlir"
    source.write_text(BF16)
    np.save(tmp_path / "x.npy", np.array([0x3FC0, 0xBFC0], np.uint16))
    np.save(tmp_path / "n.npy", np.array([-8, 7], np.int8))
    files = [str(tmp_path / name) for name in ("x.npy", "n.npy")]
    assert main(["run", str(source), *files, "--save", str(tmp_path)]) == 0
    assert np.load(tmp_path / "out0.npy").tolist() == [0x4040, 0xC040]
    assert np.load(tmp_path / "out0.npy").dtype == np.uint16
    assert np.load(tmp_path / "out1.npy").tolist() == [-8, 7]
    np.save(tmp_path / "x.npy", np.array([1.5, -1.5]).astype("bfloat16"))  # as NumPy does: nameless bytes
    assert main(["run", str(source), *files, "--save", str(tmp_path / "again")]) == 0
    assert np.load(tmp_path / "again" / "out0.npy").tolist() == [0x4040, 0xC040]


def test_random_arguments_are_in_range_and_repeatable(capsys: Captured, tmp_path: Path) -> None:
    source = tmp_path / "bf16.mlir"
    source.write_text(BF16)
    outputs = []
    for seed in ("1", "1", "2"):
        assert main(["run", str(source), "--random", seed]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != outputs[2]
    for program in sorted(PROGRAMS.glob("*.current.mlirbc")):
        assert main(["run", str(program), "--random", "3"]) == 0


@pytest.mark.parametrize("schedule", ["balanced", "blocks(32)", "random(7)"])
def test_schedule(schedule: str, capsys: Captured) -> None:
    assert main(["run", WIDENED, ARGUMENTS, "--schedule", schedule]) == 0
    (expected,) = interp.run(interp.load(WIDENED), np.load(ARGUMENTS)["arg0"], schedule=schedule)
    assert repr(expected) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "stored"),
    [
        (["--reading", "integer"], "40, -17"),
        (["--reading", "integer", "--accumulator", "i6"], "-24, -17"),
        (["--reading", "integer", "--accumulator", "i6 saturate"], "31, -17"),
        (["--reading", "integer", "--recipe", "tflite_double"], "40, -17"),
    ],
)
def test_reading(options: list[str], stored: str, capsys: Captured, tmp_path: Path) -> None:
    type = "tensor<2x!quant.uniform<i8:f32, 1.0>>"
    body = f"{{ %0 = stablehlo.multiply %x, %y : {type} return %0 : {type} }}"
    text = f"func.func @main(%y: {type}, %x: {type}) -> {type} {body}"
    path, x = tmp_path / "m.mlir", tmp_path / "x.npy"
    path.write_text(text)
    np.save(x, np.int8([8, -17]))
    np.save(tmp_path / "y.npy", np.int8([5, 1]))
    assert main(["run", str(path), str(x), str(tmp_path / "y.npy"), *options]) == 0
    assert f"Tensor([ {stored}]" in capsys.readouterr().out.replace("[-", "[ -")


def test_recipe_and_reading_reach_permits(capsys: Captured, tmp_path: Path) -> None:
    """0.5 is rounded half up by one recipe; it is 0 in the dequantize reading and by default."""
    half, one = (f"tensor<1x!quant.uniform<i8:f32, {scale}>>" for scale in (0.5, 1.0))
    path, x, y = (tmp_path / name for name in ("m.mlir", "x.npy", "y.npy"))
    body = f"{{ %0 = stablehlo.uniform_quantize %x : ({half}) -> {one} return %0 : {one} }}"
    path.write_text(f"func.func @main(%x: {half}) -> {one} {body}")
    np.save(x, np.int8([1]))
    np.save(y, np.int8([1]))
    command = ["permits", str(path), str(x), "--results", str(y)]
    assert main(command) == 1
    assert main([*command, "--reading", "integer", "--recipe", "tflite_single"]) == 0
    assert "in the integer reading" in capsys.readouterr().out


def test_trace(capsys: Captured) -> None:
    assert main(["trace", SATURATING, ARGUMENTS]) == 0
    (line, _, _, summary) = capsys.readouterr().out.splitlines()
    assert line.startswith("saturating_sum.mlir:7:26 reduce %0: saturate x ")
    assert summary.startswith("%0 reduce ")
    assert main(["trace", SATURATING, ARGUMENTS, "--fail-on", "saturate"]) == 1
    assert main(["trace", SATURATING, ARGUMENTS, "--fail-on", "wrap"]) == 0


def test_fail_on(capsys: Captured) -> None:
    assert main(["run", WIDENED, ARGUMENTS, "--fail-on", "saturate"]) == 0
    capsys.readouterr()
    assert main(["run", SATURATING, ARGUMENTS, "--fail-on", "wrap", "--fail-on", "saturate"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("saturating_sum.mlir:7:26: saturate x ")
    assert "\n  first at result (" in err


def test_compare(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["compare", WIDENED, ARGUMENTS]) == 0
    assert "holds" in capsys.readouterr().out
    monkeypatch.setattr(sys.modules["interp.comparison.compare"].Comparison, "ok", False)
    assert main(["compare", WIDENED, ARGUMENTS]) == 1


def test_compare_with_another_program(capsys: Captured) -> None:
    assert main(["compare", WIDENED, ARGUMENTS, "--against", WIDENED]) == 0
    assert "no difference in any pair" in capsys.readouterr().out


def test_errata(capsys: Captured) -> None:
    assert main(["errata"]) == 0
    out = capsys.readouterr().out
    assert all(f"{row.id}: {row.text}\n" in out for row in interp.errata)


def test_help_teaches_by_example(capsys: Captured) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert "interp compare model.mlirbc args.npz" in out
    assert "0 fine; 1 a finding" in out
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    assert "bits in unsigned integers" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "missing.mlirbc"], "missing.mlirbc: "),
        (["run", SATURATING], "@main takes 1 arguments, 0 given"),
        (["run", SATURATING, ARGUMENTS, "--random", "1"], "arguments and --random"),
        (["run", SATURATING, ARGUMENTS, "--schedule", "right"], "'right' is not a schedule"),
        (["run", SATURATING, ARGUMENTS, "--fail-on", "overflow"], "'overflow' is not a kind of event"),
        (["trace", SATURATING, ARGUMENTS, "--fail-on", "overflow"], "'overflow' is not a kind of event"),
        (["run", SATURATING, ARGUMENTS, "--function", "other"], "no function @other"),
        (["run", SATURATING, "missing.npy"], "missing.npy: No such file or directory"),
        (["run", SATURATING, str(ROOT / "LICENSE")], "LICENSE: not a .npy or .npz file"),
        (["run", SATURATING, f"{ARGUMENTS}:arg9"], "no array 'arg9' in it"),
        (
            ["run", SATURATING, ARGUMENTS, ARGUMENTS],
            "saturating_sum.npz: arrays that another file has, too: arg0",
        ),
        (["run", SATURATING, ARGUMENTS, "--schedule", "random(²)"], "'random(²)' is not a schedule"),
        (["run", SATURATING, ARGUMENTS, "--schedule", "random(--7)"], "'random(--7)' is not a schedule"),
        (["run", SATURATING, ARGUMENTS, "--schedule", f"blocks({'9' * 5000})"], "is not a schedule"),
        (["run", SATURATING, "--random", "-1"], "random seed -1 is negative"),
        (["show", "/dev/zero"], "/dev/zero: is not a regular file"),
        (["run", str(PROGRAMS / "argmax.npz"), ARGUMENTS], "argmax.npz: "),
        (["show", str(ROOT)], f"{ROOT}: "),
    ],
)
def test_unusable_input(arguments: list[str], message: str, capsys: Captured) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def test_an_archive_with_other_names(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "inputs.npz"
    np.savez(file, images=np.load(ARGUMENTS)["arg0"])
    assert main(["run", WIDENED, str(file)]) == 2
    message = f"{file}: its arrays are not the arguments\n  expected arg0\n  got images\n"
    assert capsys.readouterr().err.startswith(message)
    assert main(["run", WIDENED, f"{file}:images"]) == 0


@pytest.mark.parametrize("taken", ["/proc/foo", SATURATING, f"{SATURATING}/below"])
def test_a_folder_that_cannot_be_written_to_is_told_before_the_run(
    taken: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interp.engine.evaluate.Context.call", lambda *_: pytest.fail("it ran"))
    assert main(["run", SATURATING, ARGUMENTS, "--save", taken]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"{taken}: no folder to write to: ")


def test_version(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    for expected in (
        tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"],
        "unknown (not installed: pip install .)",
    ):
        with pytest.raises(SystemExit) as stop:
            main(["--version"])
        assert stop.value.code == 0
        assert capsys.readouterr().out == f"interp {expected}\n"
        monkeypatch.setattr(metadata, "version", missing)


def test_random_arguments_that_no_memory_holds(capsys: Captured, tmp_path: Path) -> None:
    source = tmp_path / "huge.mlir"
    source.write_text("func.func @main(%x: tensor<9x1000000000000000xi8>) { return }")
    assert main(["run", str(source), "--random", "1"]) == 2
    assert "argument %x needs 9,000,000,000,000,000 bytes" in capsys.readouterr().err


# Damaged arguments


def archive(folder: Path, **members: bytes) -> str:
    file = folder / "members.npz"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, content in members.items():
            whole.writestr(name, content)
    return str(file)


def as_npy(array: np.ndarray) -> bytes:
    whole = io.BytesIO()
    np.save(whole, array)
    return whole.getvalue()


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"arg0.npy": as_npy(np.zeros(3, np.int8)), "readme.txt": b"hello"}, "'readme.txt' is not an array"),
        ({"arg0.npy": as_npy(np.zeros(3, "V3"))}, "an array of |V3"),
        (
            {"arg0.npy": as_npy(np.zeros(3, [("a", "i1"), ("b", "i1")]))},
            "an array of [('a', 'i1'), ('b', 'i1')]",
        ),
    ],
)
def test_what_is_no_argument(members: Any, message: str, capsys: Captured, tmp_path: Path) -> None:
    file = archive(tmp_path, **members)
    assert main(["run", WIDENED, file]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"{file}: ")
    assert first.endswith(message)
    assert "numpy.save" in second


def test_the_one_array_of_an_archive_is_named(capsys: Captured, tmp_path: Path) -> None:
    file = archive(tmp_path, **{"x.npy": as_npy(np.zeros(3, np.int8))})
    np.save(tmp_path / "y.npy", np.zeros(3, np.int8))
    assert main(["run", WIDENED, file, str(tmp_path / "y.npy")]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"{file}: expected one array, got an archive"
    assert second == f"  write {file}:NAME for one of its arrays: x"


@pytest.mark.parametrize("suffix", ["npz", "npy"])
def test_mutated_files_are_read_or_malformed(suffix: str, tmp_path: Path) -> None:
    """One to three random bytes changed, from a fixed seed: never a raw error of NumPy, zipfile or zlib."""
    func = interp.load(WIDENED).main
    array = np.load(ARGUMENTS)["arg0"]
    whole = io.BytesIO()
    (np.savez_compressed(whole, arg0=array) if suffix == "npz" else np.save(whole, array))
    draw, file = random.Random(7), tmp_path / f"mutated.{suffix}"
    malformed = fine = 0
    for _ in range(300):
        content = bytearray(whole.getvalue())
        for _ in range(draw.randint(1, 3)):
            content[draw.randrange(min(len(content), 400))] = draw.randrange(256)
        file.write_bytes(content)
        try:
            read_arguments([str(file)], func)
        except interp.Malformed as error:
            malformed += str(error).startswith(f"{file}: ") and "\n  " in str(error)
        else:
            fine += 1
    assert malformed + fine == 300
    assert malformed > 50


@pytest.mark.parametrize("keep", [0, 5, 40, 150])
def test_a_truncated_array(keep: int, capsys: Captured, tmp_path: Path) -> None:
    for suffix in ("npy", "npz"):
        whole = io.BytesIO()
        {"npy": np.save, "npz": np.savez}[suffix](whole, np.zeros((4, 16), np.int8))
        file = tmp_path / f"cut.{suffix}"
        file.write_bytes(whole.getvalue()[:keep])
        assert main(["run", SATURATING, str(file)]) == 2
        assert str(file) in capsys.readouterr().err


def refusal(capsys: Captured, *arguments: str) -> tuple[str, str]:
    """Return the first line and the last line that a command prints before it exits with 2."""
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    first, *_, last = capsys.readouterr().err.splitlines()
    return first, last


def test_an_unknown_verb(capsys: Captured) -> None:
    assert refusal(capsys, "sort", SATURATING)[1].startswith(
        "interp: error: no verb 'sort': the verbs are show,"
    )
    assert (
        refusal(capsys, "--verison", "run")[1]
        == "interp: error: no option --verison: did you mean --version?"
    )
    first, last = refusal(capsys, "pove", SATURATING)
    assert (first[:17], last) == ("usage: interp [-h", "interp: error: no verb 'pove': did you mean prove?")


def test_a_wrong_option_shows_the_usage_of_its_verb_and_the_nearest_option(capsys: Captured) -> None:
    """One option of each verb without its last letter but one, after a file or where the file is missing."""
    for k, (verb, parser) in enumerate(verbs_of(complete_parser()).items()):
        known = [name for name in parser._option_string_actions if len(name) > 3]
        right = known[k % len(known)]
        wrong = right[:-2] + right[-1]
        first, last = refusal(capsys, verb, *([SATURATING, f"{wrong}=1"] if k % 2 else [wrong]))
        assert first.startswith(f"usage: interp {verb} [")
        told = last.removeprefix(f"interp {verb}: error: no option {wrong}: did you mean ")
        assert right in told.removesuffix("?").split(" or ")
    assert refusal(capsys, "errata", "-q")[1] == (
        "interp errata: error: no option -q: the options are --help, --json, --csv"
    )


def test_a_word_that_is_left_over_shows_the_usage_of_its_verb(capsys: Captured) -> None:
    first, last = refusal(capsys, "show", SATURATING, "more")
    assert first.startswith("usage: interp show [")
    assert last == "interp show: error: unrecognized arguments: more"


@pytest.mark.parametrize(
    ("option", "given", "message"),
    [
        ("--seconds", "nan", "nan is not from 0 to 1e+09"),
        ("--seconds", "-1", "-1 is not from 0 to 1e+09"),
        ("--timeout", "nan", "nan is not from 0.001 to 1e+09"),
        ("--timeout", "-2", "-2 is not from 0.001 to 1e+09"),
        ("--timeout", "0", "0 is not from 0.001 to 1e+09"),
        ("--timeout", "inf", "inf is not from 0.001 to 1e+09"),
        ("--timeout", "soon", "'soon' is not a number"),
        ("--seed", "-1", "-1 is not from 0 to inf"),
        ("--seed", "1.5", "'1.5' is not a number"),
    ],
)
def test_a_number_that_makes_no_sense(option: str, given: str, message: str, capsys: Captured) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["fuzz", f"{option}={given}"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.endswith(f"argument {option}: {message}\n")


def test_our_own_fault_is_no_finding(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("spec.ir.show", broken)
    assert main(["show", SATURATING]) == 2
    assert "a bug in interp" in capsys.readouterr().err


def test_the_installed_command_and_a_reader_that_stops() -> None:
    command = f"{sys.executable} -m interp show {SATURATING} | head -1; exit ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "module {\n", "")


def test_a_command_ends_with_all_that_it_printed_and_all_that_was_registered_for_its_end() -> None:
    code = "import atexit, sys; from interp.__main__ import main; sys.argv[1:] = ['errata']; "
    code += "atexit.register(print, 'registered'); main(); print('never')"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=BUFFERED, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"{table()}\nregistered\n"


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return the exit status, output and errors of a command line that begins with `interp`."""
    interp = f'interp() {{ {sys.executable} -m interp "$@"; }}; {command}'
    return subprocess.run(
        ["bash", "-c", interp],
        cwd=ROOT,
        env={**BUFFERED, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("environment", [{}, {"PYTHONUNBUFFERED": "1"}])
def test_a_command_tells_that_its_output_cannot_be_written(environment: dict[str, str]) -> None:
    result = shell(f"interp verify {SATURATING} > /dev/full", **environment)
    assert result.returncode == 2
    told = "the output cannot be used: No space left on device\n  make room, or name another place\n"
    assert result.stderr == told


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_help_that_cannot_be_written_is_told_too() -> None:
    result = shell("interp --help > /dev/full")
    assert (result.returncode, result.stderr.count("\n")) == (2, 2)


def test_a_closed_output_is_told() -> None:
    result = shell(f"interp lower {SATURATING} >&-")
    assert result.returncode == 2
    assert result.stderr.startswith("the output cannot be used: it is closed\n")


@pytest.mark.slow("starts processes", rows=1)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_what_an_output_has_no_code_for_is_a_question_mark(encoding: str) -> None:
    command = f"interp trace {SATURATING} {ARGUMENTS}"
    plain, whole = (shell(command, PYTHONIOENCODING=name) for name in (encoding, "utf-8"))
    assert (plain.returncode, plain.stderr) == (0, "")
    assert plain.stdout == whole.stdout.encode(encoding, "replace").decode(encoding) != whole.stdout


@pytest.mark.parametrize("module", ["argparse", "interp.command.verbs", "spec.errors", "numpy"])
def test_an_interrupt_of_an_import_is_quiet(module: str) -> None:
    code = f"""
import sys
sys.modules.pop({module!r}, None)
class Interrupt:
    def find_spec(self, name, *rest):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
sys.argv[1:] = ["run", {SATURATING!r}, {ARGUMENTS!r}]
from interp.__main__ import main
main()
"""
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (130, b"", b"")


@pytest.mark.slow("starts processes", rows=1)
@pytest.mark.parametrize("file", [SATURATING, str(PROGRAMS / "saturating_sum.mlir")])
def test_a_program_may_come_from_standard_input(file: str) -> None:
    piped, named = (
        shell(f"{command} {ARGUMENTS}").stdout
        for command in (f"cat {file} | interp trace -", f"interp trace {file}")
    )
    assert piped == named.replace(file, "<stdin>") != ""


def test_a_finding_in_standard_input_shows_its_line(tmp_path: Path) -> None:
    source = tmp_path / "invalid.mlir"
    source.write_text(UNCHECKED)
    piped, named = (shell(f"interp verify {file} --dialect rfc < {source}") for file in ("-", source))
    assert (piped.returncode, named.returncode) == (1, 1)
    assert piped.stdout == named.stdout.replace(str(source), "<stdin>")
    assert piped.stdout.startswith("<stdin>:4:8")
    assert piped.stdout.endswith("       ^\n")


def test_what_standard_input_cannot_be(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    cases = {
        f"cat {SATURATING} | interp show /dev/stdin": "a command reads standard input where that is -",
        "interp show - < /dev/null": "<stdin>: empty",
        "interp show - <&-": "<stdin>: empty",
        f"interp repl - < {SATURATING}": "standard input is what is typed",
    }
    for command, message in cases.items():
        result = shell(command)
        assert result.returncode == 2
        assert message in result.stderr
    monkeypatch.setattr("interp.command.options.PIPED", 3)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"four")))
    assert main(["show", "-"]) == 2
    assert capsys.readouterr().err.startswith("standard input has more than 3 bytes\n")


# Progress


def test_progress_shows_on_a_terminal_during_long_runs() -> None:
    screen = io.StringIO()
    module = interp.load(WIDENED)
    with ProgressBar(Console(file=screen, force_terminal=True, width=100), after=0.0) as bar:
        interp.run(module, np.load(ARGUMENTS)["arg0"], listeners=[bar, interp.Listener()])  # it sees nodes
        bar.show()
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.getvalue())
    assert re.search(r"widened_sum.mlir:6:10 reduce %0 .* 16/16 +leaves", text)


@pytest.mark.parametrize("schedule", ["balanced", "blocks(4)", "random(1)"])
def test_progress_counts_leaves_under_every_schedule(schedule: str) -> None:
    bar = ProgressBar(Console(file=io.StringIO(), force_terminal=True))
    listeners = [bar, interp.Listener()]
    interp.run(interp.load(WIDENED), np.load(ARGUMENTS)["arg0"], listeners=listeners, schedule=schedule)
    assert bar.total == 16
    assert bar.done >= 16
    assert bar.bar is None  # a second has not passed


def test_the_command_line_shows_progress_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(ProgressBar.__init__, "__defaults__", (0.0,))
    saturating = [str(PROGRAMS / f"saturating_sum.{end}") for end in ("mlir", "npz")]
    for screen, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", screen)
        monkeypatch.setitem(os.environ, "TERM", "xterm")
        monkeypatch.setitem(os.environ, "COLUMNS", "300")  # shows the counts behind a long path, too
        assert main(["trace", *saturating]) == 0
        assert ("leaves" in screen.getvalue()) == shown
