"""Public classifiers over the margin machines.

Reading order:
    crammer_singer | gram | kernel_classifier | lee_lin_wahba | one_vs_one | one_vs_rest
    svc
    bounds | svm_path
"""
