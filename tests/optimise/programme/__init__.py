"""Tests of refclass.optimise.programme."""
