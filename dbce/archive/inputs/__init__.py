"""Inputs of a run: their names, indexes and selections, and the captures that are read of them."""
