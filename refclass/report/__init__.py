"""Answers laid out for people.

Reading order:
    drawing | stages | text
    program | translation
    export
    commands
    tables
    figures
    pages
"""
