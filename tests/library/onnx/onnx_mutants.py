"""Damaged ONNX models: bytes flipped or cut, and fields of the message changed, from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from onnx import ModelProto, TensorProto

Change = Callable[[ModelProto, random.Random], None]
HUGE = (-1, -(1 << 62), 1 << 31, 1 << 40, (1 << 63) - 1)


def mutants(data: bytes, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield damaged copies of a model's bytes without end, each with the name of its damage."""
    pick = random.Random(seed)
    while True:
        name = pick.choice([*BYTES, *FIELDS, *FIELDS])
        if name in BYTES:
            yield name, BYTES[name](data, pick)
            continue
        model = ModelProto.FromString(data)
        FIELDS[name](model, pick)
        yield name, model.SerializeToString()


def flipped(data: bytes, pick: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(pick.choice((1, 1, 2, 8, 64))):
        changed[pick.randrange(len(changed))] ^= 1 << pick.randrange(8)
    return bytes(changed)


def truncated(data: bytes, pick: random.Random) -> bytes:
    return data[: pick.randrange(len(data))]


def spliced(data: bytes, pick: random.Random) -> bytes:
    start, end = sorted(pick.randrange(len(data)) for _ in range(2))
    return data[:start] + data[min(end, start + 40) :]


def a_node(model: ModelProto, pick: random.Random) -> Any:
    return pick.choice(model.graph.node)


def a_weight(model: ModelProto, pick: random.Random) -> Any:
    return pick.choice(model.graph.initializer)


def other_operator(model: ModelProto, pick: random.Random) -> None:
    names = (
        "Conv",
        "Add",
        "Relu",
        "Reshape",
        "Gather",
        "Nonsense",
        "",
        "MatMul",
        "Softmax",
        "Slice",
        "Pad",
        "If",
    )
    a_node(model, pick).op_type = pick.choice(names)


def missing_input(model: ModelProto, pick: random.Random) -> None:
    node = a_node(model, pick)
    if node.input:
        del node.input[pick.randrange(len(node.input))]


def renamed_input(model: ModelProto, pick: random.Random) -> None:
    node = a_node(model, pick)
    if node.input:
        node.input[pick.randrange(len(node.input))] = pick.choice(("", "nowhere", "x", *node.output))


def swapped_inputs(model: ModelProto, pick: random.Random) -> None:
    node = a_node(model, pick)
    if len(node.input) > 1:
        first, second = pick.sample(range(len(node.input)), 2)
        node.input[first], node.input[second] = node.input[second], node.input[first]


def cycle(model: ModelProto, pick: random.Random) -> None:
    first, second = sorted(pick.sample(range(len(model.graph.node)), 2))
    model.graph.node[first].input.append(model.graph.node[second].output[0])


def other_order(model: ModelProto, pick: random.Random) -> None:
    nodes = list(model.graph.node)
    pick.shuffle(nodes)
    del model.graph.node[:]
    model.graph.node.extend(nodes)


def attribute_number(model: ModelProto, pick: random.Random) -> None:
    having = [a for node in model.graph.node for a in node.attribute]
    attribute = pick.choice(having)
    number = pick.choice((-7, 0, 3, 99, *HUGE))
    attribute.i = number
    if attribute.ints:
        attribute.ints[pick.randrange(len(attribute.ints))] = number
    attribute.f = pick.choice((float("nan"), float("inf"), -1.0))


def attribute_type(model: ModelProto, pick: random.Random) -> None:
    pick.choice([a for node in model.graph.node for a in node.attribute]).type = pick.randrange(15)


def attribute_gone(model: ModelProto, pick: random.Random) -> None:
    node = pick.choice([node for node in model.graph.node if node.attribute])
    del node.attribute[pick.randrange(len(node.attribute))]


def attribute_longer(model: ModelProto, pick: random.Random) -> None:
    for attribute in pick.choice([node for node in model.graph.node if node.attribute]).attribute:
        attribute.ints.extend([pick.choice((0, 1, -1, 5))] * pick.randrange(3))


def weight_shape(model: ModelProto, pick: random.Random) -> None:
    weight = a_weight(model, pick)
    if weight.dims and pick.random() < 0.7:
        weight.dims[pick.randrange(len(weight.dims))] = pick.choice((0, 1, 2, 7, *HUGE))
    else:
        weight.dims.append(pick.choice((0, 1, 3)))


def weight_type(model: ModelProto, pick: random.Random) -> None:
    a_weight(model, pick).data_type = pick.choice([*TensorProto.DataType.values(), 99, -1])


def weight_numbers(model: ModelProto, pick: random.Random) -> None:
    weight = a_weight(model, pick)
    data = bytearray(weight.raw_data)
    for k in range(len(data)) if pick.random() < 0.5 else ():
        data[k] = pick.choice((0, 255, 127, 128))
    weight.raw_data = bytes(data) if pick.random() < 0.7 else bytes(data[: len(data) // 2])


def external(model: ModelProto, pick: random.Random) -> None:
    weight = a_weight(model, pick)
    weight.data_location = TensorProto.EXTERNAL
    path = pick.choice(("/etc/hostname", "../../../etc/hostname", "nowhere.bin", "", "."))
    weight.external_data.add(key="location", value=path)


def declared_size(model: ModelProto, pick: random.Random) -> None:
    info = pick.choice([*model.graph.input, *model.graph.output, *model.graph.value_info])
    if sizes := info.type.tensor_type.shape.dim:
        pick.choice(sizes).dim_value = pick.choice((0, 1, 5, *HUGE))


def declared_type(model: ModelProto, pick: random.Random) -> None:
    info = pick.choice([*model.graph.input, *model.graph.output])
    info.type.tensor_type.elem_type = pick.choice([*TensorProto.DataType.values(), 77])


def other_version(model: ModelProto, pick: random.Random) -> None:
    if pick.random() < 0.2:
        del model.opset_import[:]
    else:
        pick.choice(model.opset_import).version = pick.choice((0, 1, 6, 10, 13, 18, 99, -1))


def twice(model: ModelProto, pick: random.Random) -> None:
    model.graph.node.append(a_node(model, pick))


def no_outputs(model: ModelProto, pick: random.Random) -> None:
    del model.graph.output[:]


BYTES = {f.__name__: f for f in (flipped, truncated, spliced)}
FIELDS: dict[str, Change] = {
    f.__name__: f
    for f in (
        *(other_operator, missing_input, renamed_input, swapped_inputs, cycle, other_order),
        *(attribute_number, attribute_type, attribute_gone, attribute_longer),
        *(weight_shape, weight_type, weight_numbers, external),
        *(declared_size, declared_type, other_version, twice, no_outputs),
    )
}
