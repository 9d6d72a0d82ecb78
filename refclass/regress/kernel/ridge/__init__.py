"""Ridge regression with a kernel: its systems, its fit, and each observation left out.

Reading order:
    kernel_ridge
    ridge_deletion
"""
