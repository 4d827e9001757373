"""All scores of a distribution together: what the tolerance of a single score leaves undetected."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.selection import titles
from surefoot.charts.sentences import item, joined
from surefoot.papers.castronovo2016.reasons import raised_by_selection
from surefoot.papers.castronovo2016.scored_agents import LIBRARY, scored_agents
from surefoot.papers.castronovo2016.scores import both_comparisons
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.items import quantities
from surefoot.statistics.reproduction.joint_tests import LEVEL
from surefoot.statistics.reproduction.shared_errors import shared_error_tests


def table_joint(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """A row for the published scores of each distribution over MDPs, and one for those of the authors' program.

    Columns whose ("paper" or "authors' program"), environment_title, and those of `shared_error_tests`; each score is
    that of the run or of the record, whichever has more MDPs.
    """
    rows = both_comparisons(tables, settings).sort_values("runs", kind="stable").drop_duplicates("item", keep="last")
    rows = rows[rows["standard_error"].astype(float) > 0].reset_index(drop=True)
    program, place = quantities(rows["item"]) == LIBRARY, scored_agents(rows["item"])["environment"]
    given = tables["published"].set_index("item").reindex(rows["item"]).reset_index()
    difference = (rows["ours"] - rows["published"]).astype(float) / rows["standard_error"].astype(float)
    raised = raised_by_selection(given) / rows["standard_error"].astype(float)
    whose = program.map({True: "authors' program", False: "paper"})
    groups = pd.DataFrame({"group": list(zip(whose, place, strict=True)), "z": difference, "raised": raised})
    known = {name: position for position, name in enumerate(settings["environment_titles"])}
    order = pd.DataFrame({"program": program, "place": place.map(known)}).sort_values(["program", "place"]).index
    tests = shared_error_tests(groups.loc[order])
    names = pd.DataFrame(tests.pop("group").tolist(), columns=["whose", "environment"], dtype=place.dtype)
    shown = titles(names["environment"], settings, "environment")
    tests.insert(0, "environment_title", names["environment"].map(shown))
    tests.insert(0, "whose", names["whose"])
    return None, tests


def joint_item(tables: Tables, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Row `joint`: whether any distribution is off as a whole, at `LEVEL` for all tests together."""
    _, tests = table_joint(tables, settings)
    if tests.empty:
        return item("joint", "There are no scores to test together.", 0)
    count = 2 * len(tests)
    least = tests[["p_mean", "p_scatter"]].min(axis=1)
    off = tests[least < LEVEL / count]
    told = f"In {count} joint tests of the mean and the scatter of the differences (level {100 * LEVEL:g} % for all),"
    if off.empty:
        return item("joint", f"{told} no distribution of MDPs stands out (smallest p = {least.min():.2g}).", 0)
    names = [f"{row.environment_title} ({row.whose})" for row in off.itertuples()]
    return item("joint", f"{told} {joined(names)} {'stands' if len(names) == 1 else 'stand'} out.", len(off))
