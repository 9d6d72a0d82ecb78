"""What is right, by defining equations alone: Gaussian rules, least squares, likelihoods, smoothing splines.

Reading order:
    rows
    textbook
    likelihood | scoring | smoothing
"""
