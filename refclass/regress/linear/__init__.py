"""Linear and polynomial regression by orthogonal decompositions.

Reading order:
    check | extent | lasso | least_squares | orthogonal_columns | ridge_certificate
    polynomial | ridge | row_deletion
"""
