"""Tables of results are written and read in pieces."""

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from surefoot.runs.result_tables import ROWS_TOGETHER, write_parts


def test_a_larger_table_is_written_and_read_in_pieces(tmp_path):
    parts = [pd.DataFrame({"score": np.arange(rows) / 7}) for rows in (ROWS_TOGETHER // 2, ROWS_TOGETHER, 9)]
    write_parts(parts, tmp_path / "large.parquet")
    assert pq.ParquetFile(tmp_path / "large.parquet").num_row_groups == 3
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "large.parquet"), pd.concat(parts, ignore_index=True))


def test_a_table_without_rows_has_its_columns(tmp_path):
    empty = pd.DataFrame({"algorithm": pd.Series([], dtype="str"), "score": pd.Series([], dtype=float)})
    write_parts([empty], tmp_path / "empty.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "empty.parquet"), empty)
