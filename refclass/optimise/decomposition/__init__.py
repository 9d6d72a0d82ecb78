"""Decomposition methods: SMO, chunking, fixed-size working sets; the engine for machines with any kernel and any sums.

Reading order:
    chunking | reduced_cholesky | smo | working_set
    coordinate_ascent | fixed_size | one_sum | reduced_newton
    solver
"""
