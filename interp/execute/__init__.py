"""The verbs that execute a program (run, compile, lower, plan), and where their results may differ."""
