"""Items: written and read in one place, with named parts."""

import pandas as pd
import pytest
from support.paths import ROOT

from surefoot.runs.result_tables import read_table
from surefoot.statistics.reproduction.items import (
    item_parts,
    item_texts,
    of_quantity,
    quantities,
    read_item,
)

TABLES = [
    path
    for folder in ("config/published", "reports/records")
    for path in sorted((ROOT / folder).glob("*.csv"))
    if "item" in pd.read_csv(path, nrows=0)
]


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_every_item_of_the_project_is_written_as_it_was_read(path):
    texts = read_table(path)["item"]
    assert [read_item(text).text for text in texts] == texts.tolist()
    assert quantities(texts).str.fullmatch("[a-z_0-9]+").all()


def test_columns_of_parts():
    table = pd.DataFrame({"item": ["mean/e/a", "mean_low/e/b", "mean/f/b", "claim/best/e/a"]}, index=[3, 1, 4, 2])
    assert quantities(table["item"]).tolist() == ["mean", "mean_low", "mean", "claim"]
    means = of_quantity(table, "mean", "mean_low")
    assert means.index.tolist() == [3, 1, 4]
    parts = item_parts(means["item"], "environment", "algorithm")
    assert parts.to_dict("list") == {"environment": ["e", "e", "f"], "algorithm": ["a", "b", "b"]}
    assert parts.index.equals(means.index) and (parts.dtypes == table["item"].dtype).all()
    assert item_texts("mean", parts["environment"], parts["algorithm"]).tolist() == ["mean/e/a", "mean/e/b", "mean/f/b"]
    assert item_parts(table["item"].iloc[:0], "environment", "algorithm").columns.tolist() == [
        "environment",
        "algorithm",
    ]
    assert of_quantity(table.iloc[:0], "mean").empty
