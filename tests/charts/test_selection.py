"""Rows that several figures and tables select."""

import pandas as pd
from support.stand_in_tables import coverage_tables

from surefoot.charts.selection import coverage_rows


def test_each_variant_has_its_rows_in_a_study_of_both():
    rows = coverage_tables((10,))["cover/corrected"]
    both = pd.concat(
        [rows[rows["method"] != "pbp_matchings"].assign(variant="as_published"), rows.assign(variant="corrected")]
    )
    tables = {"as_published": both, "corrected": both}
    assert len(coverage_rows(tables, "as_published")) == len(coverage_rows(tables, "corrected")) == 4
