"""Generator of the sample archive that ships with dbce: `python -m scripts.sample.generate`."""
