"""The oracle: what each operation means, literally and slowly; for the conformance suite and tests."""
