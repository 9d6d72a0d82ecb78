"""What is right, by defining equations alone: Gaussian rules, least squares, likelihoods, smoothing splines, a trace.

Reading order:
    rows
    textbook
    likelihood | ridge_trace | scoring | smoothing
"""
