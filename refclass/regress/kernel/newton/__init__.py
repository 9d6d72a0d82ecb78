"""Newton's methods for kernel machines in long numbers, and the crossover to the exact optimum.

Reading order:
    loss_slopes | newton_coordinates
    semismooth_newton
    central_path
    growing_set
    crossover
"""
