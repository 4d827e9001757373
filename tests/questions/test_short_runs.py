"""What a page says first of runs that ended early: who they are, and whether another policy changes the verdict."""

import numpy as np
import pandas as pd
import pytest

from surefoot.charts.drawing import OTHER_RUNS, OTHERWISE
from surefoot.questions.study_sentences import verdict

RUNS = [(name, environment, run) for name in ("sac", "ppo") for environment in ("x", "y") for run in range(3)]


def differences(low, high):
    row = {"metric": "iqm", "x": "sac", "y": "ppo", "value_x": 0.9, "value_y": 0.4, "value": (low + high) / 2}
    enough = {"runs_to_settle": 12.0, "fewest_to_settle": 5.0, "most_to_settle": np.inf}
    return pd.DataFrame([row | enough | {"low": low, "high": high, "runs": 3, "remark": ""}])


def said(policy, short, own, other):
    whole = pd.DataFrame(RUNS, columns=["algorithm", "environment", "run"]).assign(score=1.0, cell="c")
    left = whole[[run not in short for run in RUNS]]
    tables = {"collect/runs": whole, f"collect/{OTHER_RUNS}": left}
    if policy == "drop":
        tables = dict(zip(tables, reversed(tables.values()), strict=True))
    tables |= {"numbers/pairwise_differences": own, f"numbers/{OTHERWISE}": other}
    settings = {"sources": {"runs": {"short_runs": policy}}, "question": "", "confidence": 0.95}
    settings |= {"algorithm_titles": {"sac": "SAC"}, "environment_titles": {}}
    found = verdict(tables, settings)[1].set_index("item")["text"]
    return found.get("short_runs", "")


@pytest.mark.parametrize(
    ("policy", "became", "otherwise"),
    [
        ("drop", "and is left out", "With its last score carried to the end"),
        ("carry_forward", "and keeps its last score to the end", "With it left out"),
        ("truncate_to_shortest", "and all are scored where it ended", "With it left out"),
    ],
)
def test_both_verdicts_are_said(policy, became, otherwise):
    short = [("sac", "y", 1)]
    same = said(policy, short, differences(0.1, 0.9), differences(0.2, 0.8))
    assert same == f"1 of 12 runs ended early (SAC in y, run 1) {became}. {otherwise}, the verdict is the same."
    other = said(policy, short, differences(0.1, 0.9), differences(-0.2, 0.8))
    assert (
        f"{otherwise}, the verdict is another: By IQM, SAC comes first with 0.900, but these runs do not show" in other
    )


def test_many_short_runs_are_counted_and_none_is_not_told():
    short = [run for run in RUNS if run[0] == "ppo"]
    text = said("drop", short, differences(0.1, 0.9), differences(0.1, 0.9))
    assert text.startswith("6 of 12 runs ended early (ppo in x, run 0; ") and "and 1 more) and are left out." in text
    assert "With their last scores carried to the end" in text
    assert said("drop", [], differences(0.1, 0.9), differences(-0.1, 0.9)) == ""
