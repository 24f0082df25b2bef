"""What a run leaves for people: a report in one file, and static pages of its captures."""
