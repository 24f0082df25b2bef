"""Which words of a capture its neighbours share."""
