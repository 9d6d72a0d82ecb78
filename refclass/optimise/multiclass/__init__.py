"""The duals of the many-class machines, and their solvers.

Reading order:
    intercept_levels | low_rank | newton_equations | zero_sum
    blocks | central_path | coupled | tuples | zero_sum_crossover
    block_sums | equal_sums | interior_point
"""
