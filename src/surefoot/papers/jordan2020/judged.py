"""Which of the published numbers are judged, and why the others are not."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.entries import RECORD, RUN
from surefoot.papers.jordan2020.recorded import KINDS
from surefoot.papers.jordan2020.spreads import TRIALS
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.comparison import FEWEST_RUNS
from surefoot.statistics.reproduction.items import quantities

_NOT_JUDGED = {
    "mean": "pairs that this study does not have",
    "mean_low": f"pairs of fewer than {FEWEST_RUNS} trials, and those of the record, which keeps no single trials",
    "mean_high": f"pairs of fewer than {FEWEST_RUNS} trials, and those of the record, which keeps no single trials",
    "game_score": "they need all algorithms and environments of the paper, and the bootstrap",
    "cdf": "pairs that this study does not have",
    "quantile": "pairs that this study does not have",
    "coverage": "numbers of trials that this study does not draw",
    "episodes": "environments that this study does not have; the record keeps none",
    "claim": "what they are about is not in this study, or not in the record",
}


def table_judged(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """How many of the published rows of each group are judged by this run and by the record, and why others are not.

    Columns group, rows, judged, record_judged, reason (empty where all rows are judged by both).
    """
    published = quantities(tables["published"]["item"])
    ours, record = (quantities(table["item"]) for table in (tables[RUN], tables[RECORD]))
    found = []
    for kind, title in KINDS.items():
        rows = int((published == kind).sum())
        judged, recorded = int((ours == kind).sum()), int((record == kind).sum())
        reason = _NOT_JUDGED[kind] if min(judged, recorded) < rows else ""
        found.append((title, rows, judged, recorded, reason))
    limits = published.isin(("game_score_low", "game_score_high"))
    wide = f"their width depends on the number of trials: only runs of {TRIALS:,} trials can be compared with them"
    found.append(("limits of aggregate scores (Figure 5)", int(limits.sum()), 0, 0, wide))
    for prefix, title in (("mean", "ranks of means (Appendix I)"), ("game_score", "ranks of scores (Table 1)")):
        ranks = published.isin([f"{prefix}_{rank}" for rank in ("rank", "rank_low", "rank_high")])
        found.append((title, int(ranks.sum()), 0, 0, "they follow from other printed numbers"))
    columns = ["group", "rows", "judged", "record_judged", "reason"]
    return None, pd.DataFrame(found, columns=columns)
