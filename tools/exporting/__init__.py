"""Programs that real exporters write, each framework's in its own environment: `tools/exports`."""
