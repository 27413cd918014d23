"""Marks for tests of what the oldest supported jaxlib lacks."""

import jaxlib
import pytest

CURRENT_QUANT_DIALECT = pytest.mark.skipif(
    jaxlib.version.__version_info__ < (0, 10, 1),
    reason="until 0.10 jaxlib's `quant` dialect has no spelling `ui8` and other float storage types",
)
