"""The record of a proof."""

import dataclasses

import pytest

from refclass.optimise.certificate import Certificate


def test_a_certificate_cannot_be_changed():
    """A proof is data: its fields are set once."""
    proof = Certificate("optimal", 1, 1, 0, 0, "")
    with pytest.raises(dataclasses.FrozenInstanceError):
        proof.status = "feasible"


def test_nothing_is_claimed_unique_unless_it_is_said():
    """By default nothing is unique and nothing is presumed."""
    proof = Certificate("feasible", 1, 0, 1, 0, "")
    assert proof.unique == {} and proof.premise == ""
