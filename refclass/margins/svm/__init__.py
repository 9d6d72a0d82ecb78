"""The support vector machine for two classes: hard and soft margin, path, certificate.

Reading order:
    actual_distance | geometry | hard | path_numbers | primal | soft
    certificate | conditions | isml_listing | squared
    fit | optimality | path_model
    path_certificate | path_record | path_rounding
    path
"""
