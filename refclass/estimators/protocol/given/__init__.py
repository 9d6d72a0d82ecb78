"""What a user gives an estimator, read and checked.

Reading order:
    class_weights | kernel_input | starting
"""
