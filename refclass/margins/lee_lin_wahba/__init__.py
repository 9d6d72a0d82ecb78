"""The machine of Lee, Lin and Wahba for several classes (2004).

Reading order:
    simplex
    problem
    certificate | conditions
    coupled_optimality | float_fit
    fit
"""
