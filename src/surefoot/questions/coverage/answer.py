"""How often intervals of the scores of the game miss the truth, in one process; the workflow computes it in blocks."""

import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.coverage.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.coverage.score_coverage import CoverageOptions, cover_block, pool_scores
from surefoot.statistics.coverage.summary import summarize_coverage
from surefoot.statistics.runs.samples import samples_from_runs


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """How often the intervals of each method fail, by number of runs, when data sets are drawn from the given runs.

    Returns
    -------
    as `summarize_coverage` returns it
    """
    pool, parts, start = tables["runs"], [], 0
    for size, datasets in zip(settings.sizes, settings.numbers_of_datasets(), strict=True):
        options = CoverageOptions(
            settings.design,
            shared.seed,
            settings.confidence,
            settings.replicates,
            settings.variants,
            start,
            settings.bounds,
        )
        parts.append(cover_block(pool, list(settings.methods), size, 0, datasets, options))
        start += size * datasets if settings.design == "cut" else 0
    return summarize_coverage(pd.concat(parts, ignore_index=True), pool_scores([samples_from_runs(pool)]))
