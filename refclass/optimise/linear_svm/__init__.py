"""The primal active-set method for the hinge loss on a linear kernel, with exact line search.

Reading order:
    dual_basis | screened_points
    iterate | smoothed_start
    line_search
    iteration
    solver
"""
