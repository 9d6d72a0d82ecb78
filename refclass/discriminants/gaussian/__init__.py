"""Gaussian class densities: Bayes' rule, linear, quadratic, regularised and Fisher's discriminants.

Reading order:
    cutpoint | expansion | lda | variates
    fisher | lda_deletion | least_squares | normal_certificate | tangents
    qda
    bayes | rda
    ratio_rule
"""
