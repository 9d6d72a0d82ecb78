"""The Costs that no test counts: each by name, with its own reason.

A Cost that is new belongs to a table of `test_stated_costs`, or of a file that it names; here only if nothing of it can
be counted.
"""

# name -> why it cannot be counted
UNCOUNTED = {
    "linear.factorisations.sparse_ldl:plan": "unions of sets, each one call in C that says nothing of its length",
}
