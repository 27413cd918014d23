"""What a REPL session has at hand, without the REPL."""
