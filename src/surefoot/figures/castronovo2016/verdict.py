"""Sentences and counts of the paper's page."""

from collections.abc import Mapping

import pandas as pd

from surefoot.figures.castronovo2016.bounds import table_orders
from surefoot.figures.castronovo2016.comparison import comparison
from surefoot.figures.sentences import counted, item
from surefoot.figures.study import verdict as study_verdict
from surefoot.statistics.reproduction import verdict_counts

Tables = Mapping[str, pd.DataFrame]


def verdict(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    _, rows = study_verdict(tables, settings)
    numbers = comparison(tables)
    more = [
        *_reproduced("published", numbers[numbers["item"].str.startswith("mean/")], "published scores"),
        *_reproduced("library", numbers[numbers["item"].str.startswith("library/")], "scores of the authors' program"),
    ]
    plays = tables["collect/plays"]
    # Several jobs on one machine measure its clocks a bit differently.
    more.append(item("machine", plays["machine"].mode()[0]))
    failed = plays[plays["failed"]]
    agents = failed[["algorithm", "parameters", "environment"]].drop_duplicates()
    text = f"{counted(len(failed), 'play')} of {counted(len(agents), 'agent')} ended in a domain error."
    more.append(item("failures", text, len(failed)))
    _, orders = table_orders(tables, settings)
    agree, named = int(orders["agree"].sum()), int(orders["named"].sum())
    more.append(item("orders", f"{agree} of the {named} lists that the text names come out here, in its order.", agree))
    return None, pd.concat([rows, pd.DataFrame(more)], ignore_index=True)


def _reproduced(name: str, numbers: pd.DataFrame, nouns: str) -> list[dict]:
    counts = verdict_counts(numbers["verdict"])
    text = (
        f"Of {len(numbers):,} {nouns} that this run can be held against, {counts['reproduced']} are reproduced, "
        f"{counts['explained']} are explained and {counts['differs']} differ."
    )
    return [item(name, text, len(numbers)), item(f"{name}_reproduced", text, counts["reproduced"])]
