"""A file is written whole or not at all: what was there survives a full disk, an interrupt and a limit."""

from __future__ import annotations

import ast
import errno
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import interp
from interp.engine import files
from interp.engine.files import replacing, write_bytes, write_text
from interp.engine.inputs import read_array, write_arrays
from interp.execute.lower import lower, save
from spec.errors import Malformed

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "testdata/programs/overflowing_pool.mlir"
ARGS = PROGRAM.with_suffix(".npz")
LIMIT = 200  # bytes that a file of a limited process may have, less than any of the outputs
OLD = b"what was there\n"


class Full:
    """A stream that has room for half of what it is given."""

    def __init__(self, stream: object, error: BaseException) -> None:
        self.stream, self.error = stream, error

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)

    def write(self, data: bytes) -> int:
        self.stream.write(data[: len(data) // 2])  # type: ignore[attr-defined]
        raise self.error

    def __enter__(self) -> Full:
        return self

    def __exit__(self, *error: object) -> None:
        self.stream.close()  # type: ignore[attr-defined]


def break_disk(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    opened = open
    monkeypatch.setattr(files, "open", lambda *a, **k: Full(opened(*a, **k), error), raising=False)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("old", [OLD, None])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_what_fails_midway_leaves_what_was_there(
    old: bytes | None, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.html"
    if old is not None:
        path.write_bytes(old)
    before = names(tmp_path)
    break_disk(monkeypatch, error)
    with pytest.raises(Malformed if isinstance(error, OSError) else KeyboardInterrupt) as raised:
        write_text(path, "new " * 100)
    if isinstance(error, OSError):
        message = f"{path}: cannot be written: No space left on device\n  make room, or name another file"
        assert str(raised.value) == message
    assert names(tmp_path) == before
    assert old is None or path.read_bytes() == old


def test_several_arrays_are_all_written_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = [np.int8([1, 2]), np.float32(3)]
    paths = write_arrays(old, tmp_path, "out")
    assert [str(read_array(str(path))) for path in paths] == ["[1 2]", "3.0"]
    real, opened = files._beside, []

    def second_fails(target: Path) -> object:
        opened.append(target)
        if len(opened) == 2:
            break_disk(monkeypatch, OSError(errno.ENOSPC, "No space left on device"))
        return real(target)

    monkeypatch.setattr(files, "_beside", second_fails)
    with pytest.raises(Malformed, match=r"out1\.npy: cannot be written: No space"):
        write_arrays([np.int8([5, 6]), np.float32(7)], tmp_path, "out")
    assert [str(read_array(str(path))) for path in paths] == ["[1 2]", "3.0"]
    assert names(tmp_path) == ["out0.npy", "out1.npy"]


# Real limits, in a process of their own -------------------------------------------------------------


def limited(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python where no file may have more than `LIMIT` bytes."""
    head = f"import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({LIMIT}, {LIMIT}))\n"
    command = [sys.executable, "-c", head + code]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def command(*words: object) -> str:
    return f"import sys\nfrom interp.__main__ import main\nsys.exit(main({list(map(str, words))!r}))"


ARRAYS = """import numpy as np, sys
from interp.engine.inputs import write_arrays
from pathlib import Path
from spec.errors import Malformed
try:
    write_arrays([np.zeros(300, np.int8)], Path(), 'out')
except Malformed as error:
    print(error, file=sys.stderr)
    sys.exit(2)
"""
WRITERS = {
    "trace.json": command("trace", PROGRAM, ARGS, "--json", "trace.json"),
    "plain.mlirbc": command("lower", PROGRAM, "-o", "plain.mlirbc"),
    "out0.npy": ARRAYS,  # too small to be cut off before it is closed
}


@pytest.mark.slow("starts processes", rows=1)
@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_the_system_cuts_off_leaves_the_old_one(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(OLD)
    result = limited(WRITERS[name], tmp_path)
    assert f"{name}: cannot be written: File too large\n  make room" in result.stderr
    assert (result.returncode, names(tmp_path)) == (2, [name])
    assert (tmp_path / name).read_bytes() == OLD


def test_numpys_own_writer_says_nothing_of_a_cut_off_file(tmp_path: Path) -> None:
    """The reason not to use it; where it raises one day, `_write_array` may go."""
    result = limited("import numpy as np\nnp.save('x.npy', np.zeros(300, np.int8))", tmp_path)
    assert (result.returncode, (tmp_path / "x.npy").stat().st_size) == (0, LIMIT)


# What is no regular file, links, permissions ------------------------------------------------------


def test_a_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder/target", tmp_path / "link"
    target.write_bytes(OLD)
    link.symlink_to("folder/target")
    write_bytes(link, b"new")
    assert (link.is_symlink(), target.read_bytes(), names(target.parent)) == (True, b"new", ["target"])
    dangling = tmp_path / "dangling"
    dangling.symlink_to("folder/made")
    write_bytes(dangling, b"made")
    assert (dangling.is_symlink(), (tmp_path / "folder/made").read_bytes()) == (True, b"made")


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o666])
def test_permissions_stay(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(OLD)
    path.chmod(mode)
    write_bytes(path, b"new")
    assert path.stat().st_mode & 0o7777 == mode


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(OLD)
    write_bytes(tmp_path / "ours", OLD)
    assert len({(tmp_path / name).stat().st_mode for name in ("usual", "ours")}) == 1


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    write_bytes(path, OLD)
    assert path.read_bytes() == OLD


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe, received = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write_text(pipe, "through")
    reader.join()
    assert (received, pipe.is_fifo()) == ([b"through"], True)


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
@pytest.mark.parametrize("to_a_file", [False, True])
def test_the_standard_output_by_its_name(name: str, to_a_file: bool, tmp_path: Path) -> None:
    """A file that the shell has open is written to, not replaced: what is printed later would be lost."""
    if not Path(name).exists():
        pytest.skip("this system has no such name")
    code = "import sys\nfrom pathlib import Path\nfrom interp.engine.files import write_text\n"
    code += f"write_text(Path({name!r}), 'through')\nprint(' and on')"
    with open(tmp_path / "printed", "a+b") as printed:  # appending, or the two would overwrite each other
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        stdout = printed if to_a_file else subprocess.PIPE
        result = subprocess.run([sys.executable, "-c", code], stdout=stdout, env=environment, check=True)
        printed.seek(0)
        assert (printed.read() if to_a_file else result.stdout) == b"through and on\n"
    assert names(tmp_path) == ["printed"]


def test_a_device_is_written_to() -> None:
    write_text(Path("/dev/null"), "away")
    assert not Path("/dev/null").is_file()
    if Path("/dev/full").exists():
        with pytest.raises(Malformed, match="/dev/full: cannot be written: No space left"):
            write_text(Path("/dev/full"), "away")


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.symlink_to(path.name)])
def test_folders_and_links_in_a_circle_are_refused(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "x")
    with pytest.raises(Malformed, match=r"x: cannot be written: (Is a directory|Too many levels)"):
        write_text(tmp_path / "x", "no")
    assert names(tmp_path) == ["x"]


def test_names_that_no_file_has_are_refused(tmp_path: Path) -> None:
    for name in ("a\0b", "n" * 300, "no/such/folder"):
        with pytest.raises(Malformed, match="cannot be written"), replacing(tmp_path / name):
            raise AssertionError("it was opened")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(OLD)
    path.chmod(0o400)
    with pytest.raises(Malformed, match="cannot be written: Permission denied"):
        write_bytes(path, b"new")
    assert path.read_bytes() == OLD


def test_text_that_utf_8_cannot_say_is_written_all_the_same(tmp_path: Path) -> None:
    """A location of damaged bytes has surrogates."""
    write_text(tmp_path / "x", "a\udcffb")
    assert (tmp_path / "x").read_bytes() == b"a?b"


# Nobody else writes -------------------------------------------------------------------------------

WRITING = {"write_text", "write_bytes", "save", "savez", "savez_compressed", "tofile", "fdopen", "dump"}
# Not for users: pipes between processes, memory, temporary folders.
ALLOWED = {
    ("interp/backends/machine_code.py", "fdopen"),  # compiled code, renamed when complete
    ("interp/backends/compiling.py", "save"),  # of numba's cache, by the same
    ("interp/apps/blaming/answer.py", "save"),  # of `Slice`, by interp/engine/files.py
    ("interp/command/judging.py", "save"),  # of `Blame`, by interp/engine/files.py
    ("interp/command/questions.py", "save"),  # of `Shrunk`, by interp/engine/files.py
    ("interp/command/programs.py", "save"),  # of `Quantized`, by interp/engine/files.py
    ("interp/loading/child_process.py", "dump"),  # into memory
    ("interp/loading/child_process.py", "fdopen"),
    ("interp/loading/server.py", "fdopen"),
    ("tools/_venv.py", "write_text"),  # runs before there is a package
    ("tools/docs", "write_text"),  # into the site that it makes
    ("tools/emit_bytecode.py", "savez_compressed"),
    ("tools/benchmarks/litert_models.py", "write_bytes"),
    ("tools/decoding/cost.py", "write_bytes"),  # into a temporary folder
    ("tools/decoding/cost.py", "savez"),
    ("tools/decoding/quality.py", "savez"),
    ("tools/litert_networks.py", "savez_compressed"),
    ("tools/litert_networks.py", "write_bytes"),
    ("tools/litert_written.py", "savez"),
    ("tools/litert_written.py", "write_bytes"),
    ("tools/litert_operators.py", "savez_compressed"),
    ("tools/sessions.py", "write_text"),  # pages of the documentation, kept by git
    ("tools/judge_wide", "save"),  # into a temporary folder
    ("tools/judge_wide", "write_text"),
    ("tools/judge_planted", "dump"),  # a device's, into memory
    ("tools/benchmarks/first_runs.py", "write_text"),  # into a temporary folder
    ("tools/benchmarks/first_runs.py", "write_bytes"),
    ("tools/mutation/trial.py", "open"),  # /dev/null
    *(
        (f"tools/exporting/{name}_models.py", writer)  # test data, kept by git
        for name in ("jax", "qwix", "tensorflow", "torch")
        for writer in ("write_bytes", "savez", "savez_compressed")
    ),
    ("tools/exporting/scaled_models.py", "write_bytes"),  # test data, kept by git
    ("tools/exporting/qwix_blocks_models.py", "write_bytes"),
    ("tools/exporting/qwix_blocks_models.py", "savez_compressed"),
    ("tools/exporting/torchao_models.py", "save"),
    ("tools/exporting/torchao_models.py", "savez_compressed"),
    ("tools/exporting/onnx_networks.py", "save"),  # test data, kept by git
    ("tools/exporting/environments.py", "write_text"),  # what an environment holds
    ("tools/exploring.py", "open"),  # appends a line to a temporary file
    ("tools/mutation/judges.py", "write_bytes"),  # by interp/engine/files.py
    ("tools/mutation/questions.py", "write_bytes"),  # into a temporary folder
    ("tools/mutation/conforming.py", "open"),  # /dev/null
    ("tools/onnx_fused.py", "save"),  # into a temporary folder, and what is drawn anew
    ("tools/onnx_models.py", "save"),  # into a temporary folder
    ("tools/soak", "save"),  # `State.save`, which replaces the file
    ("tools/soaking/session.py", "save"),
    ("tools/soaking/reading.py", "open"),  # files to be lost, in a temporary folder
    ("tools/soaking/reading.py", "save"),
    ("tools/soaking/reading.py", "write_text"),
    ("tools/soaking/reading.py", "write_bytes"),
}


def writers(file: Path) -> set[tuple[str, str]]:
    """Return the calls that write a file: a method's name, or `open` with a mode that is not of reading."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call):
            is_method = isinstance(node.func, ast.Attribute) and node.func.attr in WRITING
            name = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
            if is_method or (name == "open" and any(map(is_mode, texts(node)))):
                found.add((str(file.relative_to(ROOT)), name))
    return found


def texts(call: ast.Call) -> list[str]:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return [x.value for x in given if isinstance(x, ast.Constant) and isinstance(x.value, str)]


def is_mode(text: str) -> bool:
    return set(text) <= set("rwxab+t") and bool(set(text) & set("wxa+"))


def test_files_are_written_in_one_place() -> None:
    scripts = [path for path in (ROOT / "tools").iterdir() if path.is_file() and path.suffix in ("", ".py")]
    sources = [*(ROOT / "interp").rglob("*.py"), *(ROOT / "tools").rglob("*/*.py"), *scripts]
    found = set().union(*map(writers, sources))
    assert ("interp/engine/files.py", "open") in found
    assert {place for place in found if place[0] != "interp/engine/files.py"} <= ALLOWED


def test_what_the_package_writes_can_be_read(tmp_path: Path) -> None:
    module = interp.load(PROGRAM)
    for name in ("plain.mlir", "plain.mlirbc"):
        save(lower(module), tmp_path / name)
        assert interp.load(tmp_path / name).main.results
