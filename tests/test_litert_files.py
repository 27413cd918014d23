"""LiteRT files that are damaged or have what is not supported, and other sets of kernels."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.apps.litert.model import read_litert

DATA = Path(__file__).resolve().parent.parent / "testdata" / "litert"
OPERATORS = np.load(DATA / "operators.npz")
MODELS = [
    (DATA / f"{name}.tflite").read_bytes() for name in ("cnn.int8", "stream.float32", "conv1d.uint8_io")
]


def damage(data: bytes, rng: np.random.Generator) -> bytes:
    """Return a file that is cut, has other bytes, another word, or lacks some bytes."""
    found, at = bytearray(data), int(rng.integers(len(data) - 4))
    way = rng.integers(4)
    if way == 0:
        return bytes(found[:at])
    if way == 1:
        found[at] = int(rng.integers(256))
    if way == 2:
        found[at & ~3 : (at & ~3) + 4] = int(rng.choice([0, 1, 2**31, 2**32 - 1])).to_bytes(4, "little")
    if way == 3:
        del found[at : at + int(rng.integers(1, 64))]
    return bytes(found)


def test_damaged_files_are_clear_errors_or_other_programs() -> None:
    rng, errors = np.random.default_rng(0), list[interp.InterpError]()
    for k in range(300):
        try:
            read_litert(damage(MODELS[k % len(MODELS)], rng), "damaged.tflite")
        except interp.InterpError as error:
            errors.append(error)
    assert len(errors) > 150
    assert all(isinstance(error, interp.Malformed | interp.Unsupported) for error in errors)
    assert all("damaged.tflite" in str(error) for error in errors)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x08\x00\x00\x00TFL2" + bytes(20), "expected b'TFL3' at byte 4"),
        (b"\x08\x00\x00\x00TFL3" + bytes(20), "LiteRT model"),
        (b"\xff\xff\xff\xffTFL3" + bytes(20), "damaged"),
        (b"", "expected b'TFL3'"),
    ],
)
def test_what_is_no_model_says_so(data: bytes, reason: str) -> None:
    with pytest.raises(interp.InterpError, match=reason):
        interp.load(data) if data[4:8] == b"TFL3" else read_litert(data, "x.tflite")


def parts() -> Any:
    pytest.importorskip("ai_edge_litert")
    from interp.apps.runtimes import litert_model

    return litert_model


def test_all_unsupported_operators_are_named_with_their_numbers() -> None:
    m = parts()
    slots = [m.Slot("float32", (4,)) for _ in range(4)]
    names = ["HASHTABLE_LOOKUP", "RFFT2D", "RFFT2D"]
    nodes = [m.Node(m.Operator(name), [k], [k + 1]) for k, name in enumerate(names)]
    with pytest.raises(interp.Unsupported) as caught:
        interp.load(m.model(m.Subgraph(slots, nodes, [0], [3])))
    assert "3 nodes of unsupported operators: HASHTABLE_LOOKUP, RFFT2D" in str(caught.value)
    assert "1 HASHTABLE_LOOKUP: #0" in str(caught.value)
    assert "2 RFFT2D: #1, #2" in str(caught.value)


def test_another_batch_than_the_file_leaves_unknown_says_how_to_load_it() -> None:
    m = parts()
    module = interp.load(
        m.one_operator(m.Operator("ABS"), [m.Slot("float32", (-1, 2), name="x")], m.Slot("float32", (-1, 2)))
    )
    with pytest.raises(interp.Malformed, match=r'load\(path, dims=\{"arg0.0": n\}\)'):
        interp.run(module, np.zeros((3, 2), np.float32))


def signatures_of_variables() -> bytes:
    """Signatures `push`, which reads `a`, and `scale`, which reads `a` and `b`; CALL_ONCE is in `push`."""
    m = parts()
    import flatbuffers
    from ai_edge_litert import schema_py_generated as schema

    handle = lambda name: m.Operator("VAR_HANDLE", "VarHandleOptions", {"sharedName": name})
    read, assign = m.Operator("READ_VARIABLE"), m.Operator("ASSIGN_VARIABLE")
    x, resource = m.Slot("float32", (2,), name="x"), m.Slot("resource", ())
    first = [m.Slot("float32", (2,), data=np.float32([k, k])) for k in (3, 5)]
    push = m.Subgraph(
        [x, resource, x, x],
        [
            m.Node(m.Operator("CALL_ONCE", "CallOnceOptions", {"initSubgraphIndex": 2}), [], []),
            m.Node(handle("a"), [], [1]),
            m.Node(read, [1], [2]),
            m.Node(m.Operator("ADD", "AddOptions"), [0, 2], [3]),
        ],
        [0],
        [3],
    )
    scale = m.Subgraph(
        [resource, resource, x, x, x],
        [
            m.Node(handle("a"), [], [0]),
            m.Node(handle("b"), [], [1]),
            m.Node(read, [0], [2]),
            m.Node(read, [1], [3]),
            m.Node(m.Operator("MUL", "MulOptions"), [2, 3], [4]),
        ],
        [],
        [4],
    )
    start = [m.Node(handle(name), [], [k]) for k, name in enumerate("ab")]
    start += [m.Node(assign, [k, k + 2], []) for k in range(2)]
    model = schema.ModelT.InitFromPackedBuf(
        m.model(push, scale, m.Subgraph([resource, resource, *first], start, [], []))
    )
    model.signatureDefs = [schema.SignatureDefT() for _ in range(2)]
    for k, name in enumerate(("push", "scale")):
        model.signatureDefs[k].signatureKey, model.signatureDefs[k].subgraphIndex = name, k
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def test_each_signature_has_the_first_values_of_its_variables() -> None:
    module = interp.load(signatures_of_variables())
    (a,) = interp.run(module, function="init")
    states = interp.run(module, function="init_scale")
    assert [s.tolist() for s in (a, *states)] == [[3, 3], [3, 3], [5, 5]]
    assert interp.run(module, *(s.storage for s in states), function="scale")[0].tolist() == [15, 15]


def test_nodes_out_of_order_are_refused() -> None:
    m = parts()
    slots = [m.Slot("float32", (4,)) for _ in range(3)]
    nodes = [m.Node(m.Operator("TANH"), [1], [2]), m.Node(m.Operator("TANH"), [0], [1])]
    with pytest.raises(interp.Malformed, match="which nothing has computed"):
        interp.load(m.model(m.Subgraph(slots, nodes, [0], [2])))


def test_the_sets_of_kernels_differ_in_sums_of_bytes_and_in_rounding() -> None:
    """SUM of i8 in LiteRT's reference kernels reads bytes as unsigned: -1 is 255."""
    m = parts()
    axes = m.Slot("int32", (1,), data=np.array([0], np.int32))
    x, y = m.Slot("int8", (3,), [0.5], [0]), m.Slot("int8", (), [0.5], [0])
    content = m.one_operator(m.Operator("SUM", "ReducerOptions", {}, 2), [x, axes], y)
    arg = np.array([-1, -2, 5], np.int8)
    sums = {k: interp.run(interp.load(content, kernels=k), arg)[0].item() for k in ("litert", "micro")}
    assert sums == {"litert": -1, "micro": 2}  # min(255 + 254 + 5, 255) as a byte
    (group,) = interp.trace(interp.load(content), arg).groups
    assert (group.kind, group.severity, group.count) == ("fault", "warning", 1)
    assert "SUM of LiteRT reads bytes as unsigned: -1 against 2" in repr(group)
    assert interp.trace(interp.load(content, kernels="micro"), arg).counts["fault"] == 0
    assert interp.trace(interp.load(content), np.array([1, 2, 5], np.int8)).counts["fault"] == 0
    with pytest.raises(interp.Malformed, match="set of kernels"):
        interp.load(content, kernels="xnnpack")
    types = [m.Slot("int8", (1, 1), [1.0], [0]), m.Slot("int8", (1, 1), [0.5], [0], data=np.array([[1]]))]
    dense = m.Operator("FULLY_CONNECTED", "FullyConnectedOptions", {}, 4)
    content = m.one_operator(dense, [*types, None], m.Slot("int8", (1, 1), [1.0], [0]))
    halves = np.array([[-1]], np.int8)  # of which f64 rounds away from zero, and SRDHM up
    found = {k: interp.run(interp.load(content, kernels=k), halves)[0].tolist() for k in sums}
    assert found == {"litert": [[-1]], "micro": [[0]]}


def test_softmax_of_512_equal_numbers_has_a_result_and_an_event() -> None:
    m = parts()
    options = m.Operator("SOFTMAX", "SoftmaxOptions", {"beta": 1.0}, 2)
    for size, stored, rows in ((511, -127, 0), (512, -128, 1), (9000, -128, 1)):
        x, y = m.Slot("int8", (2, size), [0.5], [0]), m.Slot("int8", (2, size), [1 / 256], [-128])
        rows_of = np.stack(
            [np.zeros(size, np.int8), np.where(np.arange(size) == 7, 100, -100).astype(np.int8)]
        )
        trace = interp.trace(interp.load(m.one_operator(options, [x], y)), rows_of)
        assert trace.counts == ({"fault": rows} if rows else {})
        found = np.asarray(trace.results[0].storage)
        assert (found[0] == stored).all()
        assert (found[1] == np.where(np.arange(size) == 7, 127, -128)).all()


def test_addition_beyond_the_range_of_the_kernel_is_exact_and_has_an_event() -> None:
    m, rng = parts(), np.random.default_rng(5)
    types = [m.Slot("int8", (64,), [s], [z]) for s, z in ((3.0, 1), (3.5, -2), (3.3e-6, 3))]
    module = interp.load(m.one_operator(m.Operator("ADD", "AddOptions", {}, 2), types[:2], types[2]))
    x, y = rng.integers(-20, 20, (2, 64)).astype(np.int8)
    x[:4], y[:4] = [1, 8, -6, 8], [-2, -8, 4, -7]  # sums of 0 and others
    trace = interp.trace(module, x, y)
    assert trace.counts["fault"] == 64
    scales = [Fraction(float(np.float32(slot.scales[0]))) for slot in types]
    sums = [
        ((int(a) - 1) * scales[0] + (int(b) + 2) * scales[1]) / scales[2] for a, b in zip(x, y, strict=True)
    ]
    nearest = [min(max(round(s) + 3, -128), 127) for s in sums]
    assert np.asarray(trace.results[0].storage).tolist() == nearest
    assert len(set(nearest)) > 2


def test_a_sparse_constant_that_does_not_fit_is_refused() -> None:
    m = parts()
    for levels, reason in (
        ((2, ([0, 1, 2], [0, 3])), "outside of"),
        ((2, ([0, 2, 1], [0, 1])), "ends of segments"),
        ((2, ([0, 1], [0, 1])), "ends of segments"),
        ((2, ([0, 1, 1], [0])), "2 elements for 1 places"),
        ((1 << 30, ([0, 1, 2], [0, 1])), "more than"),
        ((2,), "levels"),
    ):
        layout = m.Sparse([0, 1], [], levels)
        x = m.Slot("int8", (2, 3), [1.0], [0], data=np.array([5, 7]), sparsity=layout)
        content = m.one_operator(m.Operator("DENSIFY"), [x], m.Slot("int8", (2, 3), [1.0], [0]))
        with pytest.raises(interp.Malformed, match=reason):
            read_litert(content, "x.tflite")


def test_an_lstm_keeps_its_states_and_names_the_fault_of_its_kernel() -> None:
    """In steps of 2^-16 the reference kernel takes the input gate for tanh of the cell."""
    module = read_litert(OPERATORS["362.UNIDIRECTIONAL_SEQUENCE_LSTM.model"].tobytes(), "x.tflite")
    x = OPERATORS["362.UNIDIRECTIONAL_SEQUENCE_LSTM.x0"]
    h, c = (state.storage for state in interp.run(module, function="init"))
    assert (c == 0).all()
    assert len(np.unique(h)) == 1
    trace = interp.trace(module, x, h, c)
    assert "takes the input gate for tanh" in repr(trace)
    y, h, c = trace.results
    assert np.array_equal(y.storage[:, -1], h.storage)  # the last output is the state
    again = interp.run(module, x, h.storage, c.storage)[0]
    assert not np.array_equal(again.storage, y.storage)


def test_sizes_that_the_file_leaves_unknown_are_given_by_name() -> None:
    m, rng = parts(), np.random.default_rng(2)
    weights = m.Slot("float32", (3, 6), data=rng.integers(-3, 4, (3, 6)).astype(np.float32))
    shape = m.Slot("int32", (2,), data=np.array([1, 6], np.int32))
    slots = [m.Slot("float32", (-1, 2, 3)), shape, m.Slot("float32", (-1, 6)), weights]
    slots += [m.Slot("float32", (-1, 3))]
    dense = m.Operator("FULLY_CONNECTED", "FullyConnectedOptions", {}, 1)
    nodes = [m.Node(m.Operator("RESHAPE"), [0, 1], [2]), m.Node(dense, [2, 3, -1], [4])]
    content = m.model(m.Subgraph(slots, nodes, [0], [4]))
    (title,) = (value.name.removeprefix("%") for value in interp.load(content).main.inputs)
    module = interp.load(content, dims={f"{title}.0": 5})
    x = rng.integers(-3, 4, (5, 2, 3)).astype(np.float32)
    (y,) = interp.run(module, x)
    assert np.array_equal(y.storage, x.reshape(5, 6) @ weights.data.T)
    assert interp.load(content).main.inputs[0].type.shape == (1, 2, 3)
    # and a shape that is computed from the size of the batch: (batch, 6)
    size, six = m.Slot("int32", ()), m.Slot("int32", (), data=np.array(6, np.int32))
    ends = [m.Slot("int32", (1,), data=np.array([k], np.int32)) for k in (0, 1)]
    slots = [slots[0], m.Slot("int32", (3,)), *ends, size, six, m.Slot("int32", (2,)), slots[2]]
    cut, pack = (
        m.Operator(*each)
        for each in (
            ("STRIDED_SLICE", "StridedSliceOptions", {"shrinkAxisMask": 1}),
            ("PACK", "PackOptions", {"valuesCount": 2}),
        )
    )
    nodes = [m.Node(m.Operator("SHAPE", "ShapeOptions", {"outType": 2}), [0], [1])]
    nodes += [
        m.Node(cut, [1, 2, 3, 3], [4]),
        m.Node(pack, [4, 5], [6]),
        m.Node(m.Operator("RESHAPE"), [0, 6], [7]),
    ]
    computed = m.model(m.Subgraph(slots, nodes, [0], [7]))
    assert interp.load(computed, dims={f"{title}.0": 5}).main.results[0].shape == (5, 6)
    for dims, reason in (({"z.0": 5}, f"unknown sizes: {title}.0"), ({f"{title}.0": 0}, "positive integer")):
        with pytest.raises(interp.Malformed, match=reason):
            interp.load(content, dims=dims)
