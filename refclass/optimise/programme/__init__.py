"""Convex quadratic programmes with sparse rows: an interior point method, and exact optima from it.

Reading order:
    problem | quasi_definite
    arguments | certificate | interior_point | presolve | rounding | scaling | uniqueness
    crossover | semidefinite
    parametric | refinement
    solver
"""
