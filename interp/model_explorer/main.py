"""The extension that `model-explorer --extensions=interp.model_explorer` loads: it looks for this module."""

from interp.apps.model_explorer.main import *  # noqa: F403
