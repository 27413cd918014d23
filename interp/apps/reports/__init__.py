"""The report of a trace: one HTML page with its pictures, and the view of a notebook."""
