"""Which of the paper's numbers a study can be compared with."""

from collections.abc import Mapping

import pandas as pd

from surefoot.charts.selection import environments_of, published_values
from surefoot.result_tables import Tables

POINTS = "aggregate/game_scores"
GROUPS = {
    "classic_control": ("acrobot", "cart_pole", "mountain_car"),
    "pinball": ("pinball_box", "pinball_empty", "pinball_medium", "pinball_single"),
    "gridworld": tuple(f"gridworld_{n}_{kind}" for n in (10, 5) for kind in ("deterministic", "stochastic")),
    "chain": tuple(f"chain_{n}_{kind}" for n in (10, 50) for kind in ("deterministic", "stochastic")),
}


def has_published_selection(tables: Tables) -> bool:
    """Whether the study has exactly the published algorithms and environments.

    The score of an algorithm depends on all of them.
    """
    ours, published = _pairs(tables)
    return _is_published(set(ours["algorithm"]), set(ours["environment"]), published)


def scores_are_of_published_selection(tables: Tables, scores: pd.DataFrame) -> bool:
    """Whether scores are of exactly the published algorithms and environments: those of the record, which have a column
    `environments`, or else of the study."""
    if "environments" not in scores:
        return has_published_selection(tables)
    return _is_published(set(scores["algorithm"]), environments_of(scores), _pairs(tables)[1])


def _is_published(algorithms: set[str], environments: set[str], published: pd.DataFrame) -> bool:
    return algorithms == set(published["algorithm"]) and environments == set(published["environment"])


def whole_environments(tables: Tables) -> list[str]:
    """The published environments that the study has with all published algorithms and no other."""
    ours, published = _pairs(tables)
    algorithms = ours.groupby("environment", sort=False)["algorithm"].agg(set)
    known = set(published["environment"])
    return [name for name, found in algorithms.items() if name in known and found == set(published["algorithm"])]


def _pairs(tables: Mapping[str, pd.DataFrame]) -> tuple[pd.DataFrame, pd.DataFrame]:
    points = tables[POINTS]
    return points[points["aggregate"] == "mean"], published_values(
        tables["published"], "mean", ["environment", "algorithm"]
    )
