"""Published numbers and claims beside ours."""

import pandas as pd

from surefoot.papers.agarwal2021.claims import our_items
from surefoot.papers.agarwal2021.reasons import known_reasons
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.comparison import COLUMNS, STANDARD_ERRORS, compare


def comparison(tables: Tables) -> pd.DataFrame:
    """The published numbers that this run or the record can be compared with."""
    published = tables["published"]
    ours = our_items(tables)
    ours = ours[ours["item"].isin(published["item"])].drop_duplicates("item")
    if ours.empty:
        return pd.DataFrame(columns=list(COLUMNS))
    ours = ours.merge(known_reasons(tables), on="item", how="left").set_index("item")
    # Monte Carlo error of a number is tolerated, as long as it leaves the number's own size to be noticed; a claim that
    # the subsamples leave undecided has no yardstick at all.
    ours["matters"] = published.set_index("item")["matters"].reindex(ours.index)
    ours.loc[ours["undecided"].eq(True), "matters"] = 0.0
    error = published["item"].map(ours["error"])
    known = published.assign(slack=STANDARD_ERRORS * error, standard_error=0.0 * error)
    return compare(known, ours.rename(columns={"error": "standard_error"}).assign(runs=float("nan")).reset_index())
