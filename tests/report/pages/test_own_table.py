"""The pages of a user's own table: methods compared, pictures for what the table allows, proofs in words."""

from xml.etree import ElementTree

import pytest

from refclass import SVC, LinearDiscriminantAnalysis
from refclass.__main__ import main
from refclass.errors import InvalidInput
from refclass.report.pages import own_pictures, own_table

ROWS = [[float(i % 7), float(i * i % 11), float(i % 3)] for i in range(42)]
TWO = ["low" if r[0] + r[1] / 2 < 5 else "high" for r in ROWS]


def given(X, y, columns):
    """Return a table of rows."""
    return own_pictures.Given("rows", columns, "kind", X, y, 3, 0)


def shown(table):
    """Return the page as text and as XML."""
    page = own_table.pages(table, lambda *_: None)["index.html"]
    return page, ElementTree.fromstring(page.split("\n", 1)[1])


@pytest.mark.slow
def test_two_classes_have_margins_and_a_path():
    """Every method has a line, refused ones with their reason; the pictures are margins, path and variates."""
    page, root = shown(given(ROWS, TWO, ("a", "b", "c")))
    assert {s.get("id") for s in root.iter("section")} >= {"variates", "margins", "path"}
    cells = [c.text for c in root.iter("td")]
    assert all(title in cells for title, _, _ in own_table.METHODS)
    assert "the optimum is proven" in page and "its equations hold" in page


@pytest.mark.slow
def test_two_inputs_have_boundaries_and_three_classes_no_margins():
    """In the plane of two inputs the regions are drawn; margins and path are those of two classes."""
    y = [("x", "y", "z")[int(a) % 3] for a, _, _ in ROWS]
    _, root = shown(given([r[:2] for r in ROWS], y, ("a", "b")))
    assert {s.get("id") for s in root.iter("section") if s.get("id")} == {"boundaries"}


def test_a_path_that_is_at_rest_or_refused_is_not_drawn(monkeypatch):
    """Equal rows of both classes have no break point; the other pictures are there."""
    X, y = [[0.0, 1.0, 1.0], [1.0, 0.0, 3.0], [2.0, 2.0, 0.0]] * 4, [k for k in ("a", "b") for _ in range(6)]
    machine = own_pictures.Compared("linear machine, C = 1", None, None, SVC().fit(X, y))

    def names(table):
        return [figure.name for figure, _ in own_pictures.pictures(table, [machine])]

    columns = ("u", "v", "w")
    assert names(given(X, y, columns)) == ["margins"]
    changed = [[1.0, *X[0][1:]], *X[1:]]
    assert names(given(changed, y, columns)) == ["margins", "path"]
    monkeypatch.setattr(own_pictures, "SVMPath", lambda: SVC(C=-1))  # a fit that is refused
    assert names(given(changed, y, columns)) == ["margins"]


def test_equal_class_means_have_no_variates():
    """The picture of the variates is refused; the page has the others."""
    X, y = [[0.0], [2.0], [0.0], [2.0]], list("aabb")
    fitted = [own_pictures.Compared("linear discriminants", None, None, LinearDiscriminantAnalysis().fit(X, y))]
    fitted += [own_pictures.Compared("linear machine, C = 1", None, None, SVC().fit(X, y))]
    found = own_pictures.pictures(given(X, y, ("u",)), fitted)
    assert [figure.name for figure, _ in found] == ["margins"]


def test_one_class_is_refused():
    """There is nothing to tell apart."""
    with pytest.raises(InvalidInput, match="two classes or more"):
        own_table.pages(given([[1.0], [2.0]], ["a", "a"], ("x",)), lambda *_: None)


@pytest.mark.long
def test_the_command_writes_a_page(tmp_path, capsys):
    """With an embedded table; one line says where the page is."""
    assert main(["report", "--data", "iris", "--target", "species", "--out", str(tmp_path), "--folds", "3"]) == 0
    assert "index.html: 10 methods on 150 rows of iris" in capsys.readouterr().out
    assert "canonical variates" in (tmp_path / "index.html").read_text(encoding="utf-8").lower()
