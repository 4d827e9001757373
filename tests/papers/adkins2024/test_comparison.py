"""The part of the study of Adkins et al. that has runs: when its claim is contradicted."""

import pandas as pd
import pytest
from support.paths import ROOT

from surefoot.papers.adkins2024.comparison import comparison
from surefoot.runs.result_tables import read_table


@pytest.mark.parametrize(("relying", "ours", "verdict"), [(2, 1.0, "undecided"), (1, 0.0, "contradicted")])
def test_the_claim_needs_two_better_more_sensitive_variants(relying, ours, verdict):
    published = read_table(ROOT / "config/published/adkins2024.csv")
    gains = {"lambda_ac": 0.1} | {f"variant_{place}": 0.2 if place < relying else 0.05 for place in range(3)}
    rows = [("lambda_ac", "tuned", 1.0), *((name, "tuned", 1.1) for name in gains if name != "lambda_ac")]
    rows += [("worse", "tuned", 0.9), ("worse", "sensitivity", 0.5)]  # which does not improve on PPO
    rows += [(name, "sensitivity", gain) for name, gain in gains.items()]
    answers = {"sensitivity": pd.DataFrame(rows, columns=["algorithm", "quantity", "estimate"])}
    (row,) = comparison(published, answers).to_dict("records")
    assert (row["ours"], row["verdict"], row["undecided_by"]) == (ours, verdict, "the paper")
    assert comparison(published, {}).empty
