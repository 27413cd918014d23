"""What is noteworthy about a run: events, and how they are found."""
