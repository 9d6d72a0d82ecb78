"""The machine of Lee, Lin and Wahba for several classes (2004).

Reading order:
    simplex
    problem
    certificate | conditions | decimal_fit | trained_machine
    coupled_optimality | decision | interior_fit
    float_fit
    vanishing
    fit
"""
