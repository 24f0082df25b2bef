"""What dbce compiles, once more in Python: plain and slow, and what tests hold the compiled part to."""
