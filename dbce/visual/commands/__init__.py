"""The commands of the wing: `declared` has them as the table of commands does, the others do them."""
