"""Convex quadratic programmes with sparse rows: an interior point method, and exact optima from it.

Reading order:
    interior_point | problem
    certificate | given | presolve | rounding | scaling | uniqueness | working_set
    crossover | lexicographic | semidefinite
    parametric | refinement
    solver
"""
