"""The support vector machine for two classes: hard and soft margin, path, certificate.

Reading order:
    actual_distance | geometry | hard | primal | soft
    certificate | conditions | isml_listing | squared
    fit | optimality
    path
"""
