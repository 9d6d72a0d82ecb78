"""Logistic regression and the separability that leaves it without a maximum.

Reading order:
    stiemke
    separation
    diverging
    logistic
    fit_certificate
"""
