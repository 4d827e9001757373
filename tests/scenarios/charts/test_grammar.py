"""One grammar for all charts: rows by value, names beside curves, one colour for an algorithm, every pair once,
short titles, and values with their intervals for a pointer. Checked on the Vega-Lite of every family.
"""

import json
import re
from collections.abc import Iterator
from itertools import pairwise

import altair as alt
import pandas as pd
import pytest
from support.chart_families import FAMILIES, OF_ONE_SIZE, SIZES, specification, title
from support.snapshots import assert_as_kept

from surefoot.charts.curve_layout import curve_chart
from surefoot.charts.draw import pictures
from surefoot.charts.theme import LINE
from surefoot.reporting.page import SENTENCE_END

EVERY = [*((family, count) for family in FAMILIES for count in SIZES), *((family, 3) for family in OF_ONE_SIZE)]


def units(node: dict, data: object = None) -> Iterator[tuple[dict, dict]]:
    """(mark, encoding) of each unit of a specification, with the rows of its data as the mark's `rows`."""
    data = node.get("data", data)
    if "mark" in node:
        yield {**node["mark"], "data": data}, node.get("encoding", {})
    for name in ("layer", "hconcat", "vconcat", "concat"):
        for part in node.get(name, ()):
            yield from units(part, data)
    if "spec" in node:
        yield from units(node["spec"], data)


def drawn(family: str, count: int, *kinds: str) -> list[tuple[dict, dict]]:
    return [(mark, encoding) for mark, encoding in units(specification(family, count)) if mark["type"] in kinds]


def rows_of(family: str, count: int, mark: dict) -> list[dict]:
    data = mark["data"]
    return data["values"] if "values" in data else specification(family, count)["datasets"][data["name"]]


def axis_of_rows(family: str, count: int) -> tuple[dict, list[dict]] | None:
    """The encoding of a chart of rows with values, and its data; None of another chart."""
    for mark, encoding in drawn(family, count, "tick"):
        if encoding.get("y", {}).get("field") == "title":
            return encoding, rows_of(family, count, mark)
    return None


ROWS = (
    "aggregate_metrics",
    "pairwise_differences",
    "multiple_comparisons",
    "group_sequential",
    "success_rate_differences",
)
ROWS = (*ROWS, "scores", "views")
CURVES = (
    "performance_profiles",
    "subsample_metrics",
    "sample_efficiency",
    "curve_differences",
    "run_curves",
    "steps_to_threshold",
)
CURVES = (*CURVES, "distributions", "best_of_candidates")


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("family", ROWS)
def test_rows_are_sorted_by_the_value_of_the_first_panel(family, count):
    encoding, rows = axis_of_rows(family, count)
    values = {row["title"]: row["estimate"] for row in rows if row.get("panel") == rows[0].get("panel")}
    shown = [values[name] for name in encoding["y"]["sort"]]
    assert shown in (sorted(shown), sorted(shown, reverse=True)), shown


def colours(family: str, count: int) -> dict[str, str]:
    """The colour of each title, the first first: that of its curve, or of its rows."""
    for mark, encoding in drawn(family, count, "line", "tick"):
        if "range" in (encoding["color"].get("scale") or {}):
            scale = encoding["color"]["scale"]
            return dict(zip(scale["domain"], scale["range"], strict=True))
        if encoding["color"].get("field") == "colour":
            rows = {row["title"]: row["colour"] for row in rows_of(family, count, mark)}
            return {title: rows[title] for title in encoding["y"]["sort"]}
    raise AssertionError(f"{family} has no colours")


def leaders(family: str, count: int) -> list[str]:
    """Titles whose colour is not the grey of all others."""
    return [name for name, colour in colours(family, count).items() if colour != LINE]


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("family", [*CURVES, "coverage", "misses"])
def test_curves_are_named_at_their_ends_or_else_in_a_legend(family, count):
    lines = drawn(family, count, "line")
    rows = [row for mark, _ in lines for row in rows_of(family, count, mark)]
    titles, named = {row["curve"] for row in rows}, {row["curve"] for row in rows if row.get("name_at") is not None}
    legends = [encoding["color"]["legend"] for _, encoding in lines if encoding["color"].get("legend")]
    assert bool(named) != bool(legends)
    shown = named or set(legends[0]["values"])
    assert shown == titles or (len(titles) > 6 and shown == set(leaders(family, count)))


@pytest.mark.parametrize(("values", "apart"), [((0.1, 0.4, 0.2, 0.2, 0.8), True), ((0.2, 0.4, 0.2, 0.2, 0.2), False)])
def test_names_that_have_no_room_at_the_ends_stand_in_a_legend(values, apart):
    ends = dict(zip("abcde", values, strict=True))
    rows = [(name, x, end * x) for name, end in ends.items() for x in range(5)]
    data = pd.DataFrame(rows, columns=["algorithm", "x", "estimate"])
    chart = curve_chart(data, {name: name for name in ends}, alt.X("x:Q"), alt.Y("estimate:Q")).to_dict()
    named = [row["name_at"] for row in next(iter(chart["datasets"].values())) if row.get("name_at") is not None]
    line = next(layer for layer in chart["layer"] if layer["mark"]["type"] == "line")
    assert (len(named), bool(line["encoding"]["color"]["legend"])) == ((5, False) if apart else (0, True))
    heights = [height / (4 * max(ends.values())) * 260 for height in sorted(named)]
    assert all(after - before > 14 for before, after in pairwise(heights))


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("family", CURVES)
def test_places_along_curves_tell_values_with_their_intervals(family, count):
    (mark, _), *_ = drawn(family, count, "line")
    rows = rows_of(family, count, mark)
    told = [row for row in rows if row.get("tooltip")]
    assert {row.get("panel") for row in told} == {row.get("panel") for row in rows}
    for row in told:
        place, *lines = row["tooltip"].removeprefix(f"{row.get('panel')}; ").split("; ")
        assert ("panel" in row) == row["tooltip"].startswith(f"{row.get('panel')}; ")
        assert ": " in place and len({line.split(": ")[0] for line in lines}) == len(lines) >= 1
    if any(row.get("low") is not None for row in rows):
        assert any(re.search(r": \S+ \(\S+ to \S+\)", row["tooltip"]) for row in told)


HEAT_TABLES = {
    "probability_of_improvement": r"agent \d+ is better than agent \d+, probability: \S+ \(\S+ to \S+\)",
    "rank_probabilities": r"agent \d+, probability of rank \d: \S+",
    "weights": r"weight of [\w ]+ against agent \d+: \S+",
    "exploits": r"agent \d+, rank by [\w ]+: \d",
}


@pytest.mark.parametrize("family", HEAT_TABLES)
def test_cells_tell_their_row_and_column_in_words(family):
    _, picture = pictures(specification(family, 8), family)
    told = re.findall(r'data-tooltip="([^"]*)"', picture)
    assert told and all(re.fullmatch(HEAT_TABLES[family], text) for text in told), told[:3]


@pytest.mark.parametrize("family", HEAT_TABLES)
def test_texts_of_dark_cells_are_light(family):
    _, picture = pictures(specification(family, 8), family)
    shades = dict(re.findall(r'<path data-tooltip="([^"]*)"[^>]*? fill="light-dark\(rgb\((\d+),', picture))
    texts = re.findall(r'<text data-tooltip="([^"]*)"[^>]*? fill="light-dark\(#(\w{6}),', picture)
    dark, light = (
        {text for cell, text in texts if low <= int(shades[cell]) < high} for low, high in ((0, 110), (180, 256))
    )
    assert (dark, light) == ({"ffffff"}, {"222222"})


@pytest.mark.parametrize(("family", "count"), EVERY)
def test_curves_have_points_only_where_something_was_measured(family, count):
    """Straight between evaluations; steps only of shares of runs, which do step."""
    steps = {mark.get("interpolate", "linear") for mark, _ in drawn(family, count, "line", "area")}
    assert steps <= ({"step-after"} if family in ("distributions", "steps_to_threshold") else {"linear"})


@pytest.mark.parametrize("count", [count for count in SIZES if count > 6])
@pytest.mark.parametrize("family", CURVES)
def test_the_best_and_its_rival_stand_out_from_many_curves(family, count):
    coloured = leaders(family, count)
    if family == "curve_differences":  # of eight algorithms, seven curves, which are all in colours
        assert len(coloured) == 7
        return
    assert len(coloured) == 2


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("family", ["probability_of_improvement", "group_sequential"])
def test_every_pair_stands_once(family, count):
    rows = max(specification(family, count)["datasets"].values(), key=len)
    pairs = [
        frozenset((row["row"], row["column"]) if "row" in row else re.split(" over | \N{MINUS SIGN} ", row["title"]))
        for row in rows
    ]
    assert len(set(pairs)) == len(pairs)
    algorithms = len(set().union(*pairs))
    assert len(pairs) == algorithms * (algorithms - 1) // 2


@pytest.mark.parametrize("count", SIZES)
def test_an_algorithm_has_one_colour_in_all_charts_of_a_study(count):
    """In rows each has its own; among many curves all but the best and its rival are grey."""
    rows = ("scores", "means", "views", "aggregate_metrics", "multiple_comparisons", "success_rate_differences")
    curves = ("distributions", "best_of_candidates", "performance_profiles", "subsample_metrics", "run_curves")
    of_names: dict[str, set[str]] = {}
    for family in (*rows, *curves):
        for shown, colour in colours(family, count).items():
            name = shown.split("\u2002")[0]
            of_names.setdefault(name, set()).update({colour} - ({LINE} if family in curves else set()))
    assert max(map(len, of_names.values())) == 1
    assert len(of_names) == count


@pytest.mark.parametrize(("family", "count"), EVERY)
def test_titles_are_short(family, count):
    first = SENTENCE_END.split(title(family, count), maxsplit=1)[0]
    assert len(first) <= 90, first


@pytest.mark.parametrize("family", ["aggregate_metrics", "performance_profiles", "steps_to_threshold"])
def test_a_chart_is_composed_as_it_was(family):
    """Its marks, encodings and scales; the numbers in it are other tests' subject."""
    composed = {key: part for key, part in specification(family, 3).items() if key not in ("config", "datasets")}
    kept = re.sub(r'("name": )"data-\w+"', r'\1"data"', json.dumps(composed, indent=1, sort_keys=True))
    assert_as_kept(f"{family}.json", kept + "\n")
