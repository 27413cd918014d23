"""The conformance suite: cases, the protocol of implementations, reports, and random programs."""
