"""The pages in a real browser: narrow and wide, light and dark; nothing overflows, nothing is too small."""

import pytest

from refclass.report.pages import book, gallery, reproduction
from refclass.report.tables.table import Size
from tests.report.browser import PROGRAM, Browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium here"),
]
NAMES = [
    "losses",
    "margins",
    "path",
    "lifted",
    "unequal_variances",
    "quadratic_borders",
    "minimisers",
    "kernels",
    "book",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a page of each kind."""
    place = tmp_path_factory.mktemp("pages")
    list(reproduction.reproduce(reproduction.chosen(NAMES), str(place), lambda *_: None, Size(quick=True)))
    return place


@pytest.fixture(scope="module")
def browser():
    """Return a browser for all tests."""
    with Browser() as running:
        yield running


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_the_screen_in_both_schemes(folder, browser, width, scheme):
    """No page is wider than the window, no letter below 11 pixels, the console is silent, the ground follows the
    scheme."""
    faults = {}
    for page in sorted(folder.glob("*.html")):
        found = browser.show(page.as_uri(), width, scheme)
        if found["wide"] > 0 or found["over"] or found["small"] or found["console"]:
            faults[page.name] = found
        dark = sum(int(v) for v in found["ground"].strip("rgba()").split(",")[:3]) < 3 * 128
        assert dark == (scheme == "dark"), page.name
    assert not faults


def test_an_equation_is_seen_on_one_screen(folder, browser):
    """ESL (12.13), opened by its address on a desk's screen: formula, code and tests are all within the window."""
    page = (folder / "esl-12.html").as_uri() + "#ESL-12.13"
    browser.show(page, 1280, "light", height=800)
    place = """(() => { const e = document.getElementById('ESL-12.13').getBoundingClientRect();
      return [e.top, e.bottom, window.innerHeight]; })()"""
    top, bottom, height = browser.ask("Runtime.evaluate", True, expression=place, returnByValue=True)["result"]["value"]
    assert 0 <= top < bottom <= height


def test_the_pages_need_nothing_else(folder):
    """No script, no style sheet, no picture, no font from elsewhere; the book's pages are all linked."""
    for page in folder.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "<script" not in text and "http://" not in text.replace("http://www.w3.org", "")
        assert "https://" not in text and "src=" not in text
    contents = (folder / "index.html").read_text(encoding="utf-8")
    assert all(f'href="{address}"' in contents for address, _ in book.links())
    assert set(gallery.AREAS) >= {"losses", "machines"}
