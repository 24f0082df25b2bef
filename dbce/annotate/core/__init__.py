"""What all labelling desks share, whatever kind of gold they make: journal, store, task queue, agreement, pages."""
