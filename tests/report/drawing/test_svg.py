"""Pictures as SVG text: valid, readable aloud, within their frames, the same every time."""

import math
from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.report.drawing import rendering, svg
from refclass.report.drawing.axis import Axis
from refclass.report.drawing.rendering import render
from refclass.report.drawing.svg import Lines, Panel, Points
from tests.profiles import examples
from tests.report.drawings import SPACE, frames, parsed, pixels

UNIT = Axis("across", 0, 1), Axis("up", 0, 1)
places = st.floats(-3, 4, allow_nan=False)


def panel(*marks, title=""):
    return Panel(title, *UNIT, marks)


@pytest.mark.slow
@settings(max_examples=examples(10))
@given(st.text(max_size=20))
def test_any_text_is_held_as_it_is(content):
    """Titles and names come back from the XML as they were, but for characters that XML has no place for."""
    kept = rendering.GONE.sub("\ufffd", content)
    root = parsed(render(content, content, [panel(Points(content, ((0.5, 0.5),)), title=content)]))
    assert (root.find(f"{SPACE}title").text or "") == kept.replace("\r", "\n")
    assert kept in [t.text or "" for t in root.iter(f"{SPACE}text")] and set(pixels(frames(root)[0])) == {kept or None}


def test_a_picture_says_what_it_is():
    """It has a role, a title and a description that it is labelled by."""
    root = parsed(render("Title", "About", [panel()]))
    assert root.get("role") == "img" and root.get("aria-labelledby") == "title about"
    assert [(root.find(f"{SPACE}{tag}").get("id"), root.find(f"{SPACE}{tag}").text) for tag in ("title", "desc")] == [
        ("title", "Title"),
        ("about", "About"),
    ]


@settings(max_examples=examples(50))
@given(st.lists(st.tuples(places, places), min_size=2, max_size=8))
def test_lines_are_cut_off_at_the_frame(line):
    """What is drawn lies in the frame and on the line; a point within the axes is drawn where it is."""
    p = panel(Lines("line", (line,)))
    parts = p.shown(line)
    for x, y in [place for part in parts for place in part]:
        assert 0 <= x <= svg.WIDTH and 0 <= y <= svg.HEIGHT
        assert min(_distance((x, y), *map(p.place, ends)) for ends in zip(line, line[1:])) < 1e-9
    drawn = {place for part in parts for place in part}
    assert all(p.place(q) in drawn for q in line if p.holds(q))


def _distance(q, a, b):
    """The distance of a point from a segment."""
    square = math.dist(a, b) ** 2
    share = sum((v - u) * (w - u) for u, v, w in zip(a, b, q)) / square if square > 1e-300 else 0
    share = min(1, max(0, share))
    return math.dist(q, [u + share * (v - u) for u, v in zip(a, b)])


def test_points_are_drawn_where_the_axes_say():
    """Fractions of the frame's width from the left and of its height from below, to hundredths of a pixel."""
    root = parsed(render("t", "a", [panel(Points("p", ((0, 0), (1, 1), (Q(1, 3), Q(1, 4)))))]))
    ((*found,),) = pixels(frames(root)[0]).values()
    assert found == [(0, svg.HEIGHT), (svg.WIDTH, 0), (round(svg.WIDTH / 3, 2), svg.HEIGHT * 0.75)]


@pytest.mark.parametrize(
    "mark", [Points("p", ((2, 0),)), Points("p", ((math.nan, 0),)), Lines("l", (((0, math.inf),),))]
)
def test_what_lies_outside_is_refused(mark):
    """A point beyond the axes, and numbers that are not finite."""
    with pytest.raises(InvalidInput, match="points within the axes|finite numbers"):
        panel(mark)


def test_a_picture_needs_a_panel():
    """None is refused."""
    with pytest.raises(InvalidInput, match="at least one panel"):
        render("t", "a", [])


def test_every_shape_and_every_dash_is_another():
    """Classes are separated by shape, lines by dash, not by colour alone."""
    shapes = [Points(name, ((0.5, 0.5),), name) for name in rendering.SHAPES]
    dashes = [Lines(name, (((0, 0), (1, 1)),), dash=name) for name in rendering.DASHES]
    frame = frames(parsed(render("t", "a", [panel(*shapes, *dashes)])))[0]
    looks = [p.get("d") for g in frame.iter(f"{SPACE}g") if g.get("class") == "points" for p in g.iter(f"{SPACE}path")]
    assert len(set(looks)) == len(rendering.SHAPES)
    dashes = {p.get("stroke-dasharray") for p in frame.iter(f"{SPACE}path") if p.get("class")}
    assert len(dashes) == len(rendering.DASHES)


def test_a_legend_names_each_look_once():
    """In every panel the same name and look is one entry; marks without a name have none."""
    marks = Points("same", ((0, 0),)), Points("", ((1, 1),)), Lines("other", (((0, 0), (1, 1)),))
    root = parsed(render("t", "a", [panel(*marks, marks[0]), panel(marks[2])]))
    entries = [g for g in root.findall(f"{SPACE}g") if g not in frames(root)]
    assert [g.find(f"{SPACE}text").text for g in entries] == ["same", "other", "other"]


def test_a_long_name_is_broken_into_lines():
    """Every line of a legend ends within the picture."""
    root = parsed(render("t", "a", [panel(Points("a name of many words " * 5, ((0, 0),)))]))
    (entry,) = [g for g in root.findall(f"{SPACE}g") if g not in frames(root)]
    lines = [t.text for t in entry.findall(f"{SPACE}text")]
    assert len(lines) > 2 and " ".join(lines) == ("a name of many words " * 5).strip()
    assert all(rendering.SIGN + rendering.LETTER * len(line) < float(root.get("width")) for line in lines)


def luminance(colour):
    """Return the relative luminance of a colour, as the guidelines for accessible pages define it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return sum(
        w * (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4)
        for w, v in zip((0.2126, 0.7152, 0.0722), parts)
    )


def contrast(one, other):
    """Return the contrast of two colours."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_marks_and_words_stand_out_from_the_ground(dark):
    """In both schemes: marks at least 3:1, words at least 4.5:1."""

    def seen(colour):
        return svg.DARK[colour] if dark else colour

    ground = seen(svg.GROUND)
    marks = (svg.BLUE, svg.ORANGE, svg.GREEN, svg.PURPLE, svg.BLACK, svg.SKY, svg.RED, svg.GREY, svg.FRAME)
    assert all(contrast(seen(colour), ground) >= 3 for colour in marks)
    assert contrast(seen(svg.TEXT), ground) >= 4.5


def test_a_panel_is_as_wide_as_a_small_screen():
    """At 340 pixels across, letters of size 12 are at least 11 pixels high."""
    (part,) = rendering.parts([panel()])
    width = float(parsed(part).get("viewBox").split()[2])
    assert 12 * 336 / width >= 11
