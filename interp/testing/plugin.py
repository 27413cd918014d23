"""The plugin that pytest loads through an entry point, or with `-p interp.testing.plugin`."""

from interp.apps.assertions.plugin import (
    interp_check,
    pytest_configure,
    pytest_runtest_protocol,
    pytest_runtest_setup,
)

__all__ = ["interp_check", "pytest_configure", "pytest_runtest_protocol", "pytest_runtest_setup"]
