"""Gold data and scores."""
