"""Times of Bayesian agents on stand-in plays: orders, regions and counts by hand."""

import pandas as pd
import pytest
from support.stand_in_plays import agents_of, settings

from surefoot.papers.castronovo2016.times import figure_bounds_numbers, table_1, table_orders


def bounded(*rows):
    """Cells of bounds: environment, online and offline bound in ms, the best algorithms."""
    names = ["environment", "milliseconds_online", "milliseconds_offline", "algorithms"]
    return pd.DataFrame(rows, columns=names).assign(variant="as_published", agents=1)


def test_the_order_lies_below_the_offline_time_of_opps_ds():
    bounds = bounded(
        ("accurate/gc", 0.01, 0.01, "random"),
        ("accurate/gc", 0.05, 0.01, "beb, e_greedy"),
        ("accurate/gc", 0.01, 0.05, "random"),
        ("accurate/gc", 0.05, 0.05, "opps_ds"),
    )
    table = table_orders(bounds, titles=settings()["titles"])
    assert table["ours"].tolist() == ["Random \N{RIGHTWARDS ARROW} BEB, e-Greedy"]
    assert table["agree"].tolist() == [2]


def test_times_are_compared_if_one_parameter_differs():
    """Twice the depth takes 4 and 9 times as long, 6 times in the geometric mean; nothing is learnt before."""
    agents = agents_of(
        *(
            ("accurate/gc", "bamcp", f"simulations={n}, depth={depth}", "", 30.0, 1.0, 5)
            for n in (1, 500)
            for depth in (15, 30)
        )
    )
    agents = agents.assign(seconds_offline=1e-6, seconds_decision=[0.1, 0.4, 1.0, 9.0])
    table = table_1(agents)
    table = table.set_index("parameter")
    assert table.loc["depth", ["least", "greatest", "pairs"]].tolist() == [15, 30, 2]
    assert table["online"].tolist() == pytest.approx([225**0.5, 6.0])
    assert table["offline"].isna().all()


def test_cells_are_the_best_with_and_without_learning():
    """Between 0.1 and 100 ms OPPS-DS learns, and e-Greedy is no longer among the best."""
    bounds = bounded(
        ("accurate/gc", 1.0, 0.1, "random"),
        ("accurate/gc", 10.0, 0.1, "e_greedy, beb"),
        ("accurate/gc", 1.0, 100.0, "random"),
        ("accurate/gc", 10.0, 100.0, "opps_ds, beb"),
    )
    cells = figure_bounds_numbers(bounds, case="accurate").set_index(["milliseconds_online", "algorithm"])
    always, before, after = "whatever the offline time", "only before OPPS-DS has learnt", "only with offline time"
    expected = {(1.0, "random"): always, (10.0, "beb"): always, (10.0, "e_greedy"): before, (10.0, "opps_ds"): after}
    assert cells["when"].to_dict() == expected
    assert cells.loc[(10.0, "opps_ds"), "milliseconds_offline"] == 100.0
    # The paper names Random first, and later BEB with e-Greedy, but at no place OPPS-DS.
    assert cells["named"].to_dict() == {key: key[1] != "opps_ds" for key in expected}
