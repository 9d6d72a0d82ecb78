"""Smooth minimisation: Newton's method, L-BFGS, stochastic gradient descent.

Reading order:
    lbfgs | newton | sgd
"""
