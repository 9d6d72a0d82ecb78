"""Multivariate adaptive regression splines (Friedman 1991).

Reading order:
    backward | knots
    problem
    forward
    mars
"""
