"""Readers of untrusted bytes and text, and of exporters' dialects: they return a `spec.ir.Module`."""
