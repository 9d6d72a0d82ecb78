"""Models of other programs as answers: LIBSVM, LIBLINEAR, R, scikit-learn's estimators.

Reading order:
    delimited_text | kernel_claims
    libsvm
    estimators | liblinear | r_models
    formats
"""
