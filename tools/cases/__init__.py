"""What tools/emit_cases.py writes: worked cases, families, and the mistakes that they tell apart."""
