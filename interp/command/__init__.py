"""The command line and the REPL: their options, and one file for each verb that is more than a call."""
