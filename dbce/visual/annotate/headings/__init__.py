"""Label mode for headings: which texts and images of a page name a part of its content."""
