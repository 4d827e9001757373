"""Charts and findings. Which algorithms are tied with the best, and which pairs each look separates."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.forms import best_of_many, row_chart, with_count
from surefoot.charts.names import METRIC_NAMES, spoken_metric, titles_of
from surefoot.charts.selection import numbers_of_analysis
from surefoot.charts.sentences import percent, remarks_of
from surefoot.charts.theme import headline
from surefoot.result_tables import Tables
from surefoot.rounding import counted, joined, two_digits
from surefoot.statistics.runs.run_effects import FOUND, sharing_sentence

_LONGEST_TITLE = 90


@origin.of_analysis
def multiple_comparisons_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Rows of algorithms, the best estimate first, with their letters and the interval of the difference to the best of
    the others; what is worse than the best is grey."""
    titles = titles_of(numbers["algorithm"], settings)
    drawn = best_of_many(numbers.sort_values("estimate", ascending=False, kind="stable")["algorithm"])
    own = numbers.set_index("algorithm").loc[drawn]
    data = own[["low", "high"]].assign(
        value=own["difference_to_best"],
        title=[f"{titles[name]}\u2002{letters}" for name, letters in own["letters"].items()],
    )
    axis = f"difference in {_name(numbers)} from the best other"
    if numbers["metric"].iloc[0] == "improvement":
        axis = "least probability of improvement, less one half"
    data["colour"] = [theme.STRONG if unbeaten else theme.LINE for unbeaten in own["tied_with_best"]]
    ends = own[["rank_low", "rank_high"]].to_numpy()
    ranks = [f"{low:.0f} to {high:.0f}" if low < high else f"{low:.0f}" for low, high in ends]
    beside = {"ranks it may have": ranks}
    chart = row_chart(data, list(data["title"]), axis, reference=0.0, beside=beside)
    chart = with_count(chart, len(drawn), len(titles), _name(numbers))
    bars = f"Bars: {percent(settings['confidence'])} intervals of the difference to the best other"
    titled = headline(chart, multiple_comparisons_title(numbers, settings))
    return titled, f"{multiple_comparisons_finding(numbers, settings)} {bars}", numbers


def table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """What `surefoot.multiple_comparisons` gives, with the titles of the algorithms."""
    numbers = numbers_of_analysis(tables, settings["analysis"])
    if numbers is None:
        return None, pd.DataFrame()
    return None, numbers.assign(title=numbers["algorithm"].map(titles_of(numbers["algorithm"], settings)))


def multiple_comparisons_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which algorithms may be best, which tasks this is about, how small a difference would have been seen, what is
    within the margin, and whether tasks share runs."""
    random, tied = table["tasks"].iloc[0] == "random", table[table["tied_with_best"].astype(bool)]
    where = "On average over tasks like these" if random else "On these tasks"
    level = percent(settings["confidence"])
    text = f"{where}, {_standings(table, settings)} (comparisons with the best, {level})."
    if len(tied) > 1:
        detectable = tied["detectable"].iloc[1:].max(skipna=False)  # the first is the best, with which others compare
        if pd.notna(detectable):
            text += f" A difference of {two_digits(detectable)} would have been shown four times out of five."
        text += _within_margin(tied, settings)
    text += remarks_of(table[table["shared_runs"] != FOUND])  # of shared runs the next sentence tells
    sharing = "" if random else sharing_sentence(table["shared_runs"], int(table["runs"].min()))
    return f"{text} {sharing}".strip()


def multiple_comparisons_title(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which algorithms may be best, in at most 90 characters: by name if there is room, else how many."""
    titles = titles_of(table["algorithm"], settings)
    tied = [titles[name] for name in table.loc[table["tied_with_best"].astype(bool), "algorithm"]]
    which = joined(tied) if tied else "No algorithm"
    ending = f"is best by {_name(table)}" if len(tied) <= 1 else f"are tied for the best {_name(table)}"
    if len(which) + len(ending) < _LONGEST_TITLE:
        return f"{which} {ending}"
    return f"{len(tied)} of {counted(len(table), 'algorithm')} {ending}"


def _standings(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Who is best, tied, and worse."""
    titles, tied = titles_of(table["algorithm"], settings), table["tied_with_best"].astype(bool)
    few, others = ([titles[name] for name in table.loc[which, "algorithm"]] for which in (tied, ~tied))
    if not few:
        return f"no algorithm is unbeaten by {_name(table)}"
    if len(few) == 1:
        whom = "all others" if len(others) > 1 else joined(others)
        return f"{few[0]} is better than {whom} by {_name(table)}"
    text = f"{joined(few)} are tied for the best {_name(table)}"
    return f"{text}; {joined(others)} {'is' if len(others) == 1 else 'are'} worse" if others else text


def _within_margin(tied: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which of the tied are shown to be within the margin of the best."""
    questions = settings.get("questions", {})  # a record has none
    margin = questions.get(settings.get("analysis", "multiple_comparisons"), {}).get("margin")
    if tied["within_margin"].isna().any() or not margin:
        return ""
    titles = titles_of(tied["algorithm"], settings)
    close = [titles[name] for name in tied.loc[tied["within_margin"].astype(bool), "algorithm"]]
    return f" Shown to be within {margin:g} of the best: {joined(close) if close else 'none'}."


def _name(table: pd.DataFrame) -> str:
    """What is compared, within a sentence."""
    metric = table["metric"].iloc[0]
    return spoken_metric(metric) if metric in METRIC_NAMES else "probability of improvement"


@origin.of_analysis
def group_sequential_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Draw the difference of the means of each pair, the higher one first, by the look that separated the pair."""
    titles = titles_of([*numbers["x"], *numbers["y"]], settings)
    numbers = numbers.sort_values("value", key=abs, ascending=False, kind="stable")
    better = numbers["x"].where(numbers["value"] >= 0, numbers["y"]).map(titles)
    other = numbers["y"].where(numbers["value"] >= 0, numbers["x"]).map(titles)
    data = pd.DataFrame({"title": better + " \N{MINUS SIGN} " + other, "value": numbers["value"].abs()})
    data["colour"] = [theme.STRONG if separated else theme.LINE for separated in numbers["separated"]]
    chart = row_chart(
        data,
        list(data["title"]),
        "difference of the means so far",
        reference=0.0,
        beside={
            "separated at": ("look " + numbers["look"].astype("string")).fillna("open"),
            "runs": numbers[["runs_x", "runs_y"]].max(axis=1).map("{:g}".format),
        },
    )
    return chart, group_sequential_finding(numbers, settings), numbers


def group_sequential_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Say which pairs have different distributions, and which algorithms need more runs."""
    titles = titles_of([*table["x"], *table["y"]], settings)
    looks, planned, group = (int(table[key].iloc[0]) for key in ("looks", "planned", "group_size"))
    separated, undecided = table[table["separated"]], table[~table["separated"]]
    text = f"After look {looks} of {planned}, {len(separated)} of {counted(len(table), 'pair')} "
    text += f"{'is' if 1 in (len(separated), len(table)) else 'are'} separated, with {group} runs of each task a look."
    better = separated["x"].where(separated["value"] >= 0, separated["y"]).map(titles)
    other = separated["y"].where(separated["value"] >= 0, separated["x"]).map(titles)
    if len(separated):
        parts = [
            f"{name} has a higher mean than {joined(list(others))}"
            for name, others in other.groupby(better, sort=False)
        ]
        text += f" Their distributions differ. So far, {'; '.join(parts)}."
    if undecided.empty:
        return f"{text} No further runs are needed."
    if looks == planned:
        return f"{text} No further look was planned."
    names = joined([titles[name] for name in dict.fromkeys([*undecided["x"], *undecided["y"]])])
    return f"{text} Train {group} more runs of {names}."
