"""The array namespaces NUMPY and JAX, and the few operations in which the two differ.

A *carrier* is the array in which a value is computed. Integers, booleans and storage integers are their own
carriers. Each namespace documents how it carries floats.
"""

from interp.backends.base import DIRECTIONS, Array, Combine, Loop, Namespace, State, max_finite
from interp.backends.numpy_backend import NUMPY, fl, fl_all

__all__ = [
    "DIRECTIONS",
    "NUMPY",
    "Array",
    "Combine",
    "Loop",
    "Namespace",
    "State",
    "fl",
    "fl_all",
    "max_finite",
]
