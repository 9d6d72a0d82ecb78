"""What the certificates of several estimators share.

Reading order:
    canonical_certificate | claimed | mixture_certificate | stated
"""
