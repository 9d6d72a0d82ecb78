"""The short how-tos: every session of every page gives what stands there."""

import doctest
import pathlib
import re
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "howto"
PAGES = sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != "README")


@pytest.mark.skipif(sys.version_info < (3, 10), reason="scikit-learn's page is for recent versions")
@pytest.mark.parametrize("page", PAGES)
def test_a_page_gives_what_stands_there(page):
    """Its sessions run one after the other, in one namespace."""
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    if "sklearn" in text:
        pytest.importorskip("sklearn", minversion="1.6")
    sessions = re.findall(r"^```pycon\n(.*?)^```", text, re.M | re.S)
    assert sessions
    test = doctest.DocTestParser().get_doctest("\n".join(sessions), {}, page, page, 0)
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert found.failed == 0 and found.attempted >= 5


def test_the_front_page_links_every_page():
    """Eleven of them, and no other."""
    front = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert len(PAGES) == 11 and re.findall(r"\]\(([\w-]+)\.md\)", front) == sorted(set(PAGES), key=front.index)
