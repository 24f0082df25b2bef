"""From bytes to a page of plain values and back: the only package that imports lxml or bs4."""
