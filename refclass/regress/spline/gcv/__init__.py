"""Generalised cross-validation of a smoothing spline: the criterion, its global minimum, and the proof of it.

Reading order:
    branch_and_bound | gcv | gcv_enclosure
    gcv_criterion | gcv_expansion
    gcv_minimum
    gcv_certificate
"""
