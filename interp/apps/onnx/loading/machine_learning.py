"""Operators of ai.onnx.ml on numbers: encoders and extractors."""

from __future__ import annotations

import numpy as np

from interp.apps.onnx.loading.build import I64
from interp.apps.onnx.loading.movement import indices
from interp.apps.onnx.loading.node import Build, Node, array_of, element_of_dtype
from interp.apps.onnx.loading.reductions import fold
from spec.ir import Value


def array_feature_extractor(n: Node) -> Value:
    """Return the elements of the last dimension at indices; a vector becomes one row."""
    x = n.value(0)
    if not x.type.rank:
        raise n.malformed_error("expected at least one dimension")
    places = indices(n, 1, x.type.shape[-1])
    places = n.b.reshape(places, (places.type.size,))
    out = n.b.gather(x, places, x.type.rank - 1)
    return n.b.reshape(out, (1, *out.type.shape)) if x.type.rank == 1 else out


def binarizer(n: Node) -> Value:
    """Return 1 where x exceeds a threshold, else 0."""
    x = n.value(0)
    above = n.b.compare("GT", x, n.b.full(n.attribute("threshold", 0.0), x.type))
    return n.b.convert(above, x.type.tensor_element_type)


def label_encoder(n: Node) -> Value:
    """Return the value of each key; of a key that repeats, the last one counts. A key NaN is every NaN."""
    x = n.value(0)
    keys, values, default = mapping(n)
    if len(keys) != len(values) or element_of_dtype(keys.dtype) != x.type.element_type:
        raise n.malformed_error(f"{len(keys)} keys of {keys.dtype}, {len(values)} values, for {x.type!r}")
    spread = n.b.place(x, (*x.type.shape, len(keys)), range(x.type.rank))
    table = n.b.array(keys, x.type.tensor_element_type)
    equal = n.b.compare("EQ", spread, table)
    if keys.dtype.kind == "f":
        both = n.b.binary("and", n.b.compare("NE", spread, spread), n.b.compare("NE", table, table))
        equal = n.b.binary("or", equal, both)
    places = n.b.iota(equal.type.shape, x.type.rank, I64)
    last = fold(n.b, n.b.select(equal, places, n.b.full(-1, places.type)), "maximum", [x.type.rank])
    results = np.concatenate([default, values])
    out = n.b.array(results, element_of_dtype(results.dtype))
    return n.b.gather(out, n.b.binary_scalar("add", last, 1), 0)


def mapping(n: Node) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the keys, the values, and the value of what is not a key."""
    arrays = []
    for part in ("keys", "values"):
        given = [name for name in n.attributes if name.startswith(f"{part}_")]
        if len(given) != 1:
            raise n.malformed_error(f"expected one attribute {part}_..., got {given}")
        arrays.append(numbers(n, given[0]))
    values = arrays[1]
    usual = -1 if values.dtype.kind in "iu" else -0.0
    name = {"f": "default_float", "i": "default_int64"}.get(values.dtype.kind, "")
    name = "default_tensor" if "values_tensor" in n.attributes else name
    default = numbers(n, name) if name in n.attributes else np.asarray(usual)
    return arrays[0], values, default.reshape(-1)[:1].astype(values.dtype)


def numbers(n: Node, name: str) -> np.ndarray:
    """Return an attribute as an array: a tensor, or a list of integers, or of floats in f32."""
    value = n.attribute(name)
    if name.endswith(("_string", "_strings")):
        raise n.unsupported_error(f"attribute {name}", "expected numbers")
    if hasattr(value, "data_type"):
        return np.asarray(array_of(value))
    return np.asarray(value, np.float32 if "float" in name else np.int64).reshape(-1)


TABLE: dict[str, Build] = {
    "ArrayFeatureExtractor": array_feature_extractor,
    "Binarizer": binarizer,
    "LabelEncoder": label_encoder,
}
