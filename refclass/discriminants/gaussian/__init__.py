"""Gaussian class densities: Bayes' rule, linear, quadratic, regularised and Fisher's discriminants.

Reading order:
    cutpoint | lda | qda | variates
    bayes | fisher | lda_deletion | least_squares | normal_certificate | rda
    ratio_rule
"""
