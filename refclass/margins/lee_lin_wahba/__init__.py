"""The machine of Lee, Lin and Wahba for several classes (2004).

Reading order:
    simplex
    problem
    certificate | conditions | pair_fit | trained_machine
    coupled_optimality | decimal_fit | decision
    interior_fit
    float_fit
    vanishing
    fit
"""
