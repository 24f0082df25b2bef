"""Report of a run for people: its figures in one HTML file."""
