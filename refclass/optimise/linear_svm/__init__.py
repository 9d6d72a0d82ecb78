"""The primal active-set method for the hinge loss on a linear kernel, with exact line search.

Reading order:
    dual_basis | line_search | slacks
    active_points | smoothed_start
    line_step
    iteration
    solver
    hyperplane_certificate
"""
