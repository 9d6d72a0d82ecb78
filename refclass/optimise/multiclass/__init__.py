"""The duals of the many-class machines, and their solvers.

Reading order:
    intercept_levels | low_rank | newton_equations | zero_sum
    block_sums | central_path | coupled | zero_sum_crossover
    equal_sums | interior_point
"""
