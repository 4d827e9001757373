"""Samples that are read in pieces are those of the whole table."""

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from surefoot.statistics.coverage.score_coverage import pool_scores
from surefoot.statistics.runs.samples import samples_from_runs
from surefoot.workflow.blocks import samples_of_environments


def test_a_pool_read_in_pieces_has_the_same_truth(tmp_path):
    """Three algorithms, one of which shares its sample in an environment; environments in no order of the alphabet."""
    rng = np.random.default_rng(6)
    shared = rng.normal(size=9)
    scores = {("a", "z"): shared, ("a_s", "z"): shared, ("b", "z"): rng.normal(size=8)}
    scores |= {("a", "m"): rng.normal(size=7), ("a_s", "m"): rng.integers(0, 3, 6), ("b", "m"): rng.integers(0, 3, 5)}
    cells = {pair: pair[0] for pair in scores} | {("a_s", "z"): "a"}
    rows = [(*pair, score, cells[pair]) for pair, values in scores.items() for score in values]
    pool = pd.DataFrame(rows, columns=["algorithm", "environment", "score", "cell"])
    pool.to_parquet(tmp_path / "pool.parquet", index=False, row_group_size=10)
    assert pq.ParquetFile(tmp_path / "pool.parquet").num_row_groups > 2
    expected = pool_scores([samples_from_runs(pool)])
    found = pool_scores(samples_of_environments(tmp_path / "pool.parquet"))
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
