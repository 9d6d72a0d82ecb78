"""Public functions and classes that validate, compare and select.

Reading order:
    cross_validate | grid_search | learning_curve | leave_one_out
"""
