"""Contradicted claims are counted, each with its reason."""

import pandas as pd

from surefoot.statistics.reproduction.published_comparison import contradicted_first
from surefoot.statistics.reproduction.verdicts import TOO_FEW, contradictions


def test_contradicted_claims_come_first_and_are_counted_with_why():
    rows = [
        ("mean/e/a", "differs", ""),
        ("claim/a", "contradicted", f"{TOO_FEW}: only an effect of at least 0.5 would have been detected"),
        ("claim/b", "reproduced", ""),
        ("claim/c", "contradicted", f"{TOO_FEW}: only an effect of at least 2 would have been detected"),
        ("claim/d", "contradicted", "another population"),
    ]
    table = pd.DataFrame(rows, columns=["item", "verdict", "reason"])
    assert contradicted_first(table)["item"].tolist() == ["claim/a", "claim/c", "claim/d", "mean/e/a", "claim/b"]
    assert contradictions(table) == (
        "3 of 4 claims are contradicted by our numbers. In 2 cases, our runs or samples are too few to decide it. "
        "In one case, another population."
    )
    assert contradictions(table[table["item"] != "claim/d"]).endswith(f"In both cases, {TOO_FEW}.")
    assert contradictions(table[table["verdict"] != "contradicted"]) == ""
