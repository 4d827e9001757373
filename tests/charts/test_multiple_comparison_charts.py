"""Sentences on several comparisons."""

import numpy as np

import surefoot


def test_a_margin_is_about_the_baseline():
    rng = np.random.default_rng(4)
    scores = {name: level + 0.01 * rng.normal(size=(5, 2)) for name, level in zip("abc", (0.0, 0.0, 1.0), strict=True)}
    own = surefoot.multiple_comparisons(scores, baseline="a", margin=0.5).finding()
    assert "Shown to be within 0.5 of a: b." in own


def test_the_verdict_mentions_few_runs_of_one_task():
    rng = np.random.default_rng(0)
    answer = surefoot.multiple_comparisons({name: rng.normal(size=(3, 1)) for name in "ab"}, metric="mean")
    assert "With 2 degrees of freedom, such intervals missed in about 9 %" in answer.finding()


def test_with_a_baseline_the_others_keep_their_colours():
    rng = np.random.default_rng(1)
    scores = {name: rng.normal(size=(5, 2)) for name in ("mine_a", "mine_b", "mine_c")}
    colours = []
    for baseline in (None, "mine_a"):
        chart = surefoot.multiple_comparisons(scores, baseline=baseline).chart().to_dict()
        rows = [row for values in chart["datasets"].values() for row in values if "colour" in row]
        colours.append({row["title"].partition("\u2002")[0]: row["colour"] for row in rows})
    everything, against_baseline = colours
    assert against_baseline.keys() == {"mine_b", "mine_c"}
    assert against_baseline.items() <= everything.items()
