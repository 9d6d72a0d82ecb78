"""Tests of refclass.optimise.programme.parametric."""
