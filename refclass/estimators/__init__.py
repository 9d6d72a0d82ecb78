"""The public face, scikit-learn's shape over every model.

Reading order:
    names
    protocol
    margins | regression | selection
    discriminants
"""
