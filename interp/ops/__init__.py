"""The kernels: op name to `kernel(ctx, op, *operands) -> results`, arrays being carriers."""

from interp.ops import (
    contraction,
    control,
    conversion,
    elementwise,
    indexing,
    reduce,
    reduce_window,
    select_and_scatter,
    structure,
)

REDUCTIONS = {**reduce.KERNELS, **reduce_window.KERNELS, **select_and_scatter.KERNELS}

KERNELS = {
    **elementwise.KERNELS,
    **conversion.KERNELS,
    **structure.KERNELS,
    **indexing.KERNELS,
    **REDUCTIONS,
    **contraction.KERNELS,
    **control.KERNELS,
}

# Why an operation that has a kernel is not built for the types or attributes that it has here, or None.
REFUSALS = {
    **dict.fromkeys(elementwise.KERNELS, elementwise.refusal),
    **dict.fromkeys(contraction.KERNELS, contraction.refusal),
    "stablehlo.custom_call": conversion.custom_call_refusal,
}

# What may run on whole batches inside a body: regions are typed on 0-d tensors, where shape operations do
# nothing.
ELEMENTWISE = {
    *elementwise.KERNELS,
    "stablehlo.convert",
    "stablehlo.uniform_quantize",
    "stablehlo.uniform_dequantize",
    "quant.qcast",
    "quant.dcast",
    "quant.scast",
    "stablehlo.constant",
    "arith.constant",
}
