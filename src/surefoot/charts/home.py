"""The table of the home page: what was reproduced of every paper."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.comparison import VERDICTS, verdict_counts

LARGE, RECORDED, SMALL = "large run", "published scores", "this run"
"""Whose numbers are judged: those of a record of simulations, a record of answers that were computed from published
scores, and those of this run."""
_COUNTS = ("published", *VERDICTS, "not_judged")


def verdicts_by_run(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """Columns study, run, item, verdict: the rows of each record, and those that this run made.

    `settings["recorded_studies"]` names studies of which this run has no scores: what it shows of them is a record of
    what the published scores say.
    """
    columns = ["study", "item", "verdict"]
    empty = pd.DataFrame(columns=columns)
    record = tables.get("all_records", empty)[columns].assign(run=LARGE)
    made = tables.get("all_runs", empty)[columns].assign(run=SMALL)
    made["run"] = made["run"].mask(made["study"].isin(settings["recorded_studies"]), RECORDED)
    return pd.concat([record, made], ignore_index=True)


def table_verdicts(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """What became of the published numbers of each study: a row for its large run, where there is one, then one for
    this run; a single one, without counts, where nothing was published to compare with.

    Columns study, title, label, claim (or the question of a study of no paper), run, published (numbers in all), one
    for each verdict, not_judged. `settings["studies"]` holds study, title, label and claim of each, in the order of the
    configuration.
    """
    rows = []
    compared = verdicts_by_run(tables, settings)
    published = tables.get("all_published", pd.DataFrame(columns=["study", "item"]))
    for known in settings["studies"]:
        of_study = compared[compared["study"] == known["study"]]
        total = len(set(published.loc[published["study"] == known["study"], "item"]) | set(of_study["item"]))
        runs = [run for run in (LARGE, RECORDED, SMALL) if (of_study["run"] == run).any()]
        for run in runs or [""]:
            verdicts = of_study.loc[of_study["run"] == run, "verdict"]
            counts = verdict_counts(verdicts) | {"published": total, "not_judged": total - len(verdicts)}
            rows.append({**known, "run": run} | (counts if total else dict.fromkeys(_COUNTS)))
    table = pd.DataFrame(rows, columns=["study", "title", "label", "claim", "run", *_COUNTS])
    return None, table.astype(dict.fromkeys(_COUNTS, "Int64"))
