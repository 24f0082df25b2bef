"""Experiments behind the figures of docs/, and the harness that they share; README.md lists them."""
