"""The primal active-set method for the hinge loss on a linear kernel, with exact line search.

Reading order:
    dual_basis | line_search | slacks | smoothed_start
    active_points
    line_step
    iteration
    solver
    hyperplane_certificate
"""
