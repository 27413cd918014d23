"""A program beside its float reference: the measured difference, its bound, and the budget of the error."""
