"""The table of what tuning gains, by few runs and by fresh ones."""

import pandas as pd
from support.drawings import drawn

from surefoot.charts.tuning_charts import selection_table


def answers(value, runs):
    row = {"algorithm": "q", "held_out": value - 0.1, "low": 0.0, "high": 1.0, "runs": runs}
    sensitivity = pd.DataFrame(
        [row | {"quantity": name, "estimate": value} for name in ("tuned", "cross", "sensitivity")]
    )
    sizes = pd.DataFrame([row | {"size": size, "estimate": value, "dimension": 1.0} for size in (0, 1, 2)])
    return {"sensitivity": sensitivity, "dimension": sizes, "selection": pd.DataFrame([row | {"estimate": value}])}


def test_fresh_runs_are_those_of_the_record_where_it_has_more():
    tables = {f"numbers/{kind}_few": table for kind, table in answers(0.9, 3).items()}
    tables |= {f"numbers/{kind}_fresh": table for kind, table in answers(0.8, 10).items()}
    _, own = drawn("adkins2024", "table_selection", tables)
    assert own["quantity"].tolist() == ["tuned", "cross", "sensitivity", "dimension", "selection"]
    assert own["estimate"].tolist() == [0.9, 0.9, 0.9, 1.0, 0.9] and set(own["runs_fresh"]) == {10}
    recorded = {f"recorded/{kind}_fresh": table for kind, table in answers(0.7, 400).items()}
    _, larger = drawn("adkins2024", "table_selection", tables | recorded)
    assert larger["estimate_fresh"].tolist() == [0.7, 0.7, 0.7, 1.0, 0.7] and set(larger["runs_fresh"]) == {400}
    assert selection_table().empty
