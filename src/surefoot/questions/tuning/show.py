"""How reports of tuned results are shown, beside complete data collection."""

from collections.abc import Iterator, Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.headline import headline
from surefoot.charts.selection import asked, rounded, table_or_empty, titles, with_titles
from surefoot.charts.sentences import counted, item, joined
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.game.exploits import AS_RUN, reversals

PROCEDURES = {
    "complete_data_collection": "complete data collection",
    "tuning_average": "average over all iterations of tuning",
    "tune_and_report": "tune and report",
}
_TABLE = "aggregate/tuning"
_NONE = "This study does not ask what tuned results would claim."
_COLUMNS = ("environment", "algorithm", "procedure", "value", "deviation", "claimed_error", "runs", "rank")


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """What each procedure claims of every algorithm, and how much that varies, a panel an environment.

    Columns environment, environment_title, algorithm, title, procedure, value, deviation, claimed_error, runs, rank.
    """
    description = "Return of each algorithm as three procedures of evaluation report it, with how much reports vary"
    numbers = with_titles(table_or_empty(tables, _TABLE, _COLUMNS), settings)
    if numbers.empty:
        return theme.finish(theme.message(_NONE), description), numbers
    data = numbers.assign(
        claim=numbers["procedure"].map(PROCEDURES),
        low=numbers["value"] - numbers["deviation"],
        high=numbers["value"] + numbers["deviation"],
    )
    panels = list(dict.fromkeys(numbers["environment_title"]))
    across = min(2, len(panels))
    shown, colours = list(PROCEDURES.values()), [theme.INK, "#6a9a72", "#d7500f"]
    legend = alt.Legend(orient="top", title=None, symbolSize=90, symbolStrokeWidth=0, labelLimit=3 * theme.LABEL)
    base = alt.Chart(
        rounded(data[["environment_title", "title", "claim", "value", "low", "high", "claimed_error"]])
    ).encode(
        y=alt.Y("title:N", sort=list(dict.fromkeys(data["title"])), title=None, scale=alt.Scale(paddingInner=0.25)),
        yOffset=alt.YOffset("claim:N", sort=shown),
        color=alt.Color("claim:N", scale=alt.Scale(domain=shown, range=colours), legend=legend),
        tooltip=[
            alt.Tooltip("title:N", title="algorithm"),
            alt.Tooltip("claim:N", title="procedure"),
            alt.Tooltip("value:Q", title="return"),
            alt.Tooltip("claimed_error:Q", title="stated standard error"),
        ],
    )
    x = alt.X("low:Q", title="reported average return", scale=alt.Scale(zero=False))
    bars = base.mark_rule(strokeWidth=1.6).encode(x=x, x2="high:Q")
    points = base.mark_point(filled=True, size=40, opacity=1).encode(x="value:Q")
    height = 30 * numbers["algorithm"].nunique()
    chart = (
        alt.layer(bars, points)
        .properties(width=(theme.WIDTH - 110) // across - 25, height=height)
        .facet(alt.Facet("environment_title:N", sort=panels, title=None), columns=across)
        .resolve_scale(x="independent")
    )
    finding = _errors(numbers)
    return theme.finish(headline(chart, finding), f"{finding} {description}."), numbers


def table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """A row an algorithm and environment: what each procedure claims, and the rank that it so has.

    Columns environment, environment_title, algorithm, title, and for each procedure its name alone (the value) and with
    `_rank`, `_error` (the standard error that it states), `_deviation` (of repeated reports), `_runs` (that it needed).
    """
    rows = table_or_empty(tables, _TABLE, _COLUMNS)
    measures = {"value": "", "rank": "_rank", "claimed_error": "_error", "deviation": "_deviation", "runs": "_runs"}
    wide = rows.pivot(index=["environment", "algorithm"], columns="procedure", values=list(measures))
    wide.columns = [f"{procedure}{measures[measure]}" for measure, procedure in wide.columns]
    order = rows[["environment", "algorithm"]].drop_duplicates()
    names = [f"{name}{end}" for name in PROCEDURES for end in measures.values()]
    numbers = order.merge(wide.reset_index(), on=["environment", "algorithm"], how="left")
    return None, with_titles(numbers.reindex(columns=["environment", "algorithm", *names]), settings)


def tuning_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `tuned`, `tuned_errors` and `tuned_caption`: what tuned results would have claimed, and how surely."""
    rows = table_or_empty(tables, _TABLE, _COLUMNS)
    if rows.empty:
        return [item(name, _NONE) for name in ("tuned", "tuned_errors", "tuned_caption")]
    chosen = asked(settings, "tuning")
    caption = (
        f"Each tuning tries {counted(chosen['candidates'], 'draw')} of the hyperparameters with "
        f"{counted(chosen['tuning_runs'], 'run')} each and reports {counted(chosen['reported_runs'], 'further run')} "
        f"of the best, or the average of one new run of the best so far at each step (Dabney 2014); complete data "
        f"collection reports {counted(chosen['candidates'], 'run')}, each with its own draw. Repeated "
        f"{chosen['repetitions']:,} times."
    )
    return [
        item("tuned", finding(rows, settings)),
        item("tuned_errors", _errors(rows)),
        item("tuned_caption", caption),
    ]


def finding(rows: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """What the procedures claim in each environment."""
    return " ".join(_claims(rows, settings))


def _claims(rows: pd.DataFrame, settings: Mapping[str, Any]) -> Iterator[str]:
    """For each environment: who is best by each procedure, how many pairs are reversed, how much better all look."""
    names = titles(rows["algorithm"], settings, "algorithm")
    places = titles(rows["environment"], settings, "environment")
    count = rows["algorithm"].nunique()
    for environment, table in rows.groupby("environment", sort=False):
        scenario = table["procedure"].mask(table["procedure"] == "complete_data_collection", AS_RUN)
        turned = reversals(table.assign(scenario=scenario, normalization="any")).set_index("scenario")["reversed_pairs"]
        best = {
            name: joined([names[algorithm] for algorithm in group.loc[group["rank"] == 1, "algorithm"]])
            for name, group in table.groupby("procedure")
        }
        same = len(set(best.values())) == 1
        leaders = (
            f"all three procedures put {best['tune_and_report']} first"
            if same
            else f"complete data collection puts {best['complete_data_collection']} first, the average over tuning "
            f"{best['tuning_average']}, and tuned reports {best['tune_and_report']}"
        )
        values = table.pivot(index="algorithm", columns="procedure", values="value")
        gain = values["tune_and_report"] - values["complete_data_collection"]
        most = gain.idxmax()
        yield (
            f"In {places[environment]}, {leaders}. Tuned reports reverse {turned['tune_and_report']} of "
            f"{counted(count * (count - 1) // 2, 'pair')} of algorithms, the average over tuning "
            f"{turned['tuning_average']}. Tuning flatters {names[most]} most: "
            f"{written(values.loc[most, 'tune_and_report'], '.1f')} instead of "
            f"{written(values.loc[most, 'complete_data_collection'], '.1f')}."
        )


def _errors(rows: pd.DataFrame) -> str:
    """How the standard errors that reports state compare with how much reports of repeated tunings vary."""
    rows = rows[(rows["deviation"] > 0) & rows["claimed_error"].notna()]
    ratio = (rows["claimed_error"] / rows["deviation"]).groupby(rows["procedure"]).median()
    if not {"tune_and_report", "complete_data_collection"} <= set(ratio.index):
        return "The reports do not vary."
    tuned, complete = (
        f"{written(100 * ratio[name], '.0f')} %" for name in ("tune_and_report", "complete_data_collection")
    )
    return (
        f"The standard error that a tuned report states is {tuned} of the deviation between such reports (median); "
        f"with complete data collection it is {complete}."
    )
