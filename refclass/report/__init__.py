"""Answers laid out for people.

Reading order:
    drawing | program | text
    braced_languages
    export
    commands
    tables
    figures
    pages
"""
