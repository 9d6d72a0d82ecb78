"""Convex quadratic programmes with sparse rows: an interior point method, and exact optima from it.

Reading order:
    interior_point | problem
    certificate | presolve | rounding | scaling | semidefinite | uniqueness | working_set
    crossover | lexicographic
    parametric | refinement
    solver
"""
