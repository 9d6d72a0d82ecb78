"""Mutation of the functions that carry an equation: what is broken, which tests are run, what survives."""
