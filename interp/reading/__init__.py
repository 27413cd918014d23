"""From untrusted bytes and text, and exporters' dialects, to a `spec.ir.Module`."""
