"""Pages of HTML: the book, the galleries of figures and tables, and those of a table of the user's.

Reading order:
    markdown | network | own_pictures | style
    book | gallery
    reproduction
    own_table
"""
