"""Answers: objects such as `Trace` whose methods ask the questions, and the debugger."""
