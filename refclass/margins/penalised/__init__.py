"""Losses plus a quadratic penalty, convex and not.

Reading order:
    class_preconditioner | objectives
    multinomial_coordinates | penalised
    multinomial_newton
    kernel_logistic | multinomial | ramp | retargeted | stochastic
    balanced_intercepts | fit | multinomial_certificate | multinomial_optimum
    multinomial_safeguard
"""
