"""Samples of labelled points, and their moments.

Reading order:
    data | metric
    gaussian | indicator | mean | moments | sherman_morrison | spectral | units
    scatter
    covariance
"""
