"""Published scores, and those of the authors' library at fixed parameters, beside ours (Figures 9 and 13)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.bayesian.registry import DISCOUNT, HORIZON
from surefoot.charts.entries import AGENTS
from surefoot.charts.sentences import counted
from surefoot.papers.castronovo2016.reasons import JUDGED, judged
from surefoot.papers.castronovo2016.scored_agents import LIBRARY, MEAN, with_items
from surefoot.result_tables import Tables


def plays(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The study's source of plays."""
    return next(source for source in settings["sources"].values() if source["kind"] == "plays")


def is_published_task(settings: Mapping[str, Any]) -> bool:
    """Whether trajectories have the published discount and horizon: scores of others are of another task."""
    section = plays(settings)
    return section["discount"] == DISCOUNT and section["horizon"] == HORIZON


def not_compared(settings: Mapping[str, Any], nouns: str) -> str:
    """Why nothing is compared with published scores where `is_published_task` is false."""
    section = plays(settings)
    decisions = counted(section["horizon"], "decision")
    return (
        f"Nothing of this run is compared with the {nouns}: its trajectories have {decisions} and the "
        f"discount {section['discount']:g}, those have {HORIZON} and {DISCOUNT:g}."
    )


def comparison(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """Each published score that was played beside ours, in the published order; columns as of `compare`, and runs.

    Ours are those of the variant as_published; none where the study has another discount or horizon.
    """
    ours = our_scores(tables).rename(columns={"value": "ours"}).dropna(subset="ours")
    ours = ours.reset_index()[["item", "ours", "standard_error", "runs"]]
    published = tables["published"]
    if not is_published_task(settings) or not published["item"].isin(ours["item"]).any():
        return pd.DataFrame({name: pd.Series(dtype=object) for name in JUDGED})
    return judged(published, ours, half_copied_scores(tables))


def half_copied_scores(tables: Tables) -> pd.Series:
    """Our scores of the variant half_copied by the items of the paper's scores."""
    agents = tables[AGENTS]
    return with_items(agents[agents["variant"] == "half_copied"]).set_index("item")["value"]


def our_scores(tables: Tables) -> pd.DataFrame:
    """Our scores of the variant as_published by the items of published ones of both quantities."""
    agents = pd.concat([with_items(tables[AGENTS], quantity) for quantity in (MEAN, LIBRARY)])
    return agents[agents["variant"].isin(["", "as_published"])].set_index("item")
