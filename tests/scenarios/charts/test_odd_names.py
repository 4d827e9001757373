"""Names that look like numbers, like nothing at all, or like markup: through the stage `draw` and into the tables."""

import csv
import html
import json
import re
from pathlib import Path

import pytest
from support.drawings import is_drawable, names_of
from support.paths import ROOT
from support.stand_in_tables import settings, stand_in_tables
from support.study_answers import ask

from surefoot.charts.draw import draw
from surefoot.charts.drawing import Need, drawing_suffixes, keywords_of
from surefoot.charts.drawing_catalogue import CATALOGUE
from surefoot.reporting.render import render
from surefoot.statistics.intervals.distribution_bands import task_means
from surefoot.workflow.runner import Task

REPORTS = ROOT / "reports"
ENVIRONMENTS = ["1e3", "1000"]
NAMES = {
    "values": ["1", "2", "10", "007", "7", "-inf", "NA", "null", "nan", "None", "true"],
    "markup": [
        *("DQN (lr=0.1)", "PPO v1.0", "a.b[c]", "*star* $x^2$ [l](u)", "{a}", "a|b", "<b>&amp;</b>"),
        *("environment", "q", "Q", "a_b", "a b", "none", "score"),
    ],
}
FROM_OUTSIDE = (
    *("PPO <no clip>", "PPO [ours](v2)", "ppo @1e6", r"PPO $\foo$", "a|b", "*x*", "_y_", "`c`", 'say "hi"', "it's"),
    *("=cmd|' /C calc'!A0", "#h {b} ~s~ ^t^ --- ```` \\", "<script>alert(1)</script>", ":::", "- [ ] 1. &lt;"),
)
"""Markup of every kind."""
# The others show no name of an algorithm.
NAMELESS = ("verdict", "table_coverage", "table_agents", "table_reproduction")
DRAWN = {name: entry for name, entry in CATALOGUE["study"].items() if name not in NAMELESS}


def odd_tables(names: list[str], **more: str) -> dict:
    """Tables of a study of algorithms with these names, that asks for metrics, profiles and ranks too; each algorithm
    is better than the one after it."""
    tables = stand_in_tables(names, ENVIRONMENTS, 4, points=4)
    places = tables["collect/runs"]["algorithm"].map(names.index)
    tables["collect/runs"]["score"] = tables["collect/runs"]["score"] % 1.0 - 10.0 * places - 1.0
    scores = {"raw": tables["collect/runs"][["algorithm", "environment", "run", "score"]]}
    options = {"seed": 1, "confidence_level": 0.95, "n_resamples": 20, "threads": 1, "sizes": [2], "datasets": 4}
    options |= more | {"metrics": ["iqm"], "thresholds": {"from": -300, "to": 0, "count": 5}}
    kinds = (
        "aggregate_metrics",
        "multiple_comparisons",
        "pairwise_differences",
        "performance_profiles",
        "probability_of_improvement",
        "rank_probabilities",
        "subsample_metrics",
    )
    tables |= {"estimate/task_means": task_means(tables["collect/runs"])}
    return tables | {f"numbers/{kind}": ask(kind, scores, options) for kind in kinds}


def run_draw(folder: Path, tables: dict) -> None:
    """The stage on the files that the stages before it leave; every unit is computed."""
    inputs, outputs, drawings = {}, {}, {}
    for name, table in tables.items():
        stage, _, stem = name.partition("/")
        inputs[name] = folder / f"{stage}_{stem}.{'parquet' if name == 'collect/runs' else 'csv'}"
        if name == "collect/runs":
            table.to_parquet(inputs[name], index=False)
        else:
            table.to_csv(inputs[name], index=False)
    facts = settings(titles={}, environment_titles={})
    for name, drawing in CATALOGUE["study"].items():
        if not is_drawable(drawing, tables):
            continue
        for suffix in drawing_suffixes(drawing.kind):
            outputs[f"{name}.{suffix}"] = folder / f"{name}.{suffix}"
        takes = {argument: file_names(needs, tables) for argument, needs in drawing.tables.items()}
        plain = {"kind": drawing.kind, "function": drawing.function}
        plain["tables"] = {argument: names for argument, names in takes.items() if names}
        drawings[name] = plain | {"keywords": keywords_of(drawing.function, drawing.keywords, facts)}

    def unit(kind, said, hashes, compute, path):
        compute(path)

    draw(Task({"drawings": drawings}, inputs, outputs, 1, unit, lambda *piece: True, {}))


def file_names(needs, tables: dict) -> str | list[str]:
    """The names of the tables of a need, or of several that are concatenated."""
    if isinstance(needs, Need):
        return next((name for name in names_of(needs) if name in tables), "")
    return [name for need in needs for name in names_of(need) if name in tables]


@pytest.fixture(scope="module", params=NAMES)
def drawn(request, tmp_path_factory):
    """Names, and the folder in which their study is drawn."""
    folder = tmp_path_factory.mktemp(request.param) / "draw" / "mine"
    folder.mkdir(parents=True)
    run_draw(folder, odd_tables(NAMES[request.param]))
    return NAMES[request.param], folder


@pytest.mark.parametrize("drawing", DRAWN)
def test_a_name_is_drawn_as_it_is(drawn, drawing):
    names, folder = drawn
    with (folder / f"{drawing}.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    texts = {text for row in rows for text in row}
    if drawing == "table_runs":
        assert [heading.removesuffix(" (algorithm)") for heading in header[1:]] == names
        assert len(set(header)) == len(header)
    else:
        assert set(names) <= texts
    if "environment" in header:
        assert set(ENVIRONMENTS) <= texts
    if DRAWN[drawing].kind == "figure":
        chart = json.loads((folder / f"{drawing}.json").read_text())
        values = [value for rows in chart["datasets"].values() for row in rows for value in row.values()]
        # Beside a name may stand its letters, or the one that it is compared with.
        texts = [value for value in values if isinstance(value, str)]
        assert all(any(name in text for text in texts) for name in names)


def test_the_best_of_them_is_named(drawn):
    names, folder = drawn
    with (folder / "verdict.csv").open(newline="") as file:
        texts = {row["item"]: row["text"] for row in csv.DictReader(file)}
    assert any(f"are tied for the best aggregate score; {name} has 0." in texts["best"] for name in names)


def page_of(drawn: Path, title: str) -> str:
    """The page of the study that is drawn in a folder, without its scripts and styles."""
    folder = drawn.parents[1]
    output, items = folder / "render" / "mine.html", [f"draw/mine/{path.stem}" for path in drawn.glob("*.csv")]
    render(REPORTS / "study.qmd", output, folder, {"study": "mine", "title": title}, "embedded", items=items)
    return re.sub(r"<(script|style)\b.*?</\1>", "", output.read_text(), flags=re.DOTALL)


def test_the_page_shows_each_name_as_it_is(drawn):
    names, folder = drawn
    title = "<b>x</b> $y$ *z* `c` [l](u)"
    page = page_of(folder, title)
    shown = [html.unescape(text) for text in re.findall(r"<th scope=[^>]*>(.*?)</th>", page)]
    assert set(names) <= {text.removesuffix(" (algorithm)") for text in shown}
    for name in names:  # in the ranks as a row, in the runs as a column
        assert sum(text.removesuffix(" (algorithm)") == name for text in shown) >= 2, name
    assert html.unescape(re.search(r"<h1>(.*?)</h1>", page)[1]) == title


@pytest.mark.parametrize("place", [0, -1], ids=["first", "last"])
def test_names_from_outside_are_shown_as_they_are_at_every_rank(tmp_path, place):
    """One with all this markup is the best or the worst, and the one that the others are compared with."""
    every = " ".join(FROM_OUTSIDE)
    names = [*FROM_OUTSIDE[place:], *FROM_OUTSIDE[:place]]
    names.insert(place if place >= 0 else len(names), every)
    drawn = tmp_path / "draw" / "mine"
    drawn.mkdir(parents=True)
    run_draw(drawn, odd_tables(names, baseline=every))
    page = page_of(drawn, every)
    text = html.unescape(re.sub(r"<[^>]+>", "", page))
    headings = [html.unescape(re.sub(r"<[^>]+>", "", found)) for found in re.findall(r"<h2[^>]*>(.*?)</h2>", page)]
    assert [f"Which differ from {every}?", f"Differences to {every}"] == headings[:2]
    for name in names:
        assert text.replace(every, "").count(name) > 5 or name == every, name
    assert text.count(every) > 10
