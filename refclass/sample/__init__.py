"""Samples of labelled points, and their moments.

Reading order:
    metric | observations
    data | determination | gaussian | indicator | logarithms | mean | moments | sherman_morrison | spectral
    scatter
    covariance
"""
