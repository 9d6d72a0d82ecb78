"""Public classifiers over the discriminant models.

Reading order:
    fda | fisher | lda | least_squares | logistic | mda | nearest | network | pda | qda | rbf_network
    regression_classifier | scoring | tree
    bayes | perceptron | rda
"""
