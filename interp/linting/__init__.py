"""What `interp.lint` measures."""
