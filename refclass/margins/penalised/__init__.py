"""Losses plus a quadratic penalty, convex and not.

Reading order:
    multinomial_coordinates | objectives
    multinomial_newton | penalised
    kernel_logistic | multinomial | ramp | retargeted | stochastic
    fit | multinomial_certificate
    multinomial_safeguard
"""
