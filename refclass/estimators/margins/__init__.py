"""Public classifiers over the margin machines.

Reading order:
    binary_machine | crammer_singer | gram | kernel_classifier | lee_lin_wahba | one_vs_one | one_vs_rest
    semiparametric_classifier | several_machines
    svc
    bounds | svm_path
"""
