"""Main texts and text runs against what people say is content."""
