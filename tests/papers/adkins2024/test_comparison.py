"""The part of the study of Adkins et al. that has runs: a grid of hyperparameters, by few runs and by fresh ones."""

import pandas as pd
import pytest
from pydantic import ValidationError
from support.drawings import drawn
from support.paths import ROOT

from surefoot.charts.tuning import selection_table
from surefoot.papers.adkins2024.comparison import comparison
from surefoot.runs.result_tables import read_table
from surefoot.simulation.sources.repeated_runs import HyperparameterGrid

GRID = {"discount": [0.9], "trace_decay": [0.0, 0.9], "exploration": [0.1], "step_size": [0.5], "runs": 3}


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
    assert selection_table()[1].empty


def test_a_grid_is_of_tables_of_states():
    assert HyperparameterGrid(environments=("chain_10_stochastic",), **GRID).tables("grid") == {"grid": "settings"}
    with pytest.raises(ValidationError, match="is not a discrete environment"):
        HyperparameterGrid(environments=("cart_pole",), **GRID)
    with pytest.raises(ValidationError, match="less than or equal to 1"):
        HyperparameterGrid(environments=("chain_10_stochastic",), **GRID | {"discount": [1.5]})


@pytest.mark.parametrize(("relying", "ours", "verdict"), [(2, 1.0, "undecided"), (1, 0.0, "contradicted")])
def test_the_claim_needs_two_better_more_sensitive_variants(relying, ours, verdict):
    published = read_table(ROOT / "config/published/adkins2024.csv")
    gains = {"lambda_ac": 0.1} | {f"variant_{place}": 0.2 if place < relying else 0.05 for place in range(3)}
    rows = [("lambda_ac", "tuned", 1.0), *((name, "tuned", 1.1) for name in gains if name != "lambda_ac")]
    rows += [("worse", "tuned", 0.9), ("worse", "sensitivity", 0.5)]  # which does not improve on PPO
    rows += [(name, "sensitivity", gain) for name, gain in gains.items()]
    answers = {"sensitivity": pd.DataFrame(rows, columns=["algorithm", "quantity", "estimate"])}
    (row,) = comparison(published, answers).to_dict("records")
    assert (row["ours"], row["verdict"], row["undecided_by"]) == (ours, verdict, "the paper")
    assert comparison(published, {}).empty
