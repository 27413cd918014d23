"""The public package: its names, their types, and programs in every form."""

from __future__ import annotations

import ast
import inspect
import os
import pickle
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from spec.types import parse_type

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "testdata/programs"
FILE = PROGRAMS / "saturating_sum.current.mlirbc"
ARGUMENTS = list(np.load(PROGRAMS / "saturating_sum.npz").values())
MODULE = interp.load(FILE)
DUMP = {**{f"arg{k}": x for k, x in enumerate(ARGUMENTS)}, "out0": interp.run(MODULE, *ARGUMENTS)[0].storage}
REDUCED = next(op.results[0].name for op in MODULE.ops() if op.regions)
QUANTIZED = "!quant.uniform<i32:f32, 0.25:-128>"


def refusal(call: Callable[[], Any]) -> str:
    """Return why a verb refuses a program."""
    with pytest.raises(interp.Unsupported) as caught:
        call()
    return caught.value.verdict


# Each verb on a program, as a text that is the same for the same program.
ASKED: dict[str, Callable[[Any], str]] = {
    "verify": lambda p: repr(interp.verify(p, mode="strict")),
    "lint": lambda p: repr([(found.code, found.evidence) for found in interp.lint(p)]),
    "run": lambda p: repr(interp.run(p, *ARGUMENTS)),
    "run_parallel": lambda p: repr(interp.run_parallel(p, [ARGUMENTS] * 2, num_partitions=2)),
    "compile": lambda p: repr([np.asarray(x) for x in interp.compile(p)(*ARGUMENTS)]),
    "lower": lambda p: repr(interp.lower(p, schedule="balanced")),
    "raise_qdq": lambda p: repr(interp.raise_qdq(p)),
    "refine": lambda p: repr(interp.refine(p, *ARGUMENTS)),
    "plan": lambda p: repr(interp.plan(p).rows[0].tried),
    "blame": lambda p: repr(interp.blame(p, *ARGUMENTS, against="numpy").verdict),
    "judge": lambda p: repr(interp.judge(p, DUMP)),
    "reveal": lambda p: refusal(lambda: interp.reveal(p, "numpy")),
    "diagnose": lambda p: repr(interp.diagnose(p, ARGUMENTS, interp.run(p, *ARGUMENTS))),
    "prove": lambda p: repr(interp.prove(p).counts),
    "quant_pass": lambda p: repr(interp.quant_pass(p, "normalize-quant-types")),
    "survey": lambda p: repr(interp.survey(p, [tuple(ARGUMENTS)])),
    "trace": lambda p: repr(interp.trace(p, *ARGUMENTS).counts),
    "step": lambda p: repr(interp.step(p, *ARGUMENTS).step(5).node),
    "trace_parallel": lambda p: repr(
        [t.counts for t in interp.trace_parallel(p, [ARGUMENTS] * 2, num_partitions=2)]
    ),
    "compare": lambda p: repr(interp.compare(p, *ARGUMENTS)),
    "permits": lambda p: repr(interp.permits(p, ARGUMENTS, interp.run(p, *ARGUMENTS))),
    "widths": lambda p: repr(interp.widths(p, [tuple(ARGUMENTS)], "i9 saturate")),
    "bind": lambda p: repr(interp.bind(p, {0: ARGUMENTS[0]})),
    "with_accumulator": lambda p: repr(interp.with_accumulator(p, REDUCED, QUANTIZED)),
}


@pytest.mark.slow("runs each verb", rows=6)
@pytest.mark.parametrize("verb", sorted(interp.VERBS))
def test_a_verb_takes_a_program_in_every_form(verb: str) -> None:
    wanted = ASKED[verb](MODULE)
    assert wanted
    for program in (FILE, str(FILE), os.path.relpath(FILE), FILE.read_bytes(), repr(MODULE)):
        assert ASKED[verb](program) == wanted


def test_a_verb_takes_what_jax_exports_and_lowers() -> None:
    jax = pytest.importorskip("jax")
    export = pytest.importorskip("jax.export")
    function = jax.jit(lambda x: (x * 2).sum(axis=1))
    shape, x = jax.ShapeDtypeStruct((3, 4), "float32"), np.ones((3, 4), np.float32)
    exported, lowered = export.export(function)(shape), function.lower(shape)
    for program in (exported, lowered, exported.serialize(), lowered.as_text()):
        (result,) = jax.tree_util.tree_leaves(interp.run(program, x))
        assert result.tolist() == [8.0, 8.0, 8.0]
        assert "float32" in repr(jax.tree_util.tree_leaves(interp.compile(program)(x))[0].dtype)
        assert interp.permits(program, [x], [result]).ok


@pytest.mark.parametrize(
    ("program", "verdict"),
    [
        (3, "expected a program, got int"),
        (None, "expected a program, got NoneType"),
        (interp.Module, "expected a program, got the class Module"),
        (np.zeros(3), "expected a program, got ndarray"),
        ("missing.mlir", "cannot be read: No such file or directory"),
        (Path("missing{}.mlir"), "cannot be read: No such file or directory"),
        ("", "empty"),
    ],
)
def test_what_is_not_a_program_is_told(program: Any, verdict: str) -> None:
    for verb in (interp.load, interp.verify, interp.run, interp.trace):
        with pytest.raises(interp.Malformed) as caught:
            verb(program)
        assert caught.value.verdict == verdict
        assert caught.value.evidence or verdict == "empty"


def test_a_path_with_a_brace_is_a_path_where_it_names_a_file(tmp_path: Path) -> None:
    path = tmp_path / "{model}.mlir"
    path.write_text(repr(MODULE))
    assert interp.load(str(path)) == MODULE
    assert interp.load("func.func @main() { return }").functions.keys() == {"main"}


def test_a_verb_is_documented_as_its_own_and_can_be_pickled() -> None:
    """A pool of processes gets it by name."""
    assert next(iter(inspect.signature(interp.run).parameters)) == "module"
    assert (interp.run.__name__, interp.run.__module__) == ("run", "interp")
    assert "Semantics" in (interp.run.__doc__ or "")
    assert pickle.loads(pickle.dumps(interp.run)) is interp.run


# Names -----------------------------------------------------------------------------------------------


def test_every_public_name_is_there_and_listed() -> None:
    for name in interp.__all__:
        assert getattr(interp, name) is not None
    assert {*interp.__all__, "__version__"} <= set(dir(interp))
    with pytest.raises(AttributeError, match="has no attribute 'rum'"):
        _ = interp.rum  # type: ignore[attr-defined]


def declared() -> set[str]:
    """The public names that a type checker sees in `interp/__init__.py`."""
    tree = ast.parse((ROOT / "interp/__init__.py").read_text())
    blocks = [node for node in tree.body if isinstance(node, ast.If)]
    nodes = [node for block in blocks for node in ast.walk(block)]
    imported = {a.asname or a.name for node in nodes if isinstance(node, ast.ImportFrom) for a in node.names}
    assigned = {name.id for node in nodes if isinstance(node, ast.Assign) for name in node.targets}  # type: ignore[attr-defined]
    return {name for name in imported | assigned if not name.startswith("_")}


def test_type_checkers_see_every_public_name() -> None:
    assert declared() - {"Callable", "Concatenate", "ParamSpec", "TypeVar", "P", "R"} == set(interp.__all__)


def returned(function: Callable[..., Any]) -> set[str]:
    """The names of classes in the return annotation of a function."""
    annotation = str(inspect.signature(function).return_annotation)
    names = {node.id for node in ast.walk(ast.parse(annotation)) if isinstance(node, ast.Name)}
    return names - {
        "Self",
        "tuple",
        "list",
        "str",
        "None",
        "int",
        "bool",
        "Any",
        "Callable",
        "Iterator",
        "Path",
    }


@pytest.mark.parametrize("owner", [interp, interp.Trace, interp.Stepper], ids=lambda owner: owner.__name__)
def test_what_a_verb_returns_can_be_imported(owner: Any) -> None:
    """But for what NumPy and pandas give."""
    names = interp.__all__ if owner is interp else [name for name in dir(owner) if name[0] != "_"]
    functions = [f for name in names if inspect.isfunction(f := getattr(owner, name))]
    found = set().union(*map(returned, functions))
    assert len(functions) > 4
    assert found - {"np", "pandas", "jax"} <= set(interp.__all__)


# Version, and another package named spec -------------------------------------------------------------


def test_the_version_is_that_of_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert interp.__version__ == wanted == interp.version()

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert interp.version() == "unknown (not installed: pip install .)"


@pytest.mark.parametrize("file", ["spec.py", "spec/__init__.py", "spec/other.py"])
@pytest.mark.parametrize("first", ["", "import spec; "])
def test_another_package_named_spec_is_told(file: str, first: str, tmp_path: Path) -> None:
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    paths = os.pathsep.join([str(tmp_path), str(ROOT)])
    run = subprocess.run(
        [sys.executable, "-c", f"{first}import interp"],
        env={**os.environ, "PYTHONPATH": paths},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    if file == "spec/other.py" and not run.returncode:
        return  # a folder without __init__.py: Python goes on, and finds ours
    assert "ImportError: interp needs its own package `spec`" in run.stderr
    assert f"expected {ROOT}/spec/__init__.py" in run.stderr
    assert f"found {path}" in run.stderr
    assert "rename or remove" in run.stderr


# Tensor ----------------------------------------------------------------------------------------------


def tensor(type: str, *elements: Any) -> interp.Tensor:
    parsed = parse_type(type)
    return interp.Tensor(parsed, np.array(elements, parsed.storage_type.numpy).reshape(parsed.shape))


def test_a_tensor_as_python_numbers() -> None:
    q = tensor("tensor<2x1x!quant.uniform<i8:f32, 0.5:3>>", 3, -5)
    assert (q.shape, q.dtype, q.tolist()) == ((2, 1), np.int8, [[3], [-5]])
    one = tensor("tensor<1x!quant.uniform<i8:f32, 0.5:3>>", -5)
    assert (one.item(), float(one)) == (-5, -4.0)
    for type, element in [("bf16", 1.5), ("f8E4M3FN", 0.25), ("i1", True), ("i64", 2**62 + 1), ("f64", 0.1)]:
        x = tensor(f"tensor<{type}>", element)
        assert x.item() == x.tolist() == element
        assert x.item().__class__ is element.__class__
        assert float(x) == float(element)


def test_more_elements_than_one_are_told() -> None:
    for x in (tensor("tensor<2xi8>", 1, 2), tensor("tensor<0xi8>")):
        for one in (x.item, x.__float__):
            with pytest.raises(interp.Malformed, match="expected one element, got"):
                one()
    with pytest.raises(TypeError, match="complex"):
        float(tensor("tensor<complex<f32>>", 1 + 2j))


# Verbs on implementations ----------------------------------------------------------------------------


def test_conformance_is_a_verb(tmp_path: Path) -> None:
    files = {kind: tmp_path / f"report.{kind}" for kind in ("junit", "json", "html")}
    report = interp.conformance("numpy", filter="quantized/divide", **files)
    assert isinstance(report, interp.Report)
    assert report.ok
    assert repr(report).endswith(f"numpy: {report.conclusion}")
    assert "conformance of numpy" in repr(report)
    assert all(path.stat().st_size for path in files.values())
    folder = ROOT / "testdata"
    assert interp.conformance(cases=folder, filter=["quantized/divide"], timeout=5.0).ok


def test_a_report_that_cannot_be_written_is_told_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    told: list[Any] = []
    with pytest.raises(interp.Malformed, match="no folder to write to"):
        interp.conformance(json=tmp_path / "taken/report.json", progress=lambda *x: told.append(x))
    assert told == []


def test_fuzz_is_a_verb() -> None:
    found = interp.fuzz("numpy", seconds=0, seed=7)
    assert isinstance(found, interp.Fuzzed)
    assert found.ok
    assert repr(found) == "1 exact\nseeds 7 to 7; go on with --seed 8"
