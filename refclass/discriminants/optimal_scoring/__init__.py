"""Optimal scoring, flexible and penalised discriminant analysis.

Reading order:
    correlation | scaled_regression | score_certificate | scoring
    class_moments
    fda
    fda_certificate | regression_sign
    pda
"""
