"""The node tests that the onnx package generates, run through `interp.load`; and damaged models."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from onnx import (
    ModelProto,
    NodeProto,
    OptionalProto,
    SequenceProto,
    TensorProto,
    helper,
    numpy_helper,
    shape_inference,
)
from onnx.backend.test.case import node
from onnx.backend.test.loader import load_model_tests

import interp
from tests.library.onnx.onnx_mutants import mutants
from tests.library.onnx.onnx_products import unsigned

MODELS = Path(__file__).resolve().parents[3] / "testdata" / "onnx"
# Which inputs are the zero point of the values, the weights, and the zero point of the weights
PRODUCTS = {"QLinearMatMul": (2, 3, 5), "QLinearConv": (2, 3, 5), "QGemm": (2, 3, 5)}
NARROW = ("int4", "uint4", "int2", "uint2")  # kept in 8 bits here


def model(
    nodes: Any,
    inputs: Any,
    weights: Any = (),
    opset: int = 18,
    outputs: str = "y",
    output_type: int = TensorProto.FLOAT,
    functions: Sequence[Any] = (),
) -> Any:
    """Return a model of nodes; inputs: shapes by name, of float32; the shapes of outputs are inferred."""
    nodes = [nodes] if isinstance(nodes, NodeProto) else nodes
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(name, output_type, None) for name in outputs.split()],
        [numpy_helper.from_array(np.asarray(w), name) for name, w in dict(weights).items()],
    )
    domains = [helper.make_opsetid(name, 1) for name in {f.domain for f in functions}]
    opsets = [helper.make_opsetid("", opset), *domains]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8, functions=functions)
    return shape_inference.infer_shapes(model, data_prop=True)


def with_unsigned_weights(model: ModelProto) -> ModelProto:
    """Return a copy of a QOperator model in which weights of i8 that multiply values of u8 are `unsigned`."""
    copy = ModelProto.FromString(model.SerializeToString())
    kept = {x.name: x for x in copy.graph.initializer}
    for product in copy.graph.node:
        names = [product.input[k] for k in PRODUCTS.get(product.op_type, ())]
        if names and all(name in kept for name in names):
            value_point, weights, point = (numpy_helper.to_array(kept[name]) for name in names)
            if (value_point.dtype, weights.dtype) == (np.uint8, np.int8):
                for name, x in zip(names[1:], (weights, point), strict=True):
                    kept[name].CopyFrom(numpy_helper.from_array(unsigned(x), name))
    return copy


class Case(NamedTuple):
    """A node test: a model of one node or one function, and the arrays that it takes and gives."""

    name: str
    model: ModelProto
    inputs: list[Any]
    outputs: list[Any]
    rtol: float
    atol: float


def node_cases(modules: Iterable[str] = ()) -> list[Case]:
    """Return the node tests, or those of some modules of onnx.backend.test.case.node alone, which is fast."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the generators overflow on purpose
        for name in modules:
            import_module(f"onnx.backend.test.case.node.{name}")
        found = node._NodeTestCases if modules else load_model_tests(kind="node")
    return [
        Case(t.name, t.model, *(list(map(array, part)) for part in arrays), t.rtol, t.atol)
        for t in found
        for arrays in t.data_sets or []
    ]


def array(x: Any) -> Any:
    """Return a tensor of a case as an array, and a sequence as a list of them."""
    if isinstance(x, SequenceProto):
        return numpy_helper.to_list(x)
    if isinstance(x, OptionalProto):
        return numpy_helper.to_optional(x)
    return numpy_helper.to_array(x) if isinstance(x, TensorProto) else x


def outcome(case: Case) -> str:
    """Return "equal", "unsupported", or what is wrong with a node test's results or refusal."""
    try:
        outputs = computed(case)
    except interp.Unsupported:
        return "unsupported"
    except interp.InterpError as error:
        return f"{type(error).__name__}: {error}"
    wanted = flat(case.outputs)
    if len(outputs) != len(wanted):
        return f"{len(outputs)} outputs for {len(wanted)}"
    pairs = zip(outputs, wanted, strict=True)
    return "equal" if all(agree(np.asarray(x), np.asarray(y), case) for x, y in pairs) else "wrong"


def computed(case: Case) -> Sequence[Any]:
    """Return what the program gives; the tensors of a sequence are arguments and results of their own."""
    names = [info.name for info in case.model.graph.input]
    lists = {
        name: [np.shape(x) for x in flat([given])]
        for name, given, info in zip(names, case.inputs, case.model.graph.input, strict=True)
        if not info.type.HasField("tensor_type")
    }
    return interp.run(interp.load(case.model, dims=lists), *flat(case.inputs))


def flat(values: Iterable[Any]) -> list[Any]:
    """Return tensors, with those of sequences in their place, and without empty optionals."""
    found = [x if isinstance(x, list) else [x] for x in values if x is not None]
    return [x for part in found for x in part if x is not None]


def agree(got: np.ndarray, expected: np.ndarray, case: Case) -> bool:
    """Return whether results agree: integers exactly, floats within the tolerance of the test.

    Expected transforms are numpy's of complex<f32>, whose zeros are off by an ulp of the largest element.
    """
    if got.shape != expected.shape:
        return False
    if expected.dtype.name in NARROW:
        return np.array_equal(got, expected.astype(got.dtype))
    if got.dtype != expected.dtype:
        return False
    if expected.dtype.kind in "biu":
        return np.array_equal(got, expected)
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    rtol = max(case.rtol, 2**-6) if expected.dtype.name == "bfloat16" else case.rtol  # as onnx's own runner
    is_transform = case.name.startswith("test_dft")
    atol = max(case.atol, 2**-23 * float(np.abs(expected).max(initial=0))) if is_transform else case.atol
    return np.allclose(got.astype(wide), expected.astype(wide), rtol, atol, equal_nan=True)


def judged(cases: Iterable[Case]) -> tuple[Counter[str], dict[str, str]]:
    """Return how many cases are equal, unsupported and failed, and what the failed ones say."""
    count, failed = Counter[str](), {}
    for case in cases:
        said = outcome(case)
        count[said if said in ("equal", "unsupported") else "failed"] += 1
        if said not in ("equal", "unsupported"):
            failed[case.name] = said
    return count, failed


def damaged(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield this many damaged models, in turns of the kept ones, each with its file and damage."""
    files = sorted(MODELS.parent.glob("onnx*/*.onnx"))
    for k, file in enumerate(files):
        share = len(range(k, count, len(files)))
        for name, data in islice(mutants(file.read_bytes(), seed + k), share):
            yield f"{file.stem}, {name}", data


def reaction(data: bytes) -> str:
    """Return the kind of error of a damaged model, or "loads" if it loads and runs; any other end raises."""
    try:
        module = interp.load(data)
        shapes = [[n or 2 if n is not None else 2 for n in v.type.shape] for v in module.main.inputs]
        kinds = [np.dtype(v.type.storage_type.numpy) for v in module.main.inputs]
        if any(np.prod(shape, dtype=float) > 1 << 22 for shape in shapes):
            return "large"
        interp.run(module, *(np.ones(s, kind) for s, kind in zip(shapes, kinds, strict=True)))
    except interp.InterpError as error:
        text = str(error)
        broken = isinstance(error, interp.Bug) or "reader crashed" in text or "reader hung" in text
        return f"broken: {text}" if broken else type(error).__name__
    return "loads"
