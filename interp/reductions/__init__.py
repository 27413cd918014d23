"""Recorded runs and the questions about them: verdicts, bounds, explanations, smaller cases, lint."""
