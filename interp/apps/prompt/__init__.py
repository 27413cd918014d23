"""The prompt of `interp repl`: words, help, and what a session knows."""
