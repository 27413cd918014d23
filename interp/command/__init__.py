"""The command line and the REPL: their options, and one file for each verb that needs more than a call."""
