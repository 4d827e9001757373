"""Counts of games in Recht et al. 2018: a fault in a formula changes them."""

import pandas as pd
import pytest
from support.recorded_comparisons import tables_of, verdicts

from surefoot.papers.recht2018 import comparison as recht2018
from surefoot.papers.recht2018.comparison import comparison
from surefoot.statistics.reproduction.verdicts import verdict_counts


def test_no_count_is_reached_by_a_fault():
    tables = tables_of("recht2018")
    for name in ("figure_r1", "figure_r2"):
        tables[name] = tables[name].assign(count=-1000)
    found = verdicts(tables, recht2018)
    assert found.pop("claim/figure_r1") == "contradicted"
    assert set(found.drop("claim/figure_r2")) == {"differs"}
    # A single game less at an end is noticed, and so is a second figure in which DQN is above once.
    tables = tables_of("recht2018")
    table = tables["figure_r2"]
    once = (table["method"] == "DQN 10M") & (table["threshold"] == table["threshold"].max())
    tables["figure_r2"] = table.assign(count=table["count"].mask(once, 61))
    found = verdicts(tables, recht2018)
    assert found["count/figure_r2/DQN 10M/last"] == "differs"
    assert found["claim/figure_r2"] == "contradicted"


def test_which_counts_tell_the_formulas_apart():
    tables = tables_of("recht2018")
    welch = recht2018.compared(tables["published"], tables, "welch")
    assert verdict_counts(welch["verdict"])["differs"] == 4
    curves = recht2018.table_curves(tables)
    assert curves.set_index(["figure", "formula"])["crossings"].to_dict() == {
        ("figure_r1", "notebook"): 7,
        ("figure_r1", "welch"): 3,
        ("figure_r2", "notebook"): 0,
        ("figure_r2", "welch"): 0,
        ("figure_100m", "notebook"): 2,
        ("figure_100m", "welch"): 0,
    }


@pytest.mark.parametrize(("crossings", "holds"), [(1, 0.0), (2, 0.0), (3, 1.0)])
def test_several_crossings_are_counted(crossings, holds):
    steps = range(8)
    second = [2 * (min(step, crossings) % 2) for step in steps]
    curves = [
        pd.DataFrame({"threshold": steps, "count": count, "method": name})
        for name, count in (("Blob-PROST 200M", 1), ("DQN 200M", second))
    ]
    numbers = pd.concat(curves).assign(degrees_of_freedom="notebook")
    published = pd.DataFrame([{"item": "claim/figure_r1", "published": 1.0, "tolerance": 0.0, "reason": None}])
    compared = comparison(published, {"figure_r1": numbers}).set_index("item")
    assert compared.loc["claim/figure_r1", "ours"] == holds
