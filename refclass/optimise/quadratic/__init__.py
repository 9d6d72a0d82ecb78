"""Quadratic programmes: the problem, its optimality conditions and certificates.

Reading order:
    kkt | problem
    convexity | phase_one | uniqueness
    certificate | definiteness
    box | enumeration
"""
