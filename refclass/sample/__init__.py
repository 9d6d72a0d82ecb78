"""Samples of labelled points, and their moments.

Reading order:
    data | metric
    gaussian | indicator | mean | moments | spectral | units
    scatter
    covariance
"""
