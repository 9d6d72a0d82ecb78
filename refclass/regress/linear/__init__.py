"""Linear and polynomial regression by orthogonal decompositions.

Reading order:
    check | extent | lasso | least_squares | ridge_certificate
    polynomial | ridge | row_deletion
"""
