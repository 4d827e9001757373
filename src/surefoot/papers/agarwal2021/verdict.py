"""Published numbers and claims beside ours, and the sentences of the page."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.entries import RUN
from surefoot.charts.not_judged import not_judged, not_judged_item
from surefoot.charts.origin import origin_item
from surefoot.charts.published_labels import with_labels
from surefoot.charts.sentences import item, percent, verdict_items
from surefoot.papers.agarwal2021.findings import finding_items
from surefoot.papers.agarwal2021.labels import LABELS
from surefoot.papers.agarwal2021.titles import title_items
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.items import item_text, of_quantity

_ELSEWHERE = ("run_plans", "sequential_comparison", "false_alarm_rates")
"""Questions that are answered on another page."""
_RESAMPLED = ("aggregates", "profiles", "improvement", "sample_efficiency")
_SUBSAMPLED = ("subsamples", "differences", "lifts", "protocols", "subsample_densities", "trimmed_errors")
_CENTRAL = [
    item_text("claim", name) for name in ("medians_overlap", "iqm_narrower_at_10", "median_uncertain_at_50", "iqm_flat")
]


def reproduction(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Every published number and claim beside ours, as `surefoot.statistics.reproduction.comparison` has it, with the
    columns of `published_labels.with_labels`."""
    return None, with_labels(tables[RUN], LABELS, settings)


def table_not_judged(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The published numbers and claims that have no counterpart here, and why: columns item, label, claim,
    published, reason."""
    reason = "neither this run nor the record has the numbers of the analysis"
    missing = not_judged(tables["published"], tables[RUN], lambda item: reason)
    return None, with_labels(missing, LABELS, settings)


def verdict(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    compared = tables[RUN]
    rows = [item("paper_claim", settings["claim"]), origin_item(tables, settings), *verdict_items(compared)]
    rows.append(item("claim_verdict", _claim_verdict(compared)))
    rows.append(item("confidence", percent(settings["confidence"])))
    _, missing = table_not_judged(tables, settings)
    rows += [not_judged_item(missing, tables["published"]), _exact_item(compared)]
    rows += finding_items(tables, settings) + title_items(tables, settings)
    asked = {name: question for name, question in settings["questions"].items() if question["kind"] not in _ELSEWHERE}
    rows += [_caption(name, question, tables, settings) for name, question in asked.items()]
    return None, pd.DataFrame(rows)


def _claim_verdict(compared: pd.DataFrame) -> str:
    central = compared[compared["item"].isin(_CENTRAL)]
    if len(central) < len(_CENTRAL):
        return "not tested"
    if central["verdict"].isin(["explained", "differs"]).any():
        return "not reproduced"
    return "reproduced" if (central["verdict"] == "reproduced").all() else "not settled by so few subsamples"


def _exact_item(compared: pd.DataFrame) -> dict[str, Any]:
    """Row `exact`: whether the numbers that no chance is in agree one by one, which no joint test could sharpen."""
    printed = of_quantity(compared, "median", "mean")
    if printed.empty:
        return item("exact", "Neither this run nor the record has the point scores.", 0)
    difference = (printed["ours"] - printed["published"]).abs()
    agree = int((difference <= printed["tolerance"]).sum())
    which = "All" if agree == len(printed) else f"{agree} of the"
    digits = -math.log10(printed["tolerance"].max())
    return item(
        "exact",
        f"{which} {len(printed)} scores that the authors' notebook prints agree to {digits:.0f} decimals.",
        agree,
    )


def _caption(name: str, analysis: Mapping[str, Any], tables: Tables, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Row `caption/<analysis>`: resamples and subsamples; the page says the confidence once, which row `confidence`
    has."""
    counts: Mapping[str, Any] = {"replicates": settings["replicates"]} | dict(analysis)
    if name in settings["recorded"]:
        counts = tables["record"].set_index("analysis").loc[name]
    if name not in settings["at_hand"]:
        return item(f"caption/{name}", "There are no numbers of it here.")
    text = "Exact, without resampling."
    if analysis["kind"] in _RESAMPLED:
        text = f"{int(counts['replicates']):,} resamples."
    elif analysis["kind"] in _SUBSAMPLED:
        text = f"{int(counts['datasets']):,} subsamples of each size."
    elif analysis["kind"] in ("coverages", "task_coverages"):
        bands = "; bands: two standard errors" if analysis["kind"] == "coverages" else ""
        text = (
            f"{int(counts['datasets']):,} samples of each size, {int(counts['replicates']):,} resamples of each{bands}."
        )
    elif analysis["kind"] == "published_intervals":
        text = f"{percent(settings['confidence'])} intervals."
    return item(f"caption/{name}", text)
