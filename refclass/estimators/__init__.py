"""The public face, scikit-learn's shape over every model.

Reading order:
    log_transform | names | solve_qp
    protocol
    judge_kernel | margins | regression | selection | standardizer
    discriminants
    comparators
"""
