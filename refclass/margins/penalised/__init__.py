"""Losses plus a quadratic penalty, convex and not.

Reading order:
    balanced_intercepts | class_preconditioner | objectives
    multinomial_coordinates | penalised
    multinomial_newton
    kernel_logistic | multinomial | ramp | retargeted | stochastic
    fit | multinomial_certificate | multinomial_optimum
    multinomial_safeguard
"""
