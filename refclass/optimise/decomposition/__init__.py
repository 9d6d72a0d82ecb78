"""Decomposition methods for singly constrained box problems: SMO, chunking, fixed-size and second-order working sets.

Reading order:
    chunking | reduced_cholesky | smo | warm_start
    conjugate_gradient | coordinate_ascent | fixed_size | reduced_newton
    solver
"""
