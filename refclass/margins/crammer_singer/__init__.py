"""Crammer and Singer's machine for several classes (2001).

Reading order:
    problem
    certificate
    optimum | primal_certificate | separation_witness
    float_fit
    vanishing
    fit
"""
