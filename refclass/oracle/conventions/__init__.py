"""Conventions of other programs: converted to those of this package, and known of each program.

Reading order:
    conversion | presets
"""
