"""From bytes and text to a `spec.ir.Module`."""
