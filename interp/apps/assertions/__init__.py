"""Assertions for other projects' tests: a result is permitted, or as near to a float result as is proved."""

from interp.apps.assertions.asserts import assert_close_to_float, assert_permitted
from interp.apps.assertions.options import FAIL, NAMES, PASS, Setting, setting

__all__ = ["FAIL", "NAMES", "PASS", "Setting", "assert_close_to_float", "assert_permitted", "setting"]
