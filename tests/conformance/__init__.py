"""Conformance of the field: the published cases and hard problems, put to other programs."""
