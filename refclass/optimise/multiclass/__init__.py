"""The duals of the many-class machines, and their solvers.

Reading order:
    coupled | low_rank | newton_equations | zero_sum
    block_sums | equal_sums | interior_point | zero_sum_crossover
"""
