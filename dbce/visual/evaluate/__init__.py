"""Scores of segmentations and headings against what people drew and marked."""
