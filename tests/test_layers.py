"""Who may import whom, and what may stand at the top of the repository: read from the source."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
STDLIB = set(sys.stdlib_module_names)

# What the engine may take from the specification's package; meaning is written twice.
SHARED = {
    "algorithm",
    "checks",
    "errors",
    "options",
    "types",
    "elements",
    "quant_kinds",
    "fake_quant",
    "quantized",
    "ir",
    "schedule",
    "accumulation",
    "accumulation_text",
    "patterns",
    "trees",
    "printer",
    "constant_text",
} | {
    "constraint",
    "type_constraints",
    "members",
    "permitted",
    "values",
    "verdict",
    "verify",
    "errata",
    "accumulator",
    "integer_reading",
    "recipes",
    "recipe_scope",
    "readings",
    "grid",
    "grid_constraints",
    "program_grid",
    "shardings",
    "onnx.node",
    "onnx.types",
    "onnx.constraints",
}
KERNELS = ["interp/engine/fold.py", "interp/engine/quant.py", "interp/ops"]
# The rooms of `interp`: each imports only from itself and from those before it.
ROOMS = (
    "backends",
    "reading",
    "engine",
    "theory",
    "fastpaths",
    "ops",
    "events",
    "execute",
    "permitted",
    "rewrite",
    "comparison",
    "suite",
    "reductions",
    "diagnosing",
    "blaming",
    "pages",
    "surveys",
    "proving",
    "quantization",
    "jax",
    "onnx",
    "reporting",
    "model_explorer",
    "command",
)
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


class Import(NamedTuple):
    """An imported module (`spec.ir`), where, and whether at the top of the file or inside a function."""

    module: str
    line: int
    lazy: bool

    def is_in(self, *packages: str) -> bool:
        return any(f"{self.module}.".startswith(f"{package}.") for package in packages)


def files(*places: str) -> list[Path]:
    paths = [ROOT / place for place in places]
    return sorted(f for path in paths for f in ([path] if path.suffix else path.rglob("*.py")))


@cache
def statements(file: Path) -> list[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Return the import statements of a file, and whether each stands inside of another statement."""
    tree = ast.parse(file.read_text())
    top = {id(node) for node in tree.body}
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    return [(node, id(node) not in top) for node in found]


@cache
def imports(file: Path) -> list[Import]:
    """Return every import of a file; `from spec import ir` counts as `spec.ir`."""
    found = []
    for node, lazy in statements(file):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            assert node.level == 0, f"{file}:{node.lineno}: relative import"
            packaged = (
                node.module in ("spec", "interp", "jaxlib", "spec.ops") or str(node.module).count(".") == 1
            )
            modules = [
                f"{node.module}.{alias.name}" if packaged else str(node.module) for alias in node.names
            ]
        found += [Import(module, node.lineno, lazy) for module in modules]
    return found


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
    plain = ["spec.types", "spec.ir", "spec.errors", "interp.backends.steps"]
    assert (
        offending(
            ["interp/backends/windows.py", "interp/backends/steps.py"],
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
    """Lazy imports and those for type checkers included. The command uses the public names of `interp`."""
    before = [f"interp.{room}" for room in ROOMS[: ROOMS.index(name) + 1]]
    known = ["interp"] if name == "command" else before
    assert offending([f"interp/{name}"], lambda i: not i.is_in("interp") or i.is_in(*known)) == []


PERMITTED = {"spec.ir": {"spec.printer"}, "interp.suite.report": {"interp.suite.conformance_report"}}


def imported_modules(package: str) -> dict[str, set[str]]:
    """For each module of a package the modules of it that it imports, however late."""
    paths = {".".join(f.relative_to(ROOT).with_suffix("").parts): f for f in files(package)}
    paths = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    graph = {}
    for name, path in paths.items():
        nodes = [node for node, _ in statements(path)]
        froms = [n for n in nodes if isinstance(n, ast.ImportFrom)]
        named = {f"{n.module}.{alias.name}" for n in froms for alias in n.names} & set(paths)
        whole = {n.module for n in froms if any(f"{n.module}.{a.name}" not in paths for a in n.names)}
        plain = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
        graph[name] = ((named | whole | plain) & set(paths)) - {name}
    return graph


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """Return the groups of modules that import one another, directly or through others."""
    while leaves := {name for name, targets in graph.items() if not targets & graph.keys()}:
        graph = {name: targets for name, targets in graph.items() if name not in leaves}
    reach = {name: targets & graph.keys() for name, targets in graph.items()}
    for middle in graph:
        for targets in reach.values():
            if middle in targets:
                targets |= reach[middle]
    inside = [name for name in graph if name in reach[name]]
    groups = [frozenset(other for other in inside if other in reach[n] and n in reach[other]) for n in inside]
    return [set(group) for group in dict.fromkeys(groups)]


@pytest.mark.parametrize("package", ["spec", "interp"])
def test_no_modules_import_one_another(package: str) -> None:
    """A circle inside a function counts, except for what a `__repr__` prints by (`PERMITTED`).

    `interp/__init__.py` only names the homes of public objects, and is left out.
    """
    graph = imported_modules(package)
    graph.pop("interp", None)
    for name, targets in graph.items():
        targets -= {"interp"} | PERMITTED.get(name, set())
    assert circles(graph) == []


def test_a_circle_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [{"b", "c"}]


def test_jaxlib_is_the_loaders_and_compares() -> None:
    loaders = {"load.py", "reader.py", "server.py", "ir_import.py", "lower.py", "xla.py", "children.py"}
    loaders |= {"bounded.py", "deprecated.py", "legacy.py", "legalize.py", "refine.py", "unverified.py"}
    others = [str(f.relative_to(ROOT)) for f in files("interp", "spec") if f.name not in loaders]
    assert offending(others, lambda i: not i.is_in("jaxlib")) == []


def test_jax_is_in_few_files_and_at_the_top_of_compile_only() -> None:
    lazy = {"jax_backend.py", "platforms.py", "xla.py", "calling.py", "on_device.py", "functions.py"}
    lazy |= {"checked.py"}
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
    source = "import jax.numpy as jnp\nfrom spec import notation\ndef f():\n    from jaxlib import mlir\n"
    (tmp_path / "x.py").write_text(source)
    assert imports(tmp_path / "x.py") == [
        Import("jax.numpy", 1, False),
        Import("spec.notation", 2, False),
        Import("jaxlib.mlir", 4, True),
    ]
    (tmp_path / "y.py").write_text("from . import x\n")
    with pytest.raises(AssertionError, match="relative"):
        imports(tmp_path / "y.py")


def loaded_by(code: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after `code`."""
    report = f"{code}\nimport sys\nprint('\\n'.join(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", report], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {line.partition(".")[0] for line in result.stdout.splitlines()}
