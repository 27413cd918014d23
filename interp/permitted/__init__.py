"""Whether a result is one that some schedule gives."""
