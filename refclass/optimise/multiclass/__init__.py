"""The duals of the many-class machines, and their solvers.

Reading order:
    intercept_levels | newton_equations | zero_sum
    block_working_set | central_path | class_factors | coupled | coupled_working_set | zero_sum_crossover
    fixed_point_equations
    block_sums | class_envelopes | equal_sums | interior_point
    growing_set
"""
