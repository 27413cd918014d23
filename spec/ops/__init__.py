"""Every op of the oracle by name: its constraints and its meaning."""

from spec.ops import contraction, control, conversion, elementwise, reduction, structure

OPS = {
    **elementwise.OPS,
    **conversion.OPS,
    **structure.OPS,
    **contraction.OPS,
    **reduction.OPS,
    **control.OPS,
}
