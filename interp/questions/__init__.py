"""Questions about a program or a recorded run: explanations, verdicts, bounds, proofs, what is permitted."""
