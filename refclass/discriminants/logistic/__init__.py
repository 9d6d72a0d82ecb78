"""Logistic regression and the separability that leaves it without a maximum.

Reading order:
    ascent | balanced_weights | stiemke
    continuation | row_space | separation
    diverging
    logistic
    fit_certificate
"""
