"""Template tokens, MinHash signatures and their bands."""
