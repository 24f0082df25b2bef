"""Gold for blocks and headings, made by people."""
