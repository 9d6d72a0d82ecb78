"""Mixtures of Gaussians: maximum likelihood by the EM algorithm.

Reading order:
    kmeans | likelihood
    em_steps
    em | em_certificate
    anderson
"""
