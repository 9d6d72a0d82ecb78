"""The spaces that kernels are inner products of.

Reading order:
    features | rkhs
"""
