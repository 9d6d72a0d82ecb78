"""The public face, scikit-learn's shape over every model.

Reading order:
    judge_kernel | names | solve_qp
    protocol
    margins | regression | selection
    discriminants
"""
