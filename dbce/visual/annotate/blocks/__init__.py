"""`dbce label --blocks`: people draw the blocks of pages as they were laid out, and that is block gold."""
