"""What a page says first of runs that ended early: who they are, and whether another policy changes the verdict."""

import pandas as pd
import pytest

from surefoot.charts.drawing import OTHER_RUNS, OTHERWISE
from surefoot.questions.study_sentences import verdict

RUNS = [(name, environment, run) for name in ("sac", "ppo") for environment in ("x", "y") for run in range(3)]


def standings(*tied):
    """What comparisons with the best say: which of the two may be best."""
    rows = {
        "algorithm": ["sac", "ppo"],
        "estimate": [0.9, 0.4],
        "tied_with_best": [name in tied for name in ("sac", "ppo")],
    }
    facts = {"metric": "iqm", "tasks": "fixed", "detectable": 0.2, "within_margin": None, "runs": 3, "remark": ""}
    return pd.DataFrame(rows).assign(**facts, shared_runs="excluded")


BOTH, ONE = ("sac", "ppo"), ("sac",)


def said(policy, short, own, other):
    whole = pd.DataFrame(RUNS, columns=["algorithm", "environment", "run"]).assign(score=1.0, cell="c")
    left = whole[[run not in short for run in RUNS]]
    tables = {"collect/runs": whole, f"collect/{OTHER_RUNS}": left}
    if policy == "drop":
        tables = dict(zip(tables, reversed(tables.values()), strict=True))
    tables |= {"numbers/multiple_comparisons": own, f"numbers/{OTHERWISE}": other}
    settings = {"sources": {"runs": {"short_runs": policy}}, "question": "", "confidence": 0.95}
    settings |= {"algorithm_titles": {"sac": "SAC"}, "environment_titles": {}}
    found = verdict(tables, settings)[1].set_index("item")["text"]
    return found.get("short_runs", "")


@pytest.mark.parametrize(
    ("policy", "became", "otherwise"),
    [
        ("drop", "they are left out", "With last scores carried to the end"),
        ("carry_forward", "their last scores stand to the end", "With these left out"),
        ("truncate_to_shortest", "up to where its shortest ended", "With these left out"),
    ],
)
def test_both_verdicts_are_said(policy, became, otherwise):
    short = [("sac", "y", 1)]
    same = said(policy, short, standings(*ONE), standings(*ONE))
    assert same.startswith("1 of 12 runs ended early (SAC in y, run 1); ") and became in same
    assert same.endswith(f"{otherwise}, the verdict is the same.")
    other = said(policy, short, standings(*ONE), standings(*BOTH))
    assert f"{otherwise}, the verdict is another: " in other and "tied" in other


def test_many_short_runs_are_counted_and_none_is_not_told():
    short = [run for run in RUNS if run[0] == "ppo"]
    text = said("drop", short, standings(*ONE), standings(*ONE))
    assert text.startswith("6 of 12 runs ended early (ppo in x, run 0; ") and "and 1 more); they are left out" in text
    assert said("drop", [], standings(*ONE), standings(*BOTH)) == ""
