"""Floor 3: samples of labelled points, and their moments.

Reading order:
    data
    mean | indicator | moments | units
    scatter
    covariance | metric
    gaussian | spectral
    orange | spiral | outlier
"""
