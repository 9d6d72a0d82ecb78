"""Convex quadratic programmes with sparse rows: an interior point method, and exact optima from it.

Reading order:
    interior_point | problem
    arguments | certificate | presolve | rounding | scaling | uniqueness
    crossover | semidefinite
    parametric | refinement
    solver
"""
