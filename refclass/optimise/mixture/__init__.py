"""Mixtures of Gaussians: maximum likelihood by the EM algorithm.

Reading order:
    kmeans | likelihood
    em
    squarem
"""
