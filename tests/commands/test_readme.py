"""What the README shows runs as it stands."""

import re

from tests.architecture.test_project import text


def test_the_python_of_the_readme_runs():
    """Its blocks, one after the other, in one namespace."""
    names = {}
    for block in re.findall(r"```python\n(.*?)```", text("README.md"), re.S):
        exec(block, names)
    assert names["machine"].certificate_.gap == 0
    assert names["found"].n == 30 and names["search"].best_validation_.rate <= names["found"].rate
