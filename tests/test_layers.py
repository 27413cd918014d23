"""Who may import whom, and what may stand at the top of the repository: read from the source."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from housing.imports import Import, circles, files, graph_modules, imports  # noqa: E402

STDLIB = set(sys.stdlib_module_names)

# What the engine may take from the specification's package; meaning is written twice.
SHARED = {
    "accumulation",
    "accumulation_text",
    "accumulator",
    "attributes",
    "elements",
    "errata",
    "errors",
    "faults",
    "grid",
    "hardware",
    "integer_reading",
    "ir",
    "multipliers",
    "onnx.node",
    "op_attributes",
    "parameter_tables",
    "patterns",
    "permitted",
    "processes",
    "quant_kinds",
    "quantized",
    "readings",
    "recipes",
    "rules",
    "schedule",
    "trees",
    "twins",
    "types",
    "verdict",
}
KERNELS = ["interp/engine/fold.py", "interp/engine/quant.py", "interp/kernels"]
# The rooms of `interp`: each imports only from itself and from those before it.
ROOMS = (
    "backends",
    "loading",
    "engine",
    "theory",
    "speed",
    "kernels",
    "recorder",
    "execute",
    "rewrite",
    "comparison",
    "questions",
    "answers",
    "apps",
    "jax",
    "quantization",
    "litert",
    "onnx",
    "model_explorer",
    "testing",
    "command",
)
# The applications, each with those that it may import.
APPS: dict[str, tuple[str, ...]] = {
    "pages": (),
    "litert": ("runtimes",),
    "runtimes": (),
    "diagnosing": (),
    "prompt": ("suite",),
    "checking": (),
    "assertions": ("diagnosing",),
    "onnx": ("runtimes",),
    "suite": ("runtimes", "diagnosing"),
    "surveys": ("pages",),
    "blaming": ("diagnosing", "suite"),
    "judging": ("blaming", "diagnosing"),
    "revealing": ("pages", "suite"),
    "quantization": ("onnx", "pages"),
    "reports": ("pages", "surveys"),
    "model_explorer": ("surveys",),
    "accumulator_study": ("pages", "quantization", "surveys"),
}
# What people type at uses the public names of `interp`.
FACES = ("command", "prompt")
TOP_LEVEL = {
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "pyproject.toml",
    "spec",
    "interp",
    "docs",
    "testdata",
    "tests",
    "tools",
    ".ci",
    ".gitignore",
    ".pre-commit-config.yaml",
}


def offending(places: list[str], allowed: object) -> list[str]:
    """`file:line: module` of every import that `allowed` refuses."""
    return [
        f"{file.relative_to(ROOT)}:{found.line}: {found.module}"
        for file in files(*places)
        for found in imports(file)
        if not allowed(found)  # type: ignore[operator]
    ]


def is_stdlib(found: Import) -> bool:
    return found.module.partition(".")[0] in STDLIB


def test_the_specification_imports_the_standard_library_and_itself() -> None:
    assert offending(["spec"], lambda i: is_stdlib(i) or i.is_in("spec")) == []


def test_the_engine_takes_no_meaning_from_the_specification() -> None:
    """But for the conformance suite, which runs the oracle as one implementation among others."""
    shared = [f"spec.{name}" for name in SHARED]
    suite = {"report.py", "implementations.py"}
    engine = [str(f.relative_to(ROOT)) for f in files("interp") if f.name not in suite]
    assert offending(engine, lambda i: not i.is_in("spec") or i.is_in(*shared)) == []


def test_only_the_suite_imports_the_oracle() -> None:
    """Neither the engine nor the constraint rows, nor what they share with it: a run loads nothing of it."""
    oracle = {*files("spec/meaning"), ROOT / "interp/apps/suite/implementations.py"}
    others = [str(f.relative_to(ROOT)) for f in files("interp", "spec") if f not in oracle]
    assert offending(others, lambda i: not i.is_in("spec.meaning")) == []


def test_shared_modules_know_no_constraints() -> None:
    shared = [f for f in files("spec") if f.parent in (ROOT / "spec", ROOT / "spec/onnx")]
    others = [str(f.relative_to(ROOT)) for f in shared]
    assert offending(others, lambda i: not i.is_in("spec.rules")) == []


def test_kernels_import_no_array_module() -> None:
    own = ["interp", *(f"spec.{name}" for name in SHARED)]
    assert offending(KERNELS, lambda i: is_stdlib(i) or i.is_in(*own)) == []


def test_kernels_name_no_array_module() -> None:
    """Nor reach for one through the namespace: a kernel that asks which backend runs is bent."""
    forbidden = {"np", "numpy", "jax", "jnp", "lax", "NUMPY", "jax_namespace"}
    named = []
    for file in files(*KERNELS):
        for node in ast.walk(ast.parse(file.read_text())):
            name = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "name", None)
            if name in forbidden:
                named.append(f"{file.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}: {name}")
    assert named == []


def test_windows_are_numpy_tables() -> None:
    plain = ["spec.types", "spec.ir", "spec.errors", "interp.backends.windows"]
    assert (
        offending(
            ["interp/backends/windows.py", "interp/backends/windows.py"],
            lambda i: is_stdlib(i) or i.is_in("numpy", *plain),
        )
        == []
    )


def test_the_package_holds_rooms_only() -> None:
    entries = {path.name for path in (ROOT / "interp").iterdir()} - {"__pycache__"}
    assert entries == {*ROOMS, "__init__.py", "__main__.py", "py.typed"}


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_says_in_a_sentence_what_belongs_there(name: str) -> None:
    (first, *_) = (
        ast.get_docstring(ast.parse((ROOT / f"interp/{name}/__init__.py").read_text())) or ""
    ).split("\n")
    assert first.endswith((".", "`."))


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_imports_only_from_rooms_before_it(name: str) -> None:
    """Lazy imports and those for type checkers included."""
    before = [f"interp.{room}" for room in ROOMS[: ROOMS.index(name) + 1]]
    own = [path for path in files(f"interp/{name}") if path.parent.name not in FACES]
    places = [str(path.relative_to(ROOT)) for path in own]
    assert offending(places, lambda i: not i.is_in("interp") or i.is_in(*before)) == []


@pytest.mark.parametrize("name", APPS)
def test_an_app_imports_only_apps_that_it_declares(name: str) -> None:
    allowed = [f"interp.apps.{app}" for app in (name, *APPS[name])]
    assert offending([f"interp/apps/{name}"], lambda i: not i.is_in("interp.apps") or i.is_in(*allowed)) == []


def test_every_app_declares_what_it_imports_and_none_imports_itself_through_others() -> None:
    assert {path.name for path in (ROOT / "interp/apps").iterdir() if path.is_dir()} - {"__pycache__"} == {
        *APPS
    }
    assert circles({app: set(others) for app, others in APPS.items()}) == []


@pytest.mark.parametrize("package", ["spec", "interp"])
def test_no_modules_import_one_another(package: str) -> None:
    """A circle inside a function counts.

    `interp/__init__.py` only names the homes of public objects, and is left out.
    """
    graph = graph_modules(package)
    graph.pop("interp", None)
    for targets in graph.values():
        targets -= {"interp"}
    assert circles(graph) == []


def test_a_circle_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [{"b", "c"}]


def test_jaxlib_is_the_loaders_and_compares() -> None:
    loaders = {
        "load.py",
        "reader.py",
        "server.py",
        "ir_import.py",
        "lower.py",
        "xla.py",
        "children.py",
        "compilers.py",
    }
    loaders |= {"bounded.py", "deprecated.py", "legacy.py", "legalize.py", "refine.py", "unverified.py"}
    others = [str(f.relative_to(ROOT)) for f in files("interp", "spec") if f.name not in loaders]
    assert offending(others, lambda i: not i.is_in("jaxlib")) == []


def test_jax_is_in_few_files_and_at_the_top_of_compile_only() -> None:
    lazy = {"jax_backend.py", "platforms.py", "xla.py", "calling.py", "on_device.py", "models.py"}
    lazy |= {"checked.py", "compilers.py"}
    for file in files("interp"):
        place = [str(file.relative_to(ROOT))]
        if file.name == "compile.py" or file.parent.name == "jax":
            continue
        assert (
            offending(place, lambda i, name=file.name: not i.is_in("jax") or (i.lazy and name in lazy)) == []
        )


def test_importing_interp_is_light() -> None:
    """Neither jax nor jaxlib nor NumPy: `interp --help` answers at once."""
    assert loaded_by("import interp, interp.__main__") & {"jax", "jaxlib", "numpy", "rich"} == set()


def test_showing_and_running_a_program_take_no_jax() -> None:
    program = str(ROOT / "testdata/programs/global_sum.current.mlirbc")
    verbs = [["show", program], ["verify", program], ["run", program, "--random", "1"]]
    code = f"from interp.__main__ import main\nfor verb in {verbs!r}: assert main(verb) == 0"
    assert loaded_by(code) & {"jax"} == set()
    assert "jax" in loaded_by("import jax")  # or the assertion above could not fail


def test_running_a_program_loads_nothing_of_the_oracle() -> None:
    program = str(ROOT / "testdata/programs/global_sum.current.mlirbc")
    code = f"from interp.__main__ import main\nassert main(['run', {program!r}, '--random', '1']) == 0"
    modules = modules_loaded_by(code)
    assert "spec.rules.verify" in modules
    assert not [name for name in modules if name.startswith("spec.meaning")]


@pytest.mark.parametrize(("operand", "needed"), [("i8", False), ("f32", False), ("bf16", True)])
def test_only_types_that_numpy_lacks_take_ml_dtypes(operand: str, needed: bool, tmp_path: Path) -> None:
    program = tmp_path / "sum.mlir"
    program.write_text(
        f"""func.func @main(%x: tensor<2x{operand}>) -> tensor<2x{operand}> {{
          %0 = stablehlo.add %x, %x : tensor<2x{operand}>
          return %0 : tensor<2x{operand}>
        }}"""
    )
    code = f"from interp.__main__ import main\nassert main(['run', {str(program)!r}, '--random', '1']) == 0"
    assert ("ml_dtypes" in loaded_by(code)) == needed


def test_the_repository_has_the_entries_of_the_design() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {line.partition("/")[0] for line in listed.splitlines()} <= TOP_LEVEL


def test_the_reader_of_imports_sees_every_form(tmp_path: Path) -> None:
    """The tests above are as good as `imports`."""
    source = (
        "import jax.numpy as jnp\nfrom spec.meaning import notation\ndef f():\n    from jaxlib import mlir\n"
    )
    (tmp_path / "x.py").write_text(source)
    assert imports(tmp_path / "x.py") == [
        Import("jax.numpy", 1, False),
        Import("spec.meaning.notation", 2, False),
        Import("jaxlib.mlir", 4, True),
    ]
    (tmp_path / "y.py").write_text("from . import x\n")
    with pytest.raises(AssertionError, match="relative"):
        imports(tmp_path / "y.py")


def loaded_by(code: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after `code`."""
    return {name.partition(".")[0] for name in modules_loaded_by(code)}


def modules_loaded_by(code: str) -> set[str]:
    """All modules that a fresh interpreter has loaded after `code`."""
    report = f"{code}\nimport sys\nprint('\\n'.join(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", report], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(result.stdout.splitlines())
