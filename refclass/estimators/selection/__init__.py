"""Public functions and classes that validate, compare and select.

Reading order:
    cross_validate | grid_cells | learning_curve | leave_one_out
    grid_search
"""
