"""Every sentence with a number on the home page and on the page of trust follows from the tables that the pages offer.

A sentence must have a pattern below, whose groups are recomputed; one without a number to recompute has no groups.
"""

import base64
import gzip
import io
import json
import re
from collections.abc import Callable, Mapping
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pandas as pd
import pytest
from support.drawings import is_drawable, made, with_comparisons
from support.paths import ROOT
from support.stand_in_tables import settings

from surefoot.charts.catalogue import CATALOGUE
from surefoot.charts.draw import pictures
from surefoot.reporting.render import render
from surefoot.runs.result_tables import read_table

REPORTS = ROOT / "reports"
RECORDS = REPORTS / "records"
Tables = Mapping[str, pd.DataFrame]
BLOCKS = re.compile(r"<(p|li|figcaption|h[1-4]|summary)\b[^>]*>(.*?)</\1>", re.DOTALL)
UNREAD = re.compile(r"<(script|style|svg|table|select)\b.*?</\1>|<details class=\"export\".*?</details>", re.DOTALL)
NAMED = re.compile(r"^(Figure|Table) \d+: ")


def drawn(results: Path, group: str) -> None:
    """Draw the figures and tables of a page from the records, as the stage `draw` leaves them."""
    folder = results / "draw" / group
    folder.mkdir(parents=True)
    recorded = {f"{path.parent.name}/{path.stem}": read_table(path) for path in RECORDS.glob("[tl]*/*.csv")}
    tables = with_comparisons(group, recorded)
    for name, drawing in CATALOGUE[group].items():
        if not is_drawable(drawing, tables):
            continue
        chart, numbers = made(drawing, tables, settings())
        numbers.to_csv(folder / f"{name}.csv", index=False)
        if chart is not None:
            specification = chart.to_dict()
            (folder / f"{name}.json").write_text(json.dumps(specification))
            (folder / f"{name}.html").write_text(pictures(specification, name)[1])


def page_of(page: str, results: Path) -> str:
    items = [str(path.relative_to(results).with_suffix("")) for path in results.glob("draw/*/*.csv")]
    render(REPORTS / f"{page}.qmd", results / f"{page}.html", results, {}, "embedded", items=items)
    return (results / f"{page}.html").read_text()


def sentences(html: str) -> list[str]:
    """Sentences with a number, as a reader reads them."""
    main = html.partition("<main")[2].partition("</main>")[0].partition('<p class="made">')[0]
    texts = [
        " ".join(unescape(re.sub(r"<[^>]+>", "", text)).split()) for _, text in BLOCKS.findall(UNREAD.sub(" ", main))
    ]
    parts = [part for text in texts for part in re.split(r"(?<=[.!?]) (?=[A-Z“])", NAMED.sub("", text))]
    return [part.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'") for part in parts if re.search(r"\d", part)]


def offered(html: str) -> dict[str, pd.DataFrame]:
    """The tables that a page holds as files, by name."""
    plain = re.findall(r'download="([\w.]+)\.csv"[^>]*? href="data:text/csv;charset=utf-8,([^"]*)"', html)
    packed = re.findall(r'download="([\w.]+)\.csv\.gz"[^>]*? href="data:application/gzip;base64,([^"]*)"', html)
    texts = {name: unquote(text) for name, text in plain}
    texts |= {name: gzip.decompress(base64.b64decode(text)).decode() for name, text in packed}
    return {name: pd.read_csv(io.StringIO(text), keep_default_na=False, na_values=[""]) for name, text in texts.items()}


def percent(share: float, decimals: int = 0) -> str:
    return f"{100 * share:.{decimals}f}"


def of_iqm(table: pd.DataFrame, **where: str) -> pd.DataFrame:
    """Rows of the IQM in which columns have these values."""
    rows = table[table["target"] == "iqm"]
    for column, value in where.items():
        rows = rows[rows[column] == value]
    return rows


def with_few_runs(table: pd.DataFrame) -> list[str]:
    """The fewest runs, and how often the usual interval and Student's miss the IQM with these."""
    few = of_iqm(table[table["runs"] == table["runs"].min()]).set_index("method")["failure_rate"]
    return [str(table["runs"].min()), percent(few["percentile"]), percent(few["student"])]


def of_shared_runs(tables: Tables) -> list[str]:
    rows = of_iqm(tables["trust_table_remarks"], remark="runs may vary together", shared="yes")
    row = rows.iloc[0]
    return [percent(row["failure_rate"]), f"{row['datasets']:,}", percent(row["whole_runs"])]


def of_all_runs(tables: Tables) -> list[str]:
    table = tables["trust_figure_pooled"].sort_values("runs")
    rates = [of_iqm(table, method=method)["failure_rate"] for method in ("student", "percentile")]
    return [percent(rate, 1) for rate in pd.concat(rates)]


def of_kinds(tables: Tables, *wanted: tuple[str, str]) -> list[str]:
    rows = of_iqm(tables["trust_table_kinds"], remark="any").set_index("method")
    return [f"{rows.loc[method, column]:.0f}" for method, column in wanted]


def better_kinds(tables: Tables) -> list[str]:
    table = tables["trust_kinds"]
    return [str((table["student"] < table["percentile"]).sum()), str(len(table))]


def unequal_kinds(tables: Tables) -> list[str]:
    table = tables["trust_kinds"]
    return [str(table["data"].str.contains("unequal numbers of runs").sum()), str(len(table))]


def kinds_of_home(tables: Tables) -> list[str]:
    return [str(of_iqm(tables["home_misses"], method="student")["kinds"].sum())]


def nominal(_: Tables) -> list[str]:
    """Nothing to recompute: a promised level, or a definition."""
    return []


SHARE = r"(\S+) %"
PATTERNS: dict[str, dict[str, Callable[[Tables], list[str]]]] = {
    "index": {
        rf"With (\d+) runs, the usual 95 % interval misses {SHARE} of studies, Student's {SHARE}": lambda tables: (
            with_few_runs(tables["home_misses"])
        ),
        rf"It claims 95 % .* with (\d+) runs it misses .* in {SHARE} of studies; .* in {SHARE}\.": lambda tables: (
            with_few_runs(tables["home_misses"])
        ),
        r"How often 95 % intervals .* miss the truth, over (\d+) kinds .* 1 to 26 tasks, .*": kinds_of_home,
        r"So surefoot report begins, here with the public runs of Atari 100k\.": nominal,
    },
    "trust": {
        rf"The worst first: .* missed in {SHARE} of (\S+) simulated data sets, .* in {SHARE}\.": of_shared_runs,
        rf"With 3, 5 and 10 runs .* in {SHARE}, {SHARE} and {SHARE}; .* in {SHARE}, {SHARE} and {SHARE}\.": of_all_runs,
        r"Student's interval misses less often than the percentile bootstrap in (\d+) of (\d+) kinds": better_kinds,
        rf"With (\d+) runs, .* misses the IQM in {SHARE} of data sets, Student's interval in {SHARE}": lambda tables: (
            with_few_runs(tables["trust_figure_pooled"])
        ),
        r"Nobody chose these data: a seed drew (\d+) kinds .* up to (\d+) data sets of each\.": lambda tables: of_kinds(
            tables, ("student", "drawn"), ("student", "datasets")
        ),
        r"Whatever the remark, .* in (\d+) kinds, the percentile bootstrap in (\d+)\.": lambda tables: of_kinds(
            tables, ("student", "failing"), ("percentile", "failing")
        ),
        r"In (\d+) of the (\d+) kinds, tasks have unequal numbers of runs\.": unequal_kinds,
        r".*“runs may vary together on all tasks \(p = 0\.31\), which 5 runs do not rule out: .*": nominal,
        r"A 95 % interval should miss the truth in 5 % of studies\.": nominal,
        r"How often Student's 95 % interval misses the truth, by its remark .*": nominal,
        r"A remark stays if .* at least 7 % .* at least 1\.25 times as often as without\.": nominal,
        r"Intervals of the IQM of simulated studies, .* which 5 % should\.": nominal,
        r"Ticks: how often 95 % intervals miss the truth, .* 95 % limits of that\.": nominal,
        r"Dashed: the promised 5 %\.": nominal,
        r"By chance: the worst to be expected if each kind missed in 5 %\.": nominal,
        r"Failing: kinds that miss significantly more often, all tested together at 5 %\.": nominal,
        r"Ties, one failing run in ten, .* 2 to 100 runs\.": nominal,
    },
}


@pytest.mark.parametrize(("page", "group"), [("index", "home"), ("trust", "trust")])
def test_sentences_say_what_the_tables_of_their_page_say(page, group, tmp_path):
    drawn(tmp_path, group)
    html = page_of(page, tmp_path)
    tables = offered(html)
    unknown = []
    seen = set()
    for sentence in sentences(html):
        found = {pattern: match for pattern in PATTERNS[page] if (match := re.fullmatch(pattern, sentence))}
        if not found:
            unknown.append(sentence)
        for pattern, match in found.items():
            seen.add(pattern)
            assert list(match.groups()) == PATTERNS[page][pattern](tables), sentence
    assert not unknown
    assert len(seen) >= len(PATTERNS[page]) - 3
