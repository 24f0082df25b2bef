"""Report of a run for people: figures in one file, and static pages of its captures."""
