"""Operators of ai.onnx.ml on numbers that prepare features: encoders, extractors and scalers."""

from __future__ import annotations

import numpy as np

from interp.apps.onnx.loading.movement import indices
from interp.apps.onnx.loading.node import Build, Node, element_of_dtype
from interp.apps.onnx.loading.normalization import along
from interp.apps.onnx.loading.scores import numbers
from interp.backends.dtypes import numpy_dtype
from interp.loading.build import F32, I1, I64
from interp.loading.folding import fold
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


def one_hot_encoder(n: Node) -> Value:
    """Return 1 at the place of each number's category, and 0 elsewhere, along a new last dimension.

    A number without a category has zeros. Where `zeros` is 0, the operator fails at it, and here it has NaN.
    """
    x, categories = (
        n.value(0),
        numbers(n, "cats_strings" if "cats_strings" in n.attributes else "cats_int64s"),
    )
    spread = n.b.place(n.b.convert(x, I64), (*x.type.shape, len(categories)), range(x.type.rank))
    last = [c not in categories[k + 1 :] for k, c in enumerate(categories)]
    found = n.b.compare("EQ", spread, n.b.array(categories, I64))
    out = n.b.convert(n.b.binary("and", found, n.b.array(np.array(last), I1)), F32)
    if n.attribute("zeros", 1):
        return out
    has_category = n.b.place(fold(n.b, found, "maximum", [x.type.rank]), out.type.shape, range(x.type.rank))
    return n.b.select(has_category, out, n.b.full(np.nan, out.type))


def imputer(n: Node) -> Value:
    """Return x with other values, one or one for each feature, where it is a value; NaN is any NaN."""
    x = n.value(0)
    element = x.type.tensor_element_type
    of_floats = "imputed_value_floats" in n.attributes
    values = numbers(n, "imputed_value_floats" if of_floats else "imputed_value_int64s")
    replaced = (
        n.attribute("replaced_value_float", 0.0) if of_floats else n.attribute("replaced_value_int64", 0)
    )
    if of_floats != (element.kind == "float") or len(values) not in (1, *x.type.shape[-1:]):
        raise n.malformed_error(f"{len(values)} values of {values.dtype} for {x.type!r}")
    if replaced != replaced:
        is_replaced = n.b.compare("NE", x, x)
    else:
        is_replaced = n.b.compare("EQ", x, n.b.full(replaced, x.type))
    return n.b.select(is_replaced, n.b.array(values.astype(numpy_dtype(element)), element), x)


def scaler(n: Node) -> Value:
    """Return (x - offset) * scale in f32, one of each or one for each feature."""
    x = n.b.convert(n.value(0), F32)
    for name, operation in (("offset", "subtract"), ("scale", "multiply")):
        values = numbers(n, name)
        if len(values) not in (1, *x.type.shape[-1:]):
            raise n.malformed_error(f"{len(values)} numbers of {name} for {x.type!r}")
        x = n.b.binary(operation, x, n.b.array(values, F32))
    return x


def normalizer(n: Node) -> Value:
    """Return rows divided by their largest number, sum of magnitudes or root of the sum of squares.

    A row for which that is 0 stays. Of the root, x has the sign: sqrt(x^2 / sum).
    """
    x, b, name = n.b.convert(n.value(0), F32), n.b, n.attribute("norm", "MAX")
    square = b.binary("multiply", x, x)
    parts = {"MAX": (x, "maximum"), "L1": (b.unary("abs", x), "add"), "L2": (square, "add")}
    if name not in parts or x.type.rank not in (1, 2):
        raise n.malformed_error(f"norm {name!r} of {x.type!r}", "expected MAX, L1 or L2 of rows")
    terms, body = parts[name]
    last = [x.type.rank - 1]
    norm = along(b, fold(b, terms, body, last), x, last)
    out = b.binary("divide", square if name == "L2" else x, norm)
    if name == "L2":
        root = b.unary("sqrt", out)
        out = b.select(b.compare("LT", x, b.full(0, x.type)), b.unary("negate", root), root)
    return b.select(b.compare("EQ", norm, b.full(0, x.type)), x, out)


def feature_vectorizer(n: Node) -> Value:
    """Return inputs side by side in f32, vectors as rows."""
    values = [n.b.convert(v, F32) for v in n.values()]
    return n.b.concatenate([n.b.reshape(v, (1, v.type.size)) if v.type.rank < 2 else v for v in values], 1)


def zip_map(n: Node) -> Value:
    advice = "StableHLO has no maps: export without it (skl2onnx: options={'zipmap': False})"
    raise n.unsupported_error("a map from classes to scores", advice)


TABLE: dict[str, Build] = {
    "ArrayFeatureExtractor": array_feature_extractor,
    "Binarizer": binarizer,
    "FeatureVectorizer": feature_vectorizer,
    "Imputer": imputer,
    "LabelEncoder": label_encoder,
    "Normalizer": normalizer,
    "OneHotEncoder": one_hot_encoder,
    "Scaler": scaler,
    "ZipMap": zip_map,
}
