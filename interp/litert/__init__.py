"""Programs as LiteRT models (.tflite)."""

from interp.apps.litert.writing.write import write_litert as write

__all__ = ["write"]
