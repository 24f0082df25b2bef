"""From occurrence bits to labels."""
