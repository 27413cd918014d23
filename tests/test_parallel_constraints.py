"""Each constraint of tokens, collectives and sharded computations is violated by a file named after it."""

from __future__ import annotations

from pathlib import Path

import pytest

import interp
from spec.grid import Grid
from spec.rules import collectives, communication, control
from spec.rules.communication import ON_GRID, OnGrid, verify_on_grid
from spec.rules.control import COUNTS
from spec.rules.verify import COMPOSITE, CONSTRAINTS, label, verify

FOLDER = Path(__file__).parent.parent / "testdata/parallel"
FAMILIES = (
    collectives.CONSTRAINTS,
    communication.CONSTRAINTS,
    control.MANUAL_CONSTRAINTS,
    control.GRID_CONSTRAINTS,
    control.TUPLE_CONSTRAINTS,
)
IN_FILES = {name for family in FAMILIES for name in family} | {"stablehlo.composite"}
IN_MODULE = {"stablehlo.composite": COMPOSITE, "interpreter.run_parallel": COUNTS}
CODES = [
    f"{label(name)}_{row.label}"
    for name in sorted(IN_FILES)
    for row in (*CONSTRAINTS[name], *IN_MODULE.get(name, ()))
]


@pytest.mark.parametrize("code", CODES)
def test_the_file_of_its_name_violates_the_row_first(code: str) -> None:
    path = FOLDER / f"{code}.mlir"
    assert f"// expect: violation {code} (strict)" in path.read_text()
    found = verify(interp.load(path, checked=False), "strict")
    assert [violation.code for violation in found][:1] == [code]


def test_every_file_is_of_a_row() -> None:
    files = {path.stem for path in FOLDER.glob("*.mlir") if "expect: violation" in path.read_text()}
    assert files == set(CODES)


# What depends on the grid: an operation of some file without violation, and grids that do not fit it.

SIZED = """func.func @main(%x: tensor<4xf32>) -> tensor<RESULTxf32> {
  %0 = "stablehlo.NAME"(%x) BODY {GROUPSATTRIBUTES} : (tensor<4xf32>) -> tensor<RESULTxf32>
  "func.return"(%0) : (tensor<RESULTxf32>) -> ()
}"""
BODY = """({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  })"""
CHANNEL = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>"
PAIR = "source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>"
GROUP = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
FITTING = {  # the name of an operation, its attributes, the size of its result, and a grid
    "all_gather": (", all_gather_dim = 0 : i64", 8, (2, 1)),
    "all_reduce": ("", 4, (2, 3)),
    "all_to_all": (
        ", split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64",
        4,
        (2, 1),
    ),
    "collective_broadcast": ("", 4, (2, 1)),
    "collective_permute": ("", 4, (2, 1)),
    "collective_reduce": ("", 4, (2, 1)),
    "reduce_scatter": (", scatter_dimension = 0 : i64", 2, (2, 1)),
}
UNFIT = [
    ("all_gather", "c3", "", (3, 1)),
    ("all_gather", "c6", CHANNEL, (2, 2)),
    ("all_reduce", "c2", "", (1, 2)),
    ("all_reduce", "c2", f"{CHANNEL}, use_global_device_ids", (2, 2)),
    ("all_to_all", "c6", CHANNEL, (2, 1)),
    ("collective_broadcast", "c2", CHANNEL, (2, 1)),
    ("collective_permute", "c4", CHANNEL, (2, 1)),
    ("collective_reduce", "c2", "", (1, 2)),
    ("reduce_scatter", "c1", CHANNEL, (2, 4)),
    ("reduce_scatter", "c4", "", (4, 1)),
    ("reduce_scatter", "c8", CHANNEL, (2, 2)),
]


def sized(name: str, more: str = "") -> interp.Module:
    attributes, size, _ = FITTING[name]
    text = SIZED.replace("NAME", name).replace("BODY", BODY if "reduce" in name else "")
    groups = PAIR if name == "collective_permute" else GROUP
    text = text.replace("GROUPS", groups).replace("ATTRIBUTES", attributes + more)
    return interp.load(text.replace("RESULT", str(size)), checked=False)


@pytest.mark.parametrize("name", FITTING)
def test_a_grid_that_fits(name: str) -> None:
    assert list(verify_on_grid(sized(name), "main", Grid(*FITTING[name][2]))) == []


@pytest.mark.parametrize(("name", "row", "more", "grid"), UNFIT)
def test_a_grid_that_does_not_fit(name: str, row: str, more: str, grid: tuple[int, int]) -> None:
    found = [violation.code for violation in verify_on_grid(sized(name, more), "main", Grid(*grid))]
    assert f"{name}_{row}" in found


@pytest.mark.parametrize("name", ["send", "recv"])
def test_pairs_must_be_of_the_grid(name: str) -> None:
    (code,) = (path for path in FOLDER.glob("send_recv_pairs.mlir"))
    module = interp.load(code)
    op = next(op for op in module.ops() if op.name == f"stablehlo.{name}")
    assert list(verify_on_grid(module, "part", Grid(1, 3))) == []
    found = [violation.code for violation in verify_on_grid(module, "part", Grid(3, 1))]
    assert f"{name}_c4" in found
    assert OnGrid(op, Grid(3, 1))["num_replicas"] == 3


def test_every_row_of_the_grid_is_violated() -> None:
    rows = {(name.removeprefix("stablehlo."), row.label) for name, rows in ON_GRID.items() for row in rows}
    assert rows == {(name, row) for name, row, *_ in UNFIT} | {("send", "c4"), ("recv", "c4")}
