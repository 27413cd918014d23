"""One line in a test: `assert_permitted`, `assert_close_to_float`; pytest loads `interp.testing.plugin`."""

from interp.apps.assertions import assert_close_to_float, assert_permitted

__all__ = ["assert_close_to_float", "assert_permitted"]
