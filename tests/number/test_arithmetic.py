"""From the name of an arithmetic to its field."""

import pytest

from refclass.errors import InvalidInput
from refclass.number.arithmetic import field
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL


def test_names_stand_for_fields():
    """ "float", "exact" and "decimal:n", which are the fields' own names."""
    for F in (BINARY64, RATIONAL, decimal(2), decimal(50)):
        assert field(F.name) is F


NAMES = ["double", "Float", "", "decimal", "decimal:", "decimal:1", "decimal:-5", "decimal:5.5", "decimal:x", None, 50]


@pytest.mark.parametrize("name", NAMES)
def test_other_names_are_refused(name):
    """Any other name is refused and shown, with what would be understood."""
    need = 'arithmetic: need "float", "exact" or "decimal:n" with n ≥ 2; got'
    with pytest.raises(InvalidInput, match=need) as refusal:
        field(name)
    assert refusal.value.got == repr(name)
