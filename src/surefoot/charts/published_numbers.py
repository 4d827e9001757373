"""Tables and charts of published numbers next to ours.

The module also has labels of published numbers, counts of verdicts, and charts of z-scores.
"""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.forms import dashed_rule, row_axis, row_chart
from surefoot.charts.names import METRIC_NAMES, Titles
from surefoot.charts.selection import METHOD_TITLES
from surefoot.charts.sentences import capitalised
from surefoot.statistics.reproduction.items import item_text, quantities, read_item
from surefoot.statistics.reproduction.published_comparison import contradicted_first, of_more_runs
from surefoot.statistics.reproduction.verdicts import VERDICTS, verdict_counts, verdict_in_words

Labels = Mapping[str, str]
"""Templates by prefix of an item, such as "mean" or "claim/best"; {0}, {1}, ... are the remaining parts."""


def label(text: str, labels: Labels, titles: Mapping[str, str], source: str = "") -> str:
    """Return the label of a published number: the filled-in template, the text of a claim, or its quantity and names.

    Parameters
    ----------
    text : identifier of the number, see `surefoot.statistics.reproduction.items`
    labels : templates; the longest matching prefix is used
    titles : {name: title}
    source : source of a claim: its location in the paper, a colon, and the claim
    """
    item = read_item(text)
    parts = (item.quantity, *item.of)
    for length in range(len(parts), 0, -1):
        template = labels.get(item_text(*parts[:length]))
        if template is not None:
            return capitalised(template.format(*(_title(name, titles) for name in parts[length:])))
    if item.quantity == "claim" and source:
        return capitalised(source.partition(": ")[2])
    of = [_title(name, titles) for name in item.of]
    return capitalised(": ".join(filter(None, (_title(item.quantity, METRIC_NAMES), ", ".join(of)))))


def with_labels(
    table: pd.DataFrame, labels: Labels, titles: Mapping[str, str], published: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Add the columns label and claim after the column item.

    `label` describes the published number; `claim` is True for a claim, whose number is 1 if it is true and 0 if not.

    Parameters
    ----------
    titles : titles of algorithms, environments and other names in items
    published : columns item and source
    """
    sources = {} if published is None else dict(zip(published["item"], published["source"], strict=True))
    table = table.drop(columns=["label", "claim"], errors="ignore").reset_index(drop=True)
    claims = table["item"].map(lambda text: read_item(text).quantity == "claim").astype(bool)
    texts = [label(text, labels, METHOD_TITLES | dict(titles), sources.get(text, "")) for text in table["item"]]
    place = table.columns.get_loc("item") + 1
    table.insert(place, "label", pd.Series(texts, dtype=object))
    table.insert(place + 1, "claim", claims)
    return table


def _title(name: str, titles: Mapping[str, str]) -> str:
    if name.isdecimal():
        return format(int(name), ",")
    return titles.get(name, name.replace("_", " "))


def table_reproduction(
    run: pd.DataFrame,
    record: pd.DataFrame | None = None,
    published: pd.DataFrame | None = None,
    *,
    labels: Labels | None = None,
    item_names: Mapping[str, str] | None = None,
    titles: Titles = None,
    environment_titles: Titles = None,
) -> pd.DataFrame:
    """Tabulate published numbers next to ours, which are from this run or the record, whichever has more runs.

    Contradicted claims come first. The columns are those of `reproduction.published_comparison.compare` and of
    `with_labels`.

    Parameters
    ----------
    run, record : comparisons of this run and of the record of a large run
    published : columns item and source
    labels : templates of the labels of items
    item_names : titles of names in items other than algorithms and environments
    titles, environment_titles : titles of algorithms and environments by name
    """
    rows = contradicted_first(of_more_runs(run, run.head(0) if record is None else record))
    names = {**(environment_titles or {}), **(titles or {}), **(item_names or {})}
    return with_labels(rows, labels or {}, names, published)


def table_kinds(published: pd.DataFrame, run: pd.DataFrame, record: pd.DataFrame | None = None) -> pd.DataFrame:
    """Count the published numbers, the judged numbers and the verdicts of each quantity.

    The columns are quantity, published, judged and one per verdict, for the rows of `table_reproduction`.
    """
    compared = of_more_runs(run, run.head(0) if record is None else record)
    judged = compared["verdict"].groupby(quantities(compared["item"]))
    counts = {quantity: {"judged": len(rows)} | verdict_counts(rows) for quantity, rows in judged}
    printed = quantities(published["item"]).value_counts(sort=False)
    rows = [{"quantity": name, "published": count} | counts.get(name, {}) for name, count in printed.items()]
    columns = ["quantity", "published", "judged", *VERDICTS]
    return pd.DataFrame(rows).reindex(columns=columns).fillna(0).astype(dict.fromkeys(columns[1:], int))


def published_chart(
    numbers: pd.DataFrame, axis_title: str, columns: int = 1, ring: str = "published"
) -> alt.TopLevelMixin:
    """Draw our values with intervals, and published values as rings; one row per value, one panel per group.

    Parameters
    ----------
    numbers : columns title, estimate, low and high (equal to the estimate if it is exact), published (NaN: no ring),
        and optionally algorithm (which determines the colour of the row), panel and emphasised (bool; if False, the row
        is grey)
    axis_title : title of the values, left out if the panels fill several rows
    columns : number of panels per row
    ring : description of the column `published`
    """
    shown = [key for key in ("title", "panel", "estimate", "low", "high", "published") if key in numbers]
    if "panel" in shown and numbers["panel"].nunique() == 1:
        shown.remove("panel")
    emphasised = numbers.get("emphasised", pd.Series(True, numbers.index))
    names = dict(zip(numbers.get("algorithm", ()), numbers["title"], strict=False))
    colour = numbers["title"].map(dict.fromkeys(numbers["title"], theme.STRONG) | theme.colours(names))
    data = numbers[shown].assign(colour=colour.where(emphasised, theme.NEUTRAL))
    axis = axis_title if "panel" not in data or data["panel"].nunique() <= columns else None
    return row_chart(data, list(dict.fromkeys(data["title"])), axis, columns=columns, ring=ring)


_SHADES = {
    "contradicted": "#d7500f",
    "differs": "#d7500f",
    "reproduced": theme.STRONG,
    "explained": "#f9a03f",
    "undecided": theme.LINE,
}


def z_chart(comparison: pd.DataFrame, limit: float) -> alt.TopLevelMixin:
    """Draw the z-scores of our numbers against published ones, one row per environment.

    A z-score is a difference divided by its standard error. Colours show verdicts, and dashed lines the limits.

    Parameters
    ----------
    comparison : columns title, environment_title, z, published, ours, standard_error, verdict; one row per published
        number
    limit : largest |z| of a number that counts as reproduced
    """
    columns = ["title", "environment_title", "z", "published", "ours", "standard_error", "verdict"]
    panels = list(dict.fromkeys(comparison["environment_title"]))
    tooltip = {"title": "algorithm", "environment_title": "environment", "published": "published mean"}
    tooltip |= {"ours": "our mean", "standard_error": "standard error of the difference"}
    tooltip |= {"z": "difference, in standard errors", "verdict": "verdict"}
    words = comparison[columns].assign(verdict=comparison["verdict"].map(verdict_in_words))
    data = theme.chart_data(theme.with_tooltips(words, tooltip))
    points = alt.Chart(data).mark_point(filled=True, size=60, opacity=0.6, aria=True)
    shown = {
        verdict_in_words(verdict): _SHADES[verdict] for verdict in VERDICTS if verdict in set(comparison["verdict"])
    }
    colours = alt.Scale(domain=list(shown), range=list(shown.values()))
    legend = alt.Legend(orient="top", title=None) if len(shown) > 1 else None
    points = points.encode(
        x=alt.X("z:Q", title="difference from the published number, in standard errors"),
        y=alt.Y("environment_title:N", sort=panels, title=None, axis=row_axis(grid=True)),
        color=alt.Color("verdict:N", scale=colours, legend=legend),
        **theme.TOOLTIP,
    )
    rules = [dashed_rule(x=alt.datum(end)) for end in (-limit, 0.0, limit)]
    return alt.layer(*rules, points).properties(width=theme.WIDTH - 190, height=30 * len(panels))
