"""Chart and finding of comparisons after every group of runs."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.names import shown
from surefoot.charts.selection import rounded
from surefoot.charts.sentences import joined
from surefoot.rounding import written

_ROW = 22  # pixels
_SEPARATED, _OPEN = "separated", "not separated"


@origin.of_analysis
def group_sequential_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """The difference of each pair, the better one first, by the look at which the pair was separated."""
    titles = shown([*numbers["x"], *numbers["y"]], settings)
    better = numbers["x"].where(numbers["value"] >= 0, numbers["y"]).map(titles)
    other = numbers["y"].where(numbers["value"] >= 0, numbers["x"]).map(titles)
    look = ("look " + numbers["look"].astype("string")).fillna("open")
    runs = numbers[["runs_x", "runs_y"]].max(axis=1).map("{:g} runs".format)
    data = rounded(numbers[["value"]].abs()).assign(
        pair=better + " \N{MINUS SIGN} " + other,
        outcome=numbers["separated"].map({True: _SEPARATED, False: _OPEN}),
        label=look + ", " + runs,
    )
    data = data.sort_values("value", ascending=False, kind="stable")
    rows = alt.Y("pair:N", sort=list(data["pair"]), title=None)
    scale = alt.Scale(domain=[_SEPARATED, _OPEN], range=[theme.STRONG, theme.NEUTRAL])
    base = alt.Chart(data).encode(rows, x=alt.X("value:Q", title="difference of the means"))
    chart = alt.layer(
        base.mark_bar(size=3).encode(color=alt.Color("outcome:N", scale=scale, legend=None)),
        base.mark_point(filled=True, size=80, opacity=1).encode(
            color=alt.Color("outcome:N", scale=scale, legend=None),
            tooltip=["pair:N", "value:Q", "outcome:N", "label:N"],
        ),
        base.mark_text(align="left", dx=9, fontSize=theme.TEXT).encode(text="label:N"),
    ).properties(width=theme.WIDTH - 240, height=_ROW * len(data))
    return theme.of_classes(chart), group_sequential_finding(numbers, settings), numbers


def group_sequential_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which pairs are separated, and of which algorithms more runs are needed."""
    titles = shown([*table["x"], *table["y"]], settings)
    looks, planned, group = (int(table[key].iloc[0]) for key in ("looks", "planned", "group_size"))
    start = f"After look {looks} of {planned}, with {group} runs of each task a look"
    separated, undecided = table[table["separated"]], table[~table["separated"]]
    parts = []
    if len(separated):
        above: dict[str, list[str]] = {}
        for x, y, value in zip(separated["x"], separated["y"], separated["value"], strict=True):
            better, other = (x, y) if value >= 0 else (y, x)
            above.setdefault(titles[better], []).append(titles[other])
        parts.append("; ".join(f"{better} is above {joined(others)}" for better, others in above.items()))
    if undecided.empty:
        return f"{start}, all pairs are separated: {parts[0]}. No further runs are needed."
    nearest = undecided.loc[undecided["value"].abs().idxmin()]
    counted = f"{len(undecided)} of {len(table)} pairs {'is' if len(undecided) == 1 else 'are'} not separated"
    pairs = f"{counted}, the nearest by {written(abs(nearest['value']), '.3f')}"
    text = f"{start}, {'; '.join([*parts, pairs])}."
    if looks == planned:
        return f"{text} No further look was planned."
    names = joined([titles[name] for name in dict.fromkeys([*undecided["x"], *undecided["y"]])])
    return f"{text} Train {group} more runs of {names}."
