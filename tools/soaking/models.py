"""Damaged ONNX models: their nodes, attributes, tensors or types are changed, and written as bytes again."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

SIZES = (0, -1, 1, 2, 3, 255, 65536, 2**31, 2**40, 2**62)
NUMBERS = (0, 1, -1, 2, 7, 300, 2**31, 2**62, -(2**63))
REALS = (0.0, -1.0, 0.5, 1e-45, 3.4e38, float("inf"), float("nan"))
OPERATORS = (
    "Add Mul Conv MatMul Relu Softmax Reshape Transpose Gather Clip Concat Slice Pad Cast MaxPool".split()
)
Change = Callable[[Any, Random], None]


def changed(data: bytes, changes: list[Change], rng: Random) -> bytes:
    """Return a model with changes made to its graph."""
    import onnx

    model = onnx.load_model_from_string(data)
    for change in changes:
        change(model, rng)
    return bytes(model.SerializeToString())


def node(model: Any, rng: Random) -> Any:
    return rng.choice(model.graph.node or [model.graph.node.add()])


def attribute(model: Any, rng: Random) -> Any:
    """Return an attribute of a node that has some, or a new one."""
    nodes = [node for node in model.graph.node if node.attribute]
    return rng.choice(rng.choice(nodes).attribute) if nodes else node(model, rng).attribute.add(name="axis")


def tensor(model: Any, rng: Random) -> Any:
    """Return a weight, or the tensor of a Constant."""
    inner = [a.t for n in model.graph.node for a in n.attribute if a.HasField("t")]
    return rng.choice([*model.graph.initializer, *inner] or [model.graph.initializer.add()])


def info(model: Any, rng: Random) -> Any:
    graph = model.graph
    return rng.choice([*graph.input, *graph.output, *graph.value_info])


def attribute_deleted(model: Any, rng: Random) -> None:
    some = [node for node in model.graph.node if node.attribute]
    if some:
        fields = rng.choice(some).attribute
        del fields[rng.randrange(len(fields))]


def attribute_renamed(model: Any, rng: Random) -> None:
    attribute(model, rng).name = rng.choice(
        ("axis", "axes", "pads", "strides", "kernel_shape", "perm", "to", "alpha", "value", "group", "x", "")
    )


def attribute_retyped(model: Any, rng: Random) -> None:
    """Give an attribute a value of another type, or say another type than its value has."""
    a = attribute(model, rng)
    if rng.random() < 0.3:
        a.type = rng.randrange(15)
        return
    name = a.name
    a.Clear()
    a.name, a.type = name, rng.choice((1, 2, 3, 6, 7, 8))
    if a.type == 1:
        a.f = rng.choice(REALS)
    elif a.type == 2:
        a.i = rng.choice(NUMBERS)
    elif a.type == 3:
        a.s = rng.choice((b"", b"SAME_UPPER", b"text", b"\xff"))
    elif a.type == 6:
        a.floats.extend(rng.choices(REALS, k=rng.randrange(4)))
    elif a.type == 7:
        a.ints.extend(rng.choices(NUMBERS, k=rng.randrange(6)))
    else:
        a.strings.extend([b"x"] * rng.randrange(3))


def attribute_changed(model: Any, rng: Random) -> None:
    """Change the number of an attribute, or one of its numbers."""
    a = attribute(model, rng)
    if a.ints:
        a.ints[rng.randrange(len(a.ints))] = rng.choice(NUMBERS)
    elif a.floats:
        a.floats[rng.randrange(len(a.floats))] = rng.choice(REALS)
    elif a.type == 1:
        a.f = rng.choice(REALS)
    else:
        a.i = rng.choice(NUMBERS)


def input_dropped(model: Any, rng: Random) -> None:
    """Leave out an input of a node: the last, one in the middle, or only its name."""
    inputs = node(model, rng).input
    if inputs:
        at = rng.randrange(len(inputs))
        if rng.random() < 0.5:
            del inputs[at]
        else:
            inputs[at] = ""


def input_exchanged(model: Any, rng: Random) -> None:
    """Let a node take another tensor of the graph, of a later node perhaps."""
    inputs, names = node(model, rng).input, [n for other in model.graph.node for n in other.output]
    names += [t.name for t in model.graph.initializer] + [i.name for i in model.graph.input] + ["nowhere"]
    if inputs:
        inputs[rng.randrange(len(inputs))] = rng.choice(names)


def output_dropped(model: Any, rng: Random) -> None:
    outputs = node(model, rng).output
    if outputs:
        del outputs[rng.randrange(len(outputs))]


def operator_exchanged(model: Any, rng: Random) -> None:
    others = [*OPERATORS, *(n.op_type for n in model.graph.node), "Nothing", ""]
    node(model, rng).op_type = rng.choice(others)


def node_deleted(model: Any, rng: Random) -> None:
    if model.graph.node:
        del model.graph.node[rng.randrange(len(model.graph.node))]


def tensor_retyped(model: Any, rng: Random) -> None:
    tensor(model, rng).data_type = rng.randrange(-1, 27)


def tensor_resized(model: Any, rng: Random) -> None:
    t = tensor(model, rng)
    if t.dims and rng.random() < 0.7:
        t.dims[rng.randrange(len(t.dims))] = rng.choice(SIZES)
    elif t.dims and rng.random() < 0.5:
        del t.dims[rng.randrange(len(t.dims))]
    else:
        t.dims.append(rng.choice(SIZES))


def tensor_damaged(model: Any, rng: Random) -> None:
    """Cut off elements, change a byte of one, or name a file that is not there."""
    t = tensor(model, rng)
    at = rng.randrange(max(1, len(t.raw_data)))
    kind = rng.randrange(4)
    if kind == 0:
        t.raw_data = t.raw_data[:at]
    elif kind == 1:
        t.raw_data = t.raw_data[:at] + rng.randbytes(1) + t.raw_data[at + 1 :]
    elif kind == 2:
        t.raw_data = b"\xff" * len(t.raw_data)  # NaN, -1
    else:
        t.data_location = 1
        t.external_data.add(key=rng.choice(("location", "offset")), value=rng.choice(("x.bin", "/etc", "-1")))


def type_changed(model: Any, rng: Random) -> None:
    """Declare another element type, size or rank of an input, an output or a value."""
    if not (model.graph.input or model.graph.output):
        return
    type = info(model, rng).type.tensor_type
    dims = type.shape.dim
    kind = rng.randrange(4)
    if kind == 0:
        type.elem_type = rng.randrange(-1, 27)
    elif kind == 1 and dims:
        dims[rng.randrange(len(dims))].dim_value = rng.choice(SIZES)
    elif kind == 2 and dims:
        dims[rng.randrange(len(dims))].dim_param = rng.choice(("N", "", "é"))
    else:
        type.ClearField("shape")


def version_changed(model: Any, rng: Random) -> None:
    kind = rng.randrange(4)
    if kind == 0 or not model.opset_import:
        model.ir_version = rng.choice((0, 1, 3, 13, 99, -1))
    elif kind == 1:
        del model.opset_import[rng.randrange(len(model.opset_import))]
    elif kind == 2:
        rng.choice(model.opset_import).domain = rng.choice(("ai.onnx", "com.microsoft", "x"))
    else:
        rng.choice(model.opset_import).version = rng.choice((0, -1, 1, 6, 9, 10, 13, 18, 21, 23, 99))


CHANGES: tuple[Change, ...] = (
    attribute_deleted,
    attribute_renamed,
    attribute_retyped,
    attribute_retyped,
    attribute_changed,
    attribute_changed,
    input_dropped,
    input_exchanged,
    output_dropped,
    operator_exchanged,
    node_deleted,
    tensor_retyped,
    tensor_resized,
    tensor_damaged,
    type_changed,
    version_changed,
)
