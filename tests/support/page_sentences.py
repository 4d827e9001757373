"""Check that the numbers in the sentences of a page follow from the tables that the page offers."""

import base64
import gzip
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pandas as pd
from support.drawings import arguments, is_drawable, made, with_comparisons
from support.paths import ROOT
from support.recorded_studies import drawing

from surefoot.charts.draw import describe, pictures
from surefoot.charts.drawing import Drawing, keywords_of
from surefoot.charts.drawing_catalogue import CATALOGUE
from surefoot.reporting.page_source import EVERYTHING, read_source
from surefoot.reporting.render import render
from surefoot.runs.result_tables import read_table

REPORTS = ROOT / "reports"
Tables = Mapping[str, pd.DataFrame]
Recomputed = Callable[[Tables], list[str] | list[list[str]]]
Patterns = Mapping[str, Recomputed]
_BLOCKS = re.compile(r"<(p|li|figcaption|h[1-4]|summary)\b[^>]*>(.*?)</\1>", re.DOTALL)
_UNREAD = re.compile(r"<(script|style|svg|table|select)\b.*?</\1>|<details class=\"export\".*?</details>", re.DOTALL)
_NAMED = re.compile(r"^(Figure|Table) \d+: ")

OF_A_PAPER = r"(?:\D|200M)*\((?:paper: )?(?:Figure|Table|section) [\w.]+\D*"
"""Pattern of captions whose only number refers to a figure, table or section of the paper."""

LEDGER = pd.DataFrame(
    {
        "study": "mine",
        "item": ["mean/a", "claim/higher_score/a/b", "claim/c", "game_score/a", "game_score/b", "mean/d"],
        "label": ["Mean of a", "a has a higher score than b", "c is best", "Score of a", "Score of b", "Mean of d"],
        "claim": [False, True, True, False, False, False],
        "published": [1.5, 1, 1, 0.6, 0.5, 2],
        "ours": [1.25, 0, 1, 0.42, 0.43, 2.1],
        "tolerance": [0.125, 0, 0, 0.5, 0.5, 0.5],
        "verdict": ["explained", "contradicted", "reproduced", "reproduced", "reproduced", "undecided"],
        "reason": ["a cause", "our runs decide against it", "", "", "", ""],
        "undecided_by": ["", "", "", "", "", "the paper"],
        "detectable": [0.25, 0.1, 0.1, 0.75, 0.75, 0.875],
        "matters": [None, None, None, 1, 1, 0.5],
        "allowed": [0.5, None, None, None, None, None],
    }
)
"""Published numbers of a study "mine", with a verdict of each kind."""


def write_drawing(folder: Path, name: str, chart: Any, numbers: pd.DataFrame) -> None:
    """Write a figure or table as the stage `draw` does, given an Altair chart or its specification."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers.to_csv(folder / f"{name}.csv", index=False)
    if chart is not None:
        specification = chart if isinstance(chart, dict) else chart.to_dict()
        (folder / f"{name}.json").write_text(json.dumps(specification))
        (folder / f"{name}.html").write_text(pictures(specification, name)[1])


def draw(results: Path, group: str, tables: Tables, facts: Mapping[str, Any], page: str | None = None) -> None:
    """Draw all figures and tables of a group that a page reads and for which the tables suffice."""
    for name in _drawings_of(group, page or group):
        entry = CATALOGUE[group][name]
        if is_drawable(entry, tables):
            chart, numbers = made(entry, tables, facts)
            write_drawing(results / "draw" / group, name, _titled(chart, entry, tables, facts), numbers)


def _drawings_of(group: str, page: str) -> list[str]:
    """Return the names of the figures and tables of a group that a page reads."""
    path = REPORTS / f"{page}.qmd"
    reads = read_source(path).front_matter["reads"] if path.is_file() else [EVERYTHING]
    if any(read.endswith(EVERYTHING) for read in reads):
        return list(CATALOGUE[group])
    names = [read.rpartition("/")[2] for read in reads]
    return [name for name in names if name in CATALOGUE[group]]


def _titled(chart: Any, entry: Drawing, tables: Tables, facts: Mapping[str, Any]) -> Any:
    """Return the specification of a chart with the finding as its title, as the stage `draw` does."""
    if chart is None or not entry.finding:
        return chart
    specification = chart.to_dict()
    given = arguments(entry, tables)
    keywords = keywords_of(entry.finding, {}, facts)
    told = {"function": entry.finding, "keywords": keywords, "table": next(iter(given))}
    describe(specification, {"finding": told | {"always": entry.always_finding}}, given)
    return specification


def page_of(page: str, results: Path, study: str = "") -> str:
    items = [str(path.relative_to(results).with_suffix("")) for path in results.glob("draw/*/*.csv")]
    output = results / f"{page}.html"
    render(REPORTS / f"{page}.qmd", output, results, {"study": study} if study else {}, "embedded", items=items)
    return output.read_text()


def sentences(html: str) -> list[str]:
    """Return the sentences with a number, as a reader reads them."""
    main = html.partition("<main")[2].partition("</main>")[0].partition('<p class="made">')[0]
    texts = [
        " ".join(unescape(re.sub(r"<[^>]+>", "", text)).split()) for _, text in _BLOCKS.findall(_UNREAD.sub(" ", main))
    ]
    parts = [part for text in texts for part in re.split(r"(?<=[.!?]) (?=[A-Z“])", _NAMED.sub("", text))]
    return [part.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'") for part in parts if re.search(r"\d", part)]


def offered(html: str) -> dict[str, pd.DataFrame]:
    """Return the tables that a page offers for download, by name."""
    plain = re.findall(r'download="([\w.]+)\.csv"[^>]*? href="data:text/csv;charset=utf-8,([^"]*)"', html)
    packed = re.findall(r'download="([\w.]+)\.csv\.gz"[^>]*? href="data:application/gzip;base64,([^"]*)"', html)
    texts = {name: unquote(text) for name, text in plain}
    texts |= {name: gzip.decompress(base64.b64decode(text)).decode() for name, text in packed}
    return {name: pd.read_csv(io.StringIO(text), keep_default_na=False, na_values=[""]) for name, text in texts.items()}


def tables_of(html: str, results: Path, group: str) -> dict[str, pd.DataFrame]:
    """Return the tables that a page of a study offers or reads, by name."""
    read = {path.stem: read_table(path) for path in (results / "draw" / group).glob("*.csv")}
    return read | {name.removeprefix(f"{group}_"): table for name, table in offered(html).items()}


def check_sentences(html: str, tables: Tables, patterns: Patterns, typed: tuple[str, ...] = ()) -> None:
    """Fail for a sentence whose numbers do not follow from the tables.

    Parameters
    ----------
    html : the page
    tables : its tables
    patterns : for each pattern of sentences, a function that computes the groups from the tables, as a list for each
        matching sentence if there are several
    typed : beginnings of sentences that quote a source, a definition or a level; "..." and the rest of the sentence
        stand for words without a number
    """
    unknown = []
    seen = set()
    matched: dict[str, list[list[str]]] = {}
    for sentence in sentences(html):
        found = {pattern: match for pattern in patterns if (match := re.fullmatch(pattern, sentence))}
        starts = [start for start in typed if re.fullmatch(_with_gaps(start), sentence)]
        if not found and not starts:
            unknown.append(sentence)
        for pattern, match in found.items():
            matched.setdefault(pattern, []).append(list(match.groups()))
        seen |= {*found, *starts}
    assert not unknown, unknown
    unused = {*patterns, *typed} - seen
    assert not unused, unused
    for pattern, groups in matched.items():
        expected = patterns[pattern](tables)
        several = bool(expected) and isinstance(expected[0], list)
        assert groups == (expected if several else [expected] * len(groups)), (pattern, groups, expected)


def _with_gaps(start: str) -> str:
    return r"\D*".join(re.escape(part) for part in f"{start}...".split("..."))


def check_published_page(
    study: str, patterns: Patterns, typed: tuple[str, ...], results: Path, page: str | None = None
) -> None:
    """Check the sentences of a page on published scores, which is drawn from records; by default, the first page."""
    for name in _drawings_of(study, page or study):
        chart, _, numbers = drawing(study, name)
        write_drawing(results / "draw" / study, name, chart, numbers)
    html = page_of(page or study, results, study)
    check_sentences(html, tables_of(html, results, study), patterns, typed)


def check_page(
    group: str,
    tables: Tables,
    facts: Mapping[str, Any],
    patterns: Patterns,
    typed: tuple[str, ...],
    results: Path,
    page: str | None = None,
) -> None:
    """Check the sentences of a page on runs, which is drawn from tables; by default, the first page of the group."""
    draw(results, group, with_comparisons(group, tables, facts), facts, page)
    html = page_of(page or group, results, group)
    check_sentences(html, tables_of(html, results, group), patterns, typed)


def nominal(_: Tables) -> list[str]:
    """Return no numbers, for sentences with a promised level or a definition."""
    return []


def verdicts(tables: Tables) -> Counter[str]:
    return Counter(tables["reproduction"]["verdict"])


def claims(tables: Tables) -> pd.DataFrame:
    rows = tables["reproduction"]
    return rows[rows["claim"]]


def judged(tables: Tables) -> str:
    return f"{len(tables['reproduction']):,}"


def against(tables: Tables) -> list[str]:
    """Return the number of contradicted claims and the number of all claims."""
    rows = claims(tables)
    return [str((rows["verdict"] == "contradicted").sum()), str(len(rows))]


def of(tables: Tables, name: str, **where: object) -> pd.DataFrame:
    """Return the rows of a table with the given values in columns."""
    rows = tables[name]
    for column, value in where.items():
        rows = rows[rows[column] == value]
    return rows


def items(tables: Tables, *starts: str) -> pd.DataFrame:
    rows = tables["reproduction"]
    return rows[rows["item"].str.startswith(starts)]


def ends(rows: pd.DataFrame) -> list[str]:
    """Return the algorithms with the highest and the lowest estimate, each followed by its estimate."""
    found = (rows.loc[rows["estimate"].idxmax()], rows.loc[rows["estimate"].idxmin()])
    return [text for row in found for text in (row["algorithm"], f"{row['estimate']:.2f}")]


def width(rows: pd.DataFrame) -> pd.Series:
    return rows["high"] - rows["low"]


def latest(tables: Tables) -> list[str]:
    return [tables["table_analyses"]["recorded"].dropna().max()]
