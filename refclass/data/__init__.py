"""Generators of the documents' artificial data, and the embedded tables.

Reading order:
    planted_outlier | skin_of_the_orange | spirals
"""
