"""Pages of the viewer that show rendered captures."""
