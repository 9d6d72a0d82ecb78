"""Linear and polynomial regression by orthogonal decompositions.

Reading order:
    check | extent | least_squares | orthogonal_columns | ridge_certificate
    lasso | polynomial | ridge | row_deletion
"""
