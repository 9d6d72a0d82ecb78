"""Crammer and Singer's machine for several classes (2001).

Reading order:
    problem
    certificate
    float_fit | primal_certificate
    fit
"""
