"""What the page says of the questions of Appendix A and of section 3."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.selection import asked
from surefoot.charts.sentences import counted, counted_span, item
from surefoot.questions.exploits import show as exploits
from surefoot.questions.tuning import show as tuning
from surefoot.result_tables import Tables


def asked_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows of `exploit_items` and `tuning_items`; `policy_percentile` and `asked_runs`."""
    return [
        *exploits.exploit_items(tables, settings),
        *tuning.tuning_items(tables, settings),
        item("policy_percentile", exploits.policy_sentence(tables, settings)),
        *([item("asked_runs", _runs_asked(tables["collect/runs"], settings))] if "collect/runs" in tables else []),
    ]


def _runs_asked(runs: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Of which runs the exploits of normalizations are shown: environments and trials of a pair."""
    source = settings["sources"].get(asked(settings, "exploits").get("source", ""), {})
    places = source.get("environments", runs["environment"].unique())
    sizes = runs[runs["environment"].isin(places)].groupby(["environment", "algorithm"]).size()
    return f"{counted(len(places), 'environment')}, {counted_span(sizes, 'trial')} per pair"
