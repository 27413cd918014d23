"""Types that clip at zero: those whose zero point is an end of their range."""

from __future__ import annotations

import numpy as np
import pytest

from interp.engine.storage import ends_at_zero, is_at_zero
from spec.types import ELEMENT_TYPES, QuantizedType, make_quantized

I8 = range(-128, 128)


@pytest.mark.parametrize(("zero_point", "end"), [(-128, -1), (127, 1), (0, 0), (-127, 0), (126, 0)])
def test_a_zero_point_at_an_end_clips_there(zero_point: int, end: int) -> None:
    type = make_quantized("i8", "f32", 0.5, zero_point)
    assert isinstance(type, QuantizedType)
    assert ends_at_zero(type) == (end,)
    x = np.array(I8, np.int8)
    found = is_at_zero(type, x, x.shape, np.arange(x.size))
    assert [int(q) for q in x[found]] == ([zero_point] if end else [])


def test_other_types_have_no_zero_point_at_an_end() -> None:
    assert ends_at_zero(ELEMENT_TYPES["f32"]) == ends_at_zero(ELEMENT_TYPES["i8"]) == ()
