"""The accumulation of any implementation: recovered by probes, stated, and executed again."""
