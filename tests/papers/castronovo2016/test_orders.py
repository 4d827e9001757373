"""Lists of the best agents: claims, and longest common sequences by hand."""

import pandas as pd
from support.stand_in_plays import published

from surefoot.papers.castronovo2016.comparison import claim_items
from surefoot.papers.castronovo2016.orders import PUBLISHED_ORDERS, common_places


def bounded(*rows):
    """Cells of bounds: environment, online and offline bound in ms, the best algorithms."""
    names = ["environment", "milliseconds_online", "milliseconds_offline", "algorithms"]
    return pd.DataFrame(rows, columns=names).assign(variant="as_published", agents=1)


def test_lists_of_best_agents_are_claims():
    """Two of the four lists on GC are in order. Claims about environments that were not played are not judged."""
    bounds = bounded(("accurate/gc", 1.0, 0.1, "random"), ("accurate/gc", 10.0, 0.1, "e_greedy, beb"))
    claims = claim_items(bounds).set_index("item")["ours"]
    assert claims.tolist() == [1.0, 0.0, 1.0, 0.0]
    printed = published()["item"][published()["item"].str.startswith("claim/")]
    assert set(claims.index) <= set(printed)
    names = [
        f"claim/best_agents/{place}/{n + 1}" for place, lists in PUBLISHED_ORDERS.items() for n in range(len(lists))
    ]
    assert names == printed.tolist() and len(names) == 28


def test_a_longest_common_sequence_by_hand():
    assert common_places("abcd", "xbdc") == [(1, 1), (3, 2)]
    assert common_places("", "a") == common_places("a", "b") == []
