"""Files with tables, in each format."""

import gzip
import json

import pandas as pd
import pytest
from support.score_tables import WANTED, read_scores


@pytest.mark.parametrize(
    "kind", ["csv.gz", "tsv", "tsv.gz", "json", "parquet", "index.parquet", "jsonl", "comment.csv", "index.csv"]
)
def test_kinds_of_files(tmp_path, kind):
    table = pd.DataFrame(
        [(name, "e", run, score) for name, run, score in WANTED], columns=["algo", "env", "seed", "score"]
    )
    path = tmp_path / f"scores.{kind}"
    if kind == "json":
        path.write_text(json.dumps(table.to_dict("records")))
    elif kind == "jsonl":
        table.to_json(path, orient="records", lines=True)
    elif "parquet" in kind:
        (table.set_index(["algo", "env"]) if "index" in kind else table).to_parquet(path)
    elif kind == "index.csv":
        table.to_csv(path)
    elif kind == "comment.csv":
        path.write_text("# made by our script\n" + table.to_csv(index=False))
    else:
        text = table.to_csv(index=False, sep="\t" if "tsv" in kind else ",")
        path.write_bytes(gzip.compress(text.encode()) if kind.endswith("gz") else text.encode())
    assert read_scores(path) == WANTED
