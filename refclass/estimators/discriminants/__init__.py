"""Public classifiers over the discriminant models.

Reading order:
    fda | fisher | lda | least_squares | logistic | nearest | network | pda | qda | rbf_network
    regression_classifier | scoring | subclass_starts | tree
    bayes | mda | perceptron | rda
"""
