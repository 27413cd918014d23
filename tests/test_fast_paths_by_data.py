"""Fast paths that data decide: the nodes that leaves allow, and the listeners of what ran instead."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from interp.backends import NUMPY
from interp.engine.evaluate import Listener
from interp.execute.plan import Seen
from interp.speed import choice, numpy_impl
from interp.speed.order_free import Form, Reduction, order_free
from interp.speed.saturating_fold import Stored
from spec.schedule import LEFT, parse
from spec.types import ELEMENT_TYPES, QuantizedType, make_quantized
from tests.library import builders
from tests.library.builders import module

FOUR = make_quantized("i4", "f32", 0.5, 1)  # leaves stand for -9 to 6 steps
EIGHT = make_quantized("i8", "f32", 0.5, 3, storage_min=-60, storage_max=60)  # nodes for -63 to 57
I8, I16, I32 = (make_quantized(f"i{bits}", "f32", 0.3) for bits in (8, 16, 32))


class Hearing(Listener):
    """Keeps what it is told, and allows fast paths or not."""

    def __init__(self, sees_nodes: bool, allows: bool) -> None:
        self.sees_nodes, self.allows = sees_nodes, allows
        self.heard: list[object] = []

    def instead(self, form):
        return form if self.allows else None

    def on_fast_path(self, op, theorem, why):
        self.heard.append(theorem)

    def on_leaves(self, op, operand, before):
        self.heard.append(("leaves", operand, before.tolist()))

    def on_convert(self, op, operand, before, after):
        self.heard.append(("converted", operand, before.tolist(), after.tolist()))

    def on_node(self, place, lhs, rhs, results):
        self.heard.append(("node", results[0].tolist()))


CLAMPS, MOVES_NOTHING = [-8] * 8, [1] * 8
NODES = [("converted", 0, CLAMPS, [-6] * 8), ("converted", 1, 1, 3)]
NODES += [("node", node) for node in (-6, -15, -24, -33, -42, -51, -60, -60)]
FORM = ["integer addition by data", ("leaves", 0, MOVES_NOTHING), ("converted", 1, 1, 3)]


@pytest.mark.parametrize(
    ("sees_nodes", "allows", "x", "heard"),
    [
        (False, False, CLAMPS, ["left fold"]),
        (True, False, CLAMPS, NODES),
        (True, True, CLAMPS, NODES),
        (False, False, MOVES_NOTHING, ["integer addition by data"]),
        (True, True, MOVES_NOTHING, FORM),
    ],
)
def test_who_sees_nodes_is_shown_them_unless_a_form_runs(
    sees_nodes: bool, allows: bool, x: list[int], heard: list[object]
) -> None:
    listener = Hearing(sees_nodes, allows)
    program = module(builders.reduce("add", FOUR, EIGHT, (8,), (0,)))
    interp.run(program, np.int8(x), np.int8(1), listeners=[listener])
    assert listener.heard == heard


def test_a_form_by_types_runs_where_all_allow_it() -> None:
    program = module(builders.reduce("add", ELEMENT_TYPES["i8"], ELEMENT_TYPES["i32"], (2,), (0,)))
    form = ["wrapping add", ("leaves", 0, [1, 2]), ("converted", 1, 4, 4)]
    nodes = [("converted", 0, [1, 2], [1, 2]), ("converted", 1, 4, 4), ("node", 5), ("node", 7)]
    for allows, heard in ((True, form), (False, nodes)):
        listeners = Hearing(True, True), Hearing(True, allows)
        (out,) = interp.run(program, np.int8([1, 2]), np.int8(4), listeners=listeners)
        assert out.storage == 7
        assert [listener.heard for listener in listeners] == [heard, heard]


@pytest.mark.parametrize(
    ("tree", "init", "x", "least", "greatest"),
    [
        ("left", 1, [-8] * 3 + [7] * 3 + [-8] * 3, -33, 3),  # prefixes 0, -27, -9, -36
        ("left", 7, [-8] * 3 + [7] * 3 + [-8] * 3, -27, 9),
        ("left", 7, [7] * 3 + [-8] * 3 + [7] * 3, 0, 27),  # 6, 24, -3, 15
        ("left", -8, [-8] * 3 + [7] * 3 + [7] * 3, -33, 3),  # -9, -36, -18, 0
        ("left", -8, [-8] * 3 + [7] * 3 + [-8] * 3, -42, 3),  # -9, -36, -18, -45
        ("left", 1, [-8, 7, 4, 1, 1, 1, 1, 1, 1], -8, 14),  # up to 10.8 = 3 * 9 * 6 / 15 beside 0
        ("balanced", 1, [-8] * 3 + [7] * 3 + [1] * 3, -26, 32),  # 29 apart: -27 to 11 - 9
        ("balanced", 7, [7] * 3 + [-8] * 3 + [1] * 3, -35, 41),  # 38 apart: -3 - 11 to 24
        ("blocks(3)", 3, [-8] * 3 + [7] * 3 + [1] * 3, -30, 36),  # 29 apart, and 2 inits of 2 more
        ("blocks(3)", -1, [-8] * 3 + [7] * 3 + [1] * 3, -30, 36),
    ],
)
def test_nodes_lie_where_sums_of_blocks_allow(
    tree: str, init: int, x: list[int], least: int, greatest: int
) -> None:
    """Nine leaves in blocks of three, a quarter of 120 over 9."""
    program, heard = module(builders.reduce("add", FOUR, EIGHT, (9,), (0,))), Seen(parse(tree))
    args = np.int8(x), np.int8(init)
    (fast,) = interp.run(program, *args, schedule=tree, listeners=[heard])
    (plain,) = interp.run(program, *args, schedule=tree, listeners=[Listener()])
    assert fast == plain
    why = f"nodes lie in [{least}, {greatest}], in [-60, 60]"
    assert heard.plan.rows[0].tried == (("integer addition by data", why),)


@pytest.mark.slow("compiles each", rows=2)
@pytest.mark.parametrize(("tree", "least", "greatest"), [("left", -27, 27), ("balanced", -33, 39)])
@pytest.mark.parametrize("kept", [0, 1])
def test_nodes_of_all_columns_lie_together(kept: int, tree: str, least: int, greatest: int) -> None:
    """Prefixes of one in [-27, 9], 36 apart, of the other in [0, 27]."""
    columns = np.int8([[-8] * 3 + [7] * 3 + [-8] * 3, [7] * 3 + [-8] * 3 + [7] * 3])
    x = np.moveaxis(columns, 0, kept)
    program, heard = module(builders.reduce("add", FOUR, EIGHT, x.shape, (1 - kept,))), Seen(parse(tree))
    (out,) = interp.run(program, x, np.int8(7), schedule=tree, listeners=[heard])
    (compiled,) = interp.compile(program, schedule=tree)(x, np.int8(7))
    assert out.storage.tolist() == compiled.tolist() == [3 + 6 - 36, 3 + 6 + 9]
    why = f"nodes lie in [{least}, {greatest}], in [-60, 60]"
    assert heard.plan.rows[0].tried == (("integer addition by data", why),)


@pytest.mark.parametrize(
    ("init", "x", "theorem"),
    [
        (1, [1] + [-8] * 7, "integer addition by data"),
        (0, [1] + [-8] * 7, "left fold"),
        (4, [7] * 9, "integer addition by data"),
        (5, [7] * 9, "left fold"),
    ],
)
def test_data_decide_up_to_the_ends_of_the_bound(
    monkeypatch: pytest.MonkeyPatch, init: int, x: list[int], theorem: str
) -> None:
    """7 leaves of -9 reach -63, and 9 of 6 with 3 reach 57; one step more is clamped."""
    monkeypatch.setattr(choice, "BLOCK", 1)
    program, heard = module(builders.reduce("add", FOUR, EIGHT, (len(x),), (0,))), Seen(LEFT)
    (fast,) = interp.run(program, np.int8(x), np.int8(init), listeners=[heard])
    (plain,) = interp.run(program, np.int8(x), np.int8(init), listeners=[Listener()])
    assert fast == plain
    assert heard.plan.rows[0].tried[0][0] == theorem


@pytest.mark.parametrize(
    ("shift", "x", "init", "least", "greatest", "root"),
    [(3, [7] * 4 + [2] * 4, -50, -50, 10, 10), (-9, [7] * 4 + [2] * 4, 50, 0, 50, 14)],
)
def test_leaves_of_one_sign_lead_one_way(
    shift: int, x: list[int], init: int, least: int, greatest: int, root: int
) -> None:
    """Leaves of 5 to 10 or of -7 to -2 steps, 8 of them in one block."""
    source = make_quantized("u4", "f32", 0.5, 2, storage_min=2, storage_max=7)
    these = Reduction("add", source, source, make_quantized("i8", "f32", 0.5), 8, 1)
    form = Form("", "", these, "add", np.dtype(np.int64), shift, (-128, 127))
    fold = Stored(NUMPY, these, np.uint8(x), (0,), 1, np.int8(init), lambda *_: None, numpy_impl)
    assert choice.nodes(fold, form, LEFT, 8) == (least, greatest, root)


@pytest.mark.parametrize(
    ("source", "accumulation", "size"),
    [
        (
            make_quantized("i8", "f32", 0.3, 5),
            make_quantized("i32", "f32", 0.3, 7),
            3942,
        ),  # 2^21 - 7 over 4 * 133
        (make_quantized("u8", "f32", 0.3, 7), I32, 2114),  # 2^21 over 4 * 248
        (make_quantized("i8", "f32", 0.3, 0, storage_min=-9, storage_max=9), I32, choice.BLOCK),
        (I16, I32, 16),
        (make_quantized("i32", "f32", 0.3, 0, storage_min=-9, storage_max=9), I32, 0),
    ],
)
def test_blocks_cannot_fill_a_quarter_of_the_bound(
    source: QuantizedType, accumulation: QuantizedType, size: int
) -> None:
    form = order_free(Reduction("add", source, source, accumulation, 10**6, 1))
    assert isinstance(form, Form)
    assert choice.block_size(form) == size


@pytest.mark.parametrize(
    ("shape", "size", "counts"),
    [
        ((2, 3, 5), 30, [30]),
        ((2, 3, 5), 29, [15, 15]),
        ((2, 3, 5), 15, [15, 15]),
        ((2, 3, 5), 14, [10, 5] * 2),
        ((2, 3, 5), 9, [5] * 6),
        ((2, 3, 5), 4, [4, 1] * 6),
        ((2, 3, 5), 3, [3, 2] * 6),
        ((2, 3, 5), 1, [1] * 30),
        ((6, 4), 3, [2, 2] * 6),
        ((10,), 9, [5, 5]),
        ((9,), 6, [6, 3]),
        ((9,), 5, [3] * 3),
        ((8,), 7, [4, 4]),
    ],
)
def test_blocks_are_whole_rows_and_alike_where_half_the_size_allows(
    shape: tuple[int, ...], size: int, counts: list[int]
) -> None:
    x = np.arange(2 * np.prod(shape)).reshape(*shape, 2).astype(np.int16)
    form = Form("", "", None, "add", np.dtype(np.int64))  # type: ignore[arg-type]
    order, rank = tuple(range(x.ndim)), len(shape)
    fold = Stored(NUMPY, None, x, order, rank, None, lambda *_: None, numpy_impl)  # type: ignore[arg-type]
    sums, found = choice.block_sums(fold, form, size)
    assert found.tolist() == [[count] for count in counts]
    starts = np.cumsum([0, *counts[:-1]])
    assert sums.tolist() == np.add.reduceat(x.reshape(-1, 2).astype(int), starts).tolist()


def test_along_no_dimension_every_element_is_one_leaf() -> None:
    """-100 and -60 clamp in the left fold, and need no fast path beyond it."""
    program, heard = module(builders.reduce("add", I8, I8, (2, 3), ())), Seen(LEFT)
    x = np.int8([[-100, 5, 60], [0, -28, -29]])
    (out,) = interp.run(program, x, np.int8(-100), listeners=[heard])
    assert out.storage.tolist() == [[-128, -95, -40], [-100, -128, -128]]
    assert heard.plan.rows[0].tried[0][0] == "left fold"
