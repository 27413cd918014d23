"""Places of results: mutants of right sums, and the results of real implementations."""
