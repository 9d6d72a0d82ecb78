"""The trace, on a small checkout made for it, and on this one."""

from __future__ import annotations

import pytest

from refclass.errors import NoAnswer
from refclass.oracle.equations import marks, trace
from refclass.oracle.equations.specification import settings, specification


def mark(*names):
    """Return citation marks (built here, so that this file cites nothing)."""
    return " ".join(f"[{name}]" for name in names)


EQUATIONS = """# A document

## 1.1 Beginnings

### ESL-1.1 · the first

definition

    a = b

### ESL-1.1.1-word · without a number

identity · uses: ESL-1.1

    a − b = 0

## 1.10 Later

### ESL-1.2 · the second

objective · cited, not printed · uses: ESL-1.1, ESL-1.1.1-word

    min a

## 1.Ex Exercises

### ESL-Ex1.1 · an exercise

exercise

    a > 0
"""

ERRATA = """# Errata

## ESL

### ERR-ESL-01 · (1.1)

severity A · concerns ESL-1.1

- stands: a = c
- correct: a = b

open
"""

INVENTORY = """# Inventory

## A. Rows

| row | what it is | properties |
|---|---|--:|
| QDA | quadratic | 2 |
| K-LIN | linear kernel | 1 |
"""


@pytest.fixture
def checkout(tmp_path):
    """A checkout with four equations, an erratum, a claim, two rows, one module, one test file and one case."""
    files = {
        "spec/equations/esl-1.md": EQUATIONS,
        "spec/errata.md": ERRATA,
        "spec/inventory.md": INVENTORY,
        "spec/claims/RC-1.md": "# RC-1 · a claim\n\n**Claim.** a\n\n**Proof.** b\n",
        "spec/exceptions.toml": '# why\n"ESL-Ex1.1" = "nothing to compute"\n',
        "spec/documents.toml": 'finished = [\n  "ESL 1.1",\n]\n\n[ESL]\ntitle = "A"\n',
        "spec/vectors/v1/module.json": '{"equations": ["ESL-1.2"]}\n',
        "refclass/__init__.py": "from refclass.module import f\n",
        "refclass/module.py": (
            f'def f():\n    """{mark("ESL-1.1", "ESL-1.1.1-word")}."""\n\n\nx = 1  # {mark("RC-1")}\n'
        ),
        "tests/test_room.py": (
            f'def test_one():\n    """A law  {mark("ESL-1.1", "ERR-ESL-01")}."""\n\n\n'
            f'def test_two():\n    """Another  {mark("QDA.P1", "K-LIN", "QDA")} of [K-1] and [A, B]."""\n'
        ),
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def statuses(checkout):
    """Return the status of each equation of a checkout."""
    return {row.id: row.status for row in trace.matrix(specification(checkout))}


def add(checkout, name, text):
    """Append a text to a file of the checkout."""
    path = checkout / name
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def test_headings_are_read_with_kind_uses_and_formula(checkout):
    """A heading gives an equation its title, kind, uses, formula, section and place."""
    e = specification(checkout).equations["ESL-1.2"]
    assert (e.title, e.kind, e.uses) == ("the second", "objective", ("ESL-1.1", "ESL-1.1.1-word"))
    assert (e.formula.strip(), e.document, e.section, e.number) == ("min a", "ESL", "1.10 Later", "1.10")
    assert (e.path, e.line) == ("spec/equations/esl-1.md", 19)


def test_an_id_that_stands_twice_is_refused(checkout):
    """Two headings with one id are refused, naming the id."""
    add(checkout, "spec/equations/esl-1.md", "\n### ESL-1.1 · again\n\nmodel\n\n    a\n")
    with pytest.raises(NoAnswer, match=r"each id once; got ESL-1\.1"):
        _ = specification(checkout).equations


def test_a_section_covers_the_sections_below_it_and_no_other(checkout):
    """1.1 covers 1.1 and 1.1.x, not 1.10; a document alone covers all of it; a chapter covers its exercises."""
    equations = specification(checkout).equations
    assert equations["ESL-1.1"].inside("ESL 1.1")
    assert not equations["ESL-1.2"].inside("ESL 1.1")
    assert equations["ESL-1.2"].inside("ESL 1") and equations["ESL-Ex1.1"].inside("ESL 1")
    assert equations["ESL-1.2"].inside("ESL") and not equations["ESL-1.2"].inside("KIM")


def test_the_four_statuses(checkout):
    """Cited by public code and by a test: computed; by a test: shown; by no test: open; excused: excused."""
    expected = {"ESL-1.1": "computed", "ESL-1.1.1-word": "open", "ESL-1.2": "open", "ESL-Ex1.1": "excused"}
    assert statuses(checkout) == expected
    add(checkout, "tests/test_room.py", f'\n\ndef test_three():\n    """{mark("ESL-1.2")}."""\n')
    assert statuses(checkout)["ESL-1.2"] == "shown"


def test_code_that_tests_alone_run_shows_an_equation(checkout):
    """A function that no public name leads to computes nothing that is delivered."""
    add(checkout, "refclass/module.py", f'\n\ndef g():\n    """{mark("ESL-1.2")}."""\n')
    add(checkout, "tests/test_room.py", f'\n\ndef test_three():\n    """{mark("ESL-1.2")}."""\n')
    assert statuses(checkout)["ESL-1.2"] == "shown"
    text = (checkout / "refclass/module.py").read_text(encoding="utf-8").replace("def f():", "def f(x=lambda: g()):")
    (checkout / "refclass/module.py").write_text(text, encoding="utf-8")
    assert statuses(checkout)["ESL-1.2"] == "computed"


def test_a_citation_by_code_outweighs_an_excuse(checkout):
    """An excused equation that code cites after all is not excused, so that the excuse is seen to be stale."""
    add(checkout, "refclass/module.py", f"# {mark('ESL-Ex1.1')}\n")
    assert statuses(checkout)["ESL-Ex1.1"] == "open"


def test_places_have_lines_and_test_names(checkout):
    """A mark's place is its file, its line and the test function around it."""
    row = trace.row("ESL-1.1", specification(checkout))
    assert [str(place) for place in row.code] == ["refclass/module.py:2"]
    assert [str(place) for place in row.tests] == ["tests/test_room.py:2 test_one"]
    assert [str(place) for place in trace.row("ESL-1.2", specification(checkout)).cases] == [
        "spec/vectors/v1/module.json:1"
    ]


def test_several_marks_in_a_row_are_all_read(checkout):
    """Marks that follow each other are read one by one; brackets that hold no id are no marks."""
    found = marks.marks(specification(checkout))
    assert sorted(found.tests) == ["ERR-ESL-01", "ESL-1.1", "K-LIN", "QDA", "QDA.P1"]
    assert sorted(found.code) == ["ESL-1.1", "ESL-1.1.1-word", "RC-1"]


@pytest.mark.parametrize("name", ["ESL-9.9", "ERR-ESL-77", "RC-9", "QDA.P3", "NONE.P1", "SVC-NONE", "M-NONE"])
def test_an_unknown_mark_is_found(checkout, name):
    """A mark whose id the specification does not have is reported with its place."""
    assert marks.unknown(specification(checkout)) == []
    add(checkout, "refclass/module.py", f"# {mark(name)}\n")
    assert [(found, str(place)) for found, place in marks.unknown(specification(checkout))] == [
        (name, "refclass/module.py:6")
    ]


def test_finished_sections_lack_what_is_open(checkout):
    """The equations of a finished section that are open are unfinished."""
    assert [row.id for row in trace.unfinished(specification(checkout))] == ["ESL-1.1.1-word"]


def test_where_leads_from_an_id_to_its_places(checkout):
    """`where` says the title, the formula, what it uses, the status and every place."""
    lines = trace.where("ESL-1.1.1-word", specification(checkout))
    assert lines[0] == "ESL-1.1.1-word · without a number"
    assert {"    a − b = 0", "uses ESL-1.1", "open", "code  refclass/module.py:2", "tests none"} <= set(lines)


def test_where_knows_errata_claims_and_rows(checkout):
    """`where` also answers for an erratum, a claim, a row of the inventory and one of its properties."""
    on = specification(checkout)
    assert "tests tests/test_room.py:2 test_one" in trace.where("ERR-ESL-01", on)
    assert "code  refclass/module.py:5" in trace.where("RC-1", on)
    assert "tests tests/test_room.py:6 test_two" in trace.where("QDA.P1", on)
    assert trace.where("K-LIN", on)[0] == "K-LIN · linear kernel"


def test_a_row_gathers_what_cites_its_properties(checkout):
    """A row of the inventory has the places of its properties, too; upper and lower case count as the same. No code
    cites a row: its code is that of the equations its tests cite."""
    add(checkout, "tests/test_room.py", f'\n\ndef test_four():\n    """{mark("QDA.P2", "ESL-1.2")}."""\n')
    on = specification(checkout)
    assert "code  where the equations stand that its tests cite: ESL-1.2" in trace.where("QDA", on)
    assert "code  none" in trace.where("QDA.P1", on)
    tests = [place.test for place in trace.row("QDA", on).tests]
    assert tests == ["test_two", "test_four"]
    assert trace.row("qda", on).id == "QDA" and trace.row("qda.p2", on).id == "QDA.P2"
    assert trace.row("esl-1.1", on).id == "ESL-1.1"
    assert "cases where the equations stand that its tests cite: ESL-1.2" in trace.where("QDA", on)


def test_a_place_is_said_once(checkout):
    """A test that cites two properties of a row is one place of it."""
    add(checkout, "tests/test_room.py", f'\n\ndef test_five():\n    """{mark("QDA.P1", "QDA.P2")}."""\n')
    lines = trace.where("QDA", specification(checkout))
    assert sum("test_five" in line for line in lines) == 1


def test_where_refuses_what_it_does_not_know(checkout):
    """An unknown id is refused in one line, with the nearest ids."""
    with pytest.raises(NoAnswer, match=r"trace: need an id of the specification.*got ESL-1\.3 \(nearest=ESL-1\.[12]"):
        trace.where("ESL-1.3", specification(checkout))


def test_a_package_without_its_specification_says_so(tmp_path):
    """Where there are no equations beside the package the refusal is one line that says what is needed."""
    with pytest.raises(
        NoAnswer,
        match=r"^specification: need a checkout or an installed package, with the folder of the equations; got none in",
    ):
        specification(tmp_path)


def test_the_record_is_written_and_then_stands_still(checkout):
    """`write` writes the record and the status lines; written again nothing changes, and statuses add up."""
    on = specification(checkout)
    assert trace.write(on=on) == "spec/trace.md, spec/errata.md"
    record = (checkout / "spec/trace.md").read_text(encoding="utf-8")
    assert "| **ESL** | 4 | 1 |  | 1 | 2 |" in record
    assert "\n- ESL-1.1 computed\n" in record
    assert "\n- QDA open P2\n- K-LIN open P1\n" in record
    assert trace.render(specification(checkout)) == record


def test_errata_name_the_tests_that_cite_them(checkout):
    """The status line of an erratum names the tests that cite it, and is open when none does."""
    trace.write(on=specification(checkout))
    errata = checkout / "spec/errata.md"
    assert "\nshown by `tests/test_room.py::test_one`\n" in errata.read_text(encoding="utf-8")
    (checkout / "tests/test_room.py").write_text("", encoding="utf-8")
    assert trace.statuses(specification(checkout)) == ERRATA


def test_the_settings_reader_refuses_what_it_cannot_read(tmp_path):
    """Anything but texts and lists of texts above the first table is refused, quoting it."""
    path = tmp_path / "x.toml"
    path.write_text('"a-1" = "b"\nlist = ["c", "d"]\n[table]\nx = 1\n', encoding="utf-8")
    assert settings(path) == {"a-1": "b", "list": ["c", "d"]}
    path.write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(NoAnswer, match="got x = 1"):
        settings(path)


def test_this_checkout_leads_from_the_wolfe_dual_to_its_room():
    """In this checkout the Wolfe dual is traced to the soft margin."""
    row = trace.row("ESL-12.13")
    assert row.status in ("computed", "shown")
    assert any(place.path == "refclass/margins/svm/soft.py" for place in row.code)


def test_chapters_stand_in_the_order_of_their_numbers():
    """Chapter 4 of a document stands before its chapter 12, on the specification and in the record."""
    ids = list(specification().equations)
    assert ids.index("ESL-4.8") < ids.index("ESL-12.1") < ids.index("ISML-27.1")
