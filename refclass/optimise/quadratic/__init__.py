"""Quadratic programmes: the problem, its optimality conditions and certificates.

Reading order:
    kkt | problem
    convexity | exact_data | phase_one | uniqueness
    certificate | definiteness
    box | box_rows
    box_bounds
"""
