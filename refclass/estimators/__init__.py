"""The public face, scikit-learn's shape over every model.

Reading order:
    judge_kernel | log_transform | names | solve_qp
    protocol
    margins | regression | selection | standardizer
    discriminants
    comparators
"""
