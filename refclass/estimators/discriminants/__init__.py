"""Public classifiers over the discriminant models.

Reading order:
    fda | fisher | lda | least_squares | logistic | pda | qda | regression_classifier | scoring | subclass_starts
    bayes | mda | rda | sparse_discriminant
"""
