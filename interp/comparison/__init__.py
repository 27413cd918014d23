"""A program beside its float reference: the measured difference, the bound that it must meet, the budget."""
