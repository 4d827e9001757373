"""Where the numbers of a figure come from: this run, or the record of a run that had the scores."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.selection import RECORDED
from surefoot.charts.sentences import item, joined
from surefoot.result_tables import Tables


def finish(
    chart: alt.TopLevelMixin, description: str, tables: Tables, settings: Mapping[str, Any], analysis: str
) -> alt.TopLevelMixin:
    """The finished chart; what is told to those who do not see it names the record that it shows."""
    if analysis in settings["recorded"] or analysis.startswith(RECORDED):
        name = analysis.removeprefix(RECORDED)
        date = record_date(tables, settings.get("names", {}).get(name, name))
        description = f"{description} (from the record of {date}, not computed in this run)"
    return theme.finish(chart, description)


def nothing(settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """In place of a figure that has no numbers."""
    text = "Neither this run nor a record has the scores of this figure."
    return theme.finish(theme.message(text), text), pd.DataFrame({"note": [text]})


def record_date(tables: Tables, analysis: str) -> str:
    """The day on which the recorded numbers were made."""
    record = tables["record"].set_index("analysis")
    return str(record.loc[analysis.removeprefix(RECORDED), "made"])[:10]


_KEPT = {
    "seed": "the seed",
    "code": "a fingerprint of the code behind each number",
    "configuration": "the configuration",
}


def kept_item(tables: Tables) -> dict[str, Any]:
    """Row `kept`: what the record of published numbers keeps of how it was made; empty without a record."""
    record = tables.get("record", pd.DataFrame())
    if record.empty:
        return item("kept", "")
    kept = [words for name, words in _KEPT.items() if name in record and record[name].notna().any()]
    date = str(record["made"].max())[:10] if "made" in record else ""
    when = f"was made on {date} and" if date else "has no date; it"
    return item("kept", f"The record of the large run {when} keeps {joined(kept)}." if kept else "")


def origin_item(tables: Tables, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Row `origin`: how much of a page is from the record, and when that was made."""
    recorded = settings["recorded"]
    if not recorded:
        return item("origin", "All numbers on this page were computed in this run from the published scores.", 0)
    dates = sorted({record_date(tables, analysis) for analysis in recorded})
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    others = len(settings["at_hand"]) - len(recorded)
    what = f"{len(recorded)} of the {len(settings['at_hand'])} analyses behind" if others else "The numbers on"
    rest = "; the others were computed in this run" if others else ""
    text = f"{what} this page come from a recorded run that had the published scores ({when}){rest}."
    return item("origin", text, len(recorded))
