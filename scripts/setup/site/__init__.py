"""The documentation as a site: what mkdocs builds it from."""
