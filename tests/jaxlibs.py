"""What the oldest supported jaxlib lacks, as marks for the tests that need it."""

import jaxlib
import pytest

CURRENT_QUANT_DIALECT = pytest.mark.skipif(
    jaxlib.version.__version_info__ < (0, 10, 1),
    reason="until 0.10 jaxlib's `quant` dialect has no spelling `ui8` and other float storage types",
)
