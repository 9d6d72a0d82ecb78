"""The support vector machine for two classes: hard and soft margin, path, certificate.

Reading order:
    hard | hyperplane | primal | soft
    certificate | conditions | listing | squared
    candidate
    crossover | rounding
    safeguard
    fit
    path
    path_certificate | path_record
"""
