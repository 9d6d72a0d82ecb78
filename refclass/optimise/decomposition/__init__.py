"""Decomposition methods: SMO, chunking, fixed-size working sets; the engine for machines with any kernel and any sums.

Reading order:
    chunking | low_rank_start | reduced_cholesky | sparse_start | warm_start | working_pair | working_set
    one_sum | reduced_basis | smo
    conjugate_gradient | coordinate_ascent | fixed_size | reduced_newton
    solver
"""
