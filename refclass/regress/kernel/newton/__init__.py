"""Semismooth Newton's method for kernel machines, and the crossover to the exact optimum.

Reading order:
    loss_slopes | newton_coordinates
    semismooth_newton
    growing_set
    crossover
"""
