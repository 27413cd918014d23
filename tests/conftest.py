"""What all tests need."""

import ml_dtypes  # noqa: F401  (tests name bfloat16 and the narrower floats)
