"""The primal active-set method for quadratic programmes (Nocedal and Wright 2006, section 16.5).

Reading order:
    kkt_inverse | linear_constraints
    kkt_adjugate | primal
    kkt_system
    iterate
    iteration
    solver
    crossover | recession
"""
