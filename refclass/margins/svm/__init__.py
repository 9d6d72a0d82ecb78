"""The support vector machine for two classes: hard and soft margin, path, certificate.

Reading order:
    hard | hyperplane | path_numbers | primal | soft
    certificate | conditions | fitted_hyperplane | isml_listing | squared
    fit | optimality | path
    path_certificate | path_record
"""
