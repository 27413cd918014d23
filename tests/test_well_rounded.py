"""The quick test that conversions to quantized types pass without an event: it hides none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interp.engine.storage import convert_leaves, storage_range
from interp.recorder.detect import _conversion_events, conversion_events, doubtful, is_testable
from spec.types import ElementType, QuantizedType, parse_element_type

SOURCES = "f32", "bf16", "f16", "f64", "i32:f32, 0.0625", "i32:f32, 0.007", "i32:f64, 3.0e-300"
RESULTS = "i8:f32, 0.5", "i8<-3:7>:f32, 0.3:2", "u8:f32, 0.1:130", "i16:f64, 1.0e-300", "i32:f32, 2.0:5"
EXTREME = "i32<2147483600:2147483640>:f64, 0.3:2147483620", "i8:f16, 40000.0", "i8:f32, 1.5e-45:3"


def of(text: str) -> ElementType | QuantizedType:
    return parse_element_type(f"!quant.uniform<{text}>" if ":" in text else text)


@given(st.data())
@settings(max_examples=60)
def test_events_of_a_conversion_are_all_found(data: st.DataObject) -> None:
    """Numbers are ties, next to ties, beyond the range, subnormal, infinite and NaN."""
    source, result = (of(data.draw(st.sampled_from(names))) for names in (SOURCES, RESULTS + EXTREME))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    least, most = storage_range(result)
    steps = rng.integers(least - 3, most + 4, 300) - result.zero_point + rng.choice([0, 0.25, 0.5], 300)
    with np.errstate(all="ignore"):
        if isinstance(source, QuantizedType):
            x = np.clip(np.rint(steps * result.scale / source.scale), -(2**31), 2**31 - 1).astype(np.int32)
        else:
            near = (steps * result.scale).astype(np.float32 if source.bits < 64 else np.float64)
            x = convert_leaves(near, of("f64"), source)
            x[:5] = np.inf, -np.inf, np.nan, 1e-45, 0
        y = convert_leaves(x, source, result)
        y[7:9] += 1  # which no conversion gives
        found, expected = (
            [_plain(each) for each in f(source, result, x, y, False)]
            for f in (conversion_events, _conversion_events)
        )
    assert found == expected


def _plain(found) -> tuple:
    return found.kind, found.at.tolist(), str(found.error.tolist()), [str(found.exact(k)) for k in found.at]


@pytest.mark.parametrize("step", [0.25, 0.3])
def test_most_elements_need_no_other_test(step: float) -> None:
    result = of(f"i8:f32, {step}:3")
    x = np.linspace(-20, 20, 1001, dtype=np.float32)
    assert is_testable(result, of("f32"))
    assert len(doubtful(of("f32"), result, x, convert_leaves(x, of("f32"), result))) < 80
