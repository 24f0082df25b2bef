"""The one desk on which gold of every kind is made: journal, store, queue of tasks, agreement, pages."""
