"""Decomposition methods for the duals of the many-class machines.

Reading order:
    coupled | low_rank | newton_equations | zero_sum | zero_sum_newton
    coupled_smo | interior_point | zero_sum_crossover | zero_sum_descent
    coupled_newton
    coupled_decomposition
"""
