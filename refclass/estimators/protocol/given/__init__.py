"""What a user gives an estimator, read and checked.

Reading order:
    classifier_by_name | kernel_input | regression_by_name | starting
"""
