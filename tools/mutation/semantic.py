"""Named mistakes that implementations make, as replacements in the kernels."""

from __future__ import annotations

from typing import NamedTuple

from mutation.operators import ROOT, Mutant


class Mistake(NamedTuple):
    name: str
    file: str
    before: str
    after: str


FOLD, QUANT, REDUCTION = "interp/engine/fold.py", "interp/engine/quant.py", "interp/kernels/reduce.py"
WINDOWING, SELECTION = "interp/kernels/reduce_window.py", "interp/kernels/select_and_scatter.py"
CLOSED, ADDITION, SHIFT = (
    "interp/speed/order_free.py",
    "interp/theory/quantized_arithmetic.py",
    "interp/theory/quantized_arithmetic.py",
)
WINDOWS, CONVERSION, INTEGERS = (
    "interp/backends/windows.py",
    "interp/kernels/conversion.py",
    "interp/kernels/elementwise.py",
)
FOLDED_PRODUCTS = "interp/kernels/product_fold.py"
CONTRACTION, ELEMENTWISE, STRUCTURE = (
    f"interp/kernels/{n}.py" for n in ("contraction", "elementwise", "structure")
)
CONTROL = "interp/kernels/control.py"
SATURATED = "if (low, high) != bounds:"
NAN = "nan = float(min(max(0, bounds[0]), bounds[1]))"
FACTS = "interp/engine/facts.py"
FLOATS, EAGER = "interp/kernels/floats.py", "interp/backends/numpy_backend.py"
NUMBER = "NUMPY.where(np.isnan(z), np.where(np.isnan(x), y, x), z)"
QUOTIENT = "xp.round_to(divide(x, scale), expressed)"
WHOLE = "xp.rint(xp.clip(scaled_and_moved(xp, x, type), low, high))"
WRAPPED = "(xp.rint(scaled_and_moved(xp, x, type)) - bounds[0]) % (bounds[1] - bounds[0] + 1) + bounds[0]"
CONVERTED = "entering(ctx, x, source, arguments[k])"
SELECTED = "(first,) = select(lhs[:1], rhs[:1], node)"
IN_F32 = "moved = x.astype(xp.float32)"
RIGHT = (
    "lambda xp, body, init, leaves, schedule: _any_tree(xp, body, init, leaves, Schedule('tree', tuple("
    "(leaves.n + (init is not None) - 2 - k, leaves.n + (init is not None) - 1 + k)"
    " for k in range(leaves.n + (init is not None) - 1))))"
)

MISTAKES = (
    Mistake(
        "zero point after rounding",
        QUANT,
        QUOTIENT,
        "scaled = xp.rint(xp.round_to(divide(x, scale), expressed))",
    ),
    Mistake("wrap for saturate", QUANT, WHOLE, WRAPPED),
    Mistake(
        "halves away from zero", QUANT, "xp.rint(", "(lambda v: xp.copysign(xp.floor(abs(v) + 0.5), v))("
    ),
    Mistake("zero point subtracted in storage", QUANT, IN_F32, "moved = x"),
    Mistake(
        "unsigned read as signed",
        QUANT,
        IN_F32,
        "moved = x.view(f'i{x.itemsize}').astype(xp.float32)",
    ),
    Mistake(
        "bits kept on promotion",
        QUANT,
        "if source is destination or source == destination:",
        "if isinstance(destination, QuantizedType):",
    ),
    Mistake("no conversion of init", REDUCTION, CONVERTED, f"x if 2 * k >= len(operands) else {CONVERTED}"),
    Mistake("no conversion of inputs", REDUCTION, CONVERTED, f"x if 2 * k < len(operands) else {CONVERTED}"),
    Mistake("padding with zero", WINDOWING, "xp.pad_with(x, i, edges)", "xp.pad_with(x, 0 * i, edges)"),
    Mistake("wrong tie in select", SELECTION, SELECTED, "first = ~select(rhs[:1], lhs[:1], node)[0]"),
    Mistake(
        "no init in scatter", SELECTION, "seed = (xp.broadcast_to(init,", "seed = (xp.broadcast_to(0 * init,"
    ),
    Mistake("right fold", FOLD, '"left": _left', f'"left": {RIGHT}'),
    Mistake("NaN lost in maximum", EAGER, "NUMPY.where(np.isnan(z), np.nan, z)", NUMBER),
    Mistake(
        "elements from last to first",
        FOLD,
        "leaves.at(i), Node(0 * i",
        "leaves.at(leaves.n - 1 - i), Node(0 * i",
    ),
    # Three that the suite once overlooked.
    Mistake("extremum for any init", CLOSED, "for type in (source, init):", "for type in (source,):"),
    Mistake("one storage bound clamps", QUANT, SATURATED, "if low != bounds[0] and high != bounds[1]:"),
    Mistake(
        "blocks without a last leaf",
        FOLD,
        "here = exists & leaves.stack_present()[last] if leaves.stack_present else exists",
        "here = leaves.stack_present()[last] if leaves.stack_present else exists",
    ),
    # What implementers of quantization get wrong.
    Mistake(
        "storage type's range",
        QUANT,
        "bounds = type.storage_min, type.storage_max\n    low, high = round_parameters(type).bounds",
        "bounds = low, high = type.storage_type.min_value, type.storage_type.max_value",
    ),
    Mistake("NaN to the zero point", QUANT, NAN, "nan = float(type.zero_points[0])"),
    Mistake("NaN to zero, unclamped", QUANT, NAN, "nan = 0.0"),
    Mistake("NaN to the least number", QUANT, NAN, "nan = float(bounds[0])"),
    Mistake("truncated, not rounded", QUANT, "xp.rint(xp.clip(", "xp.trunc(xp.clip("),
    Mistake(
        "reciprocal of the scale",
        QUANT,
        "xp.round_to(divide(x, scale), expressed)",
        "xp.round_to(xp.multiply(x, xp.round_to(xp.asarray(1.0, x.dtype) / scale, expressed)), expressed)",
    ),
    Mistake(
        "one rounding of quotient and zero point",
        QUANT,
        QUOTIENT,
        "divide(x, scale)",
    ),
    Mistake("no rounding of the difference", QUANT, "xp.round_to(exact, expressed)", "exact"),
    Mistake(
        "double rounding in f16",
        QUANT,
        "return xp.round_to(x, destination)",
        "return xp.round_to(xp.round_to(x, __import__('spec.types', "
        "fromlist=['x']).ELEMENT_TYPES['bf16']), destination)",
    ),
    Mistake(
        "scales along the next dimension",
        QUANT,
        "[-1 if d == type.quantization_dimension else 1 for d in range(len(shape))]",
        "[-1 if d == (type.quantization_dimension + 1) % len(shape) else 1 for d in range(len(shape))]",
    ),
    Mistake(
        "zero points of the first slice",
        QUANT,
        "zero_point = _parameter(xp, round_parameters(type).zero_points, x.dtype",
        "zero_point = _parameter(xp, round_parameters(type).zero_points[:1] * len(type.zero_points), x.dtype",
    ),
    Mistake("i4 does not wrap", QUANT, "return (x << spare) >> spare if spare else x", "return x"),
    Mistake("float to integer wraps", QUANT, "beyond = whole >= float(most)", "beyond = whole != whole"),
    Mistake(
        "result not converted",
        REDUCTION,
        "op.results[k].type.element_type)\n        for",
        "source)\n        for",
    ),
    Mistake(
        "init from the type of the inputs",
        REDUCTION,
        "source = op.operands[first + k].type.element_type",
        "source = op.operands[first].type.element_type",
    ),
    Mistake(
        "column-major leaves",
        REDUCTION,
        'dimensions = sorted(op["dimensions"])',
        'dimensions = sorted(op["dimensions"], reverse=True)',
    ),
    Mistake(
        "leaves in the order of dimensions", REDUCTION, 'sorted(op["dimensions"])', 'list(op["dimensions"])'
    ),
    Mistake(
        "base and window dilation swapped",
        WINDOWING,
        'return Windows(op["window_dimensions"], op["window_strides"], op["window_dilations"])',
        'return Windows(op["window_dimensions"], op["window_strides"], op["base_dilations"])',
    ),
    Mistake("base dilation ignored", WINDOWING, "[(*edge, d - 1) for", "[(*edge, 0 * d) for"),
    Mistake(
        "padding of all operands is the first's",
        WINDOWING,
        "for x, i in zip(inputs, init, strict=True))",
        "for x, i in zip(inputs, init[:1] * len(init), strict=True))",
    ),
    Mistake("window dilation ignored", WINDOWS, "* stride, dilation, size)", "* stride, 1, size)"),
    Mistake(
        "strides ignored",
        WINDOWS,
        "np.arange(part.start, part.stop) * stride",
        "np.arange(part.start, part.stop)",
    ),
    Mistake(
        "negative padding ignored",
        WINDOWS,
        "    low, high, interior = edge\n    step = interior + 1",
        "    low, high, interior = max(0, edge[0]), edge[1], edge[2]\n    step = interior + 1",
    ),
    Mistake("window transposed", WINDOWS, "for radix in reversed(radices):", "for radix in radices:"),
    Mistake(
        "unselected sources scattered",
        SELECTION,
        "total[places] = xp.where(chosen[sources] == number, after, before)",
        "total[places] = after",
    ),
    Mistake(
        "last of equals",
        SELECTION,
        "tuple(xp.where(first, a, b) for a, b in zip(lhs, rhs, strict=True))",
        "tuple(xp.where(first & ~select(rhs[:1], lhs[:1], node)[0], a, b) for a, b in zip(lhs, "
        "rhs, strict=True))",
    ),
    Mistake("padding competes", SELECTION, "if not all(map(every, inside)):", "if False:"),
    Mistake(
        "init twice in a balanced tree",
        FOLD,
        "xp.concatenate([i[None], x])",
        "xp.concatenate([i[None], i[None], x])",
    ),
    Mistake(
        "odd leaf dropped",
        FOLD,
        "xp.concatenate([c, x[rest]]) for c, x in zip(combined, level",
        "c for c, x in zip(combined, level",
    ),
    Mistake(
        "short block repeats its last leaf",
        FOLD,
        "masked = leaves.stack_present is not None or n < number * size",
        "masked = leaves.stack_present is not None",
    ),
    Mistake(
        "operands of the body swapped",
        FOLD,
        "return body(state, leaves.at(i),",
        "return body(leaves.at(i), state,",
    ),
    Mistake(
        "operands mixed up",
        REDUCTION,
        "return converted[:half], converted[half:]",
        "return converted[::-1][half:], converted[half:]",
    ),
    Mistake("zeros are equal in maximum", EAGER, "lambda: x + y", "lambda: x"),
    Mistake("zeros are equal in minimum", EAGER, "lambda: -(-x - y)", "lambda: y"),
    Mistake(
        "clamp of crossing bounds",
        FACTS,
        "xp.minimum(xp.maximum(x, low), high)",
        "xp.maximum(xp.minimum(x, high), low)",
    ),
    Mistake(
        "halves to even in round_nearest_afz", FLOATS, "xp.abs(x - whole) >= 0.5", "xp.abs(x - whole) > 0.5"
    ),
    Mistake(
        "addition in f64, unrounded",
        ELEMENTWISE,
        "return lambda *values: xp.round_to(f(*values), result)",
        "return f",
    ),
    Mistake(
        "operand read with the result's scale",
        ELEMENTWISE,
        "dequantize(xp, x, quantized[k])",
        "dequantize(xp, x, result if isinstance(result, QuantizedType) else quantized[k])",
    ),
    Mistake(
        "compare of storage",
        ELEMENTWISE,
        "dequantize(xp, x, quantized[k])",
        "(x.astype(float) if op.name.endswith('compare') else dequantize(xp, x, quantized[k]))",
    ),
    Mistake(
        "big-endian bits",
        CONVERSION,
        "for step in range(0, old, new)]",
        "for step in range(old - new, -1, -new)]",
    ),
    Mistake(
        "division rounds down", INTEGERS, "toward_zero = (a - xp.fmod(a, b)) // b", "toward_zero = a // b"
    ),
    Mistake(
        "shift by the width", INTEGERS, "wrap(xp, x << amount, t)", "wrap(xp, x << (amount % t.bits), t)"
    ),
    Mistake(
        "arithmetic shift of unsigned as logical",
        INTEGERS,
        '"shift_right_arithmetic": curry(_shift_right("int"))',
        '"shift_right_arithmetic": curry(lambda xp, t, x, a: _shift_right("int" if t.kind == "signed" '
        'else "uint")(xp, t, x, a))',
    ),
    Mistake(
        "products in the operands' type",
        "interp/speed/contraction_choice.py",
        "return wrap(xp, products_of(xp).integers(xp, problem, xp.carrier(element), premise.most), element)",
        "return products_of(xp).integers(xp, problem, problem.left.dtype, 1).astype(xp.carrier(element))",
    ),
    Mistake(
        "kernel is flipped",
        FOLDED_PRODUCTS,
        "steps = [-step if flip else step for",
        "steps = [step if flip else -step for",
    ),
    Mistake(
        "padding times infinity",
        FOLDED_PRODUCTS,
        "xp.where(there[place][..., None], product, xp.zeros_like(product))",
        "product",
    ),
    Mistake(
        "groups interleaved",
        FOLDED_PRODUCTS,
        "problem.right.reshape(n, *ones[1:], groups, outputs // groups)",
        "xp.transpose(problem.right.reshape(n, outputs // groups, groups), (0, 2, 1)).reshape(n, "
        "*ones[1:], groups, outputs // groups)",
    ),
    Mistake(
        "start indices not clamped below",
        EAGER,
        "min(max(int(index), 0), most)",
        "min(max(int(index), -1), most)",
    ),
    Mistake(
        "case below the first branch",
        CONTROL,
        "chosen = ctx.xp.where((index >= 0) & (index < n), index, n - 1)",
        "chosen = ctx.xp.clip(index, 0, n - 1)",
    ),
    Mistake(
        "inverse permutation",
        STRUCTURE,
        "xp.transpose(operand, permutation)",
        "xp.transpose(operand, sorted(range(operand.ndim), key=permutation.__getitem__))",
    ),
    Mistake(
        "bound of integer addition ignores the scale",
        ADDITION,
        "return frexp(scale)[0] == 0.5 and scale",
        "return scale",
    ),
    Mistake(
        "order is not asked for",
        SHIFT,
        "return bool((np.diff(conversion_table(source, destination).astype(np.int64)) >= 0).all())",
        "return True",
    ),
)


def semantic() -> list[Mutant]:
    """Return the named mistakes as mutants. A text that is not there says that the kernels have moved on."""
    return [_mutant(mistake, (ROOT / mistake.file).read_bytes()) for mistake in MISTAKES]


def _mutant(mistake: Mistake, source: bytes) -> Mutant:
    start = source.find(mistake.before.encode())
    if start < 0:
        raise SystemExit(
            f"{mistake.file}: {mistake.name!r} replaces {mistake.before!r}, which is not there any more"
        )
    line, end = source.count(b"\n", 0, start) + 1, start + len(mistake.before.encode())
    return Mutant(mistake.file, line, "semantic", mistake.name, 0, start, end, mistake.after)
