"""What every public estimator offers, and the parts that several share.

Reading order:
    sklearn_interface | two_class_tasks
    certificates
    estimator
    more_digits | rounded_columns | split_fit
    discriminant | regressor
    given
    all_classes | canonical | flexible | kernel_regressor | multiclass | semiparametric
    multiclass_attributes
"""
