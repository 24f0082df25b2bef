"""Training and testing of models on labelled captures, whole sites held out."""
