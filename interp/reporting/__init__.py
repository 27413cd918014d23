"""What a trace found, as a page and as a few lines on a terminal."""
