"""What every public estimator offers, and the parts that several share.

Reading order:
    sklearn_interface | two_class_tasks
    certificates
    estimator
    discriminant | regressor | split_fit
    canonical | flexible | given
    kernel_regressor | multiclass | semiparametric
    multiclass_attributes
"""
