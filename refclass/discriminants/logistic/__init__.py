"""Logistic regression and the separability that leaves it without a maximum.

Reading order:
    ascent | balanced_weights | stiemke
    continuation | separation
    diverging
    logistic
    fit_certificate
"""
