"""Evaluation of headings against those that people marked, by the measures of HEPS."""
