"""The verbs that execute a program (run, compile, lower, plan), and the limits of their agreement."""
