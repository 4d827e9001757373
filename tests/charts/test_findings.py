"""Sentences on the numbers of analyses: what they say follows the numbers, whatever was asked."""

import numpy as np
import pandas as pd
import pytest

import surefoot
from surefoot.cli.workflow import named_targets
from surefoot.papers.recht2018.comparison import comparison
from surefoot.questions.study_sentences import verdict

SETTINGS = {"question": "", "title": "Mine", "recorded": [], "algorithm_titles": {}, "confidence": 0.9}


def aggregates(*rows):
    columns = ["algorithm", "metric", "method", "value", "low", "high"]
    return pd.DataFrame(rows, columns=columns).assign(runs=5, tasks=3, replicates=100)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (
            [("a", "optimality_gap", "bca", 0.3, 0.2, 0.4), ("b", "optimality_gap", "bca", 0.6, 0.5, 0.7)],
            "a has the lowest optimality gap, 0.300 (0.200 to 0.400). Next comes b, 0.600 (0.500 to 0.700).",
        ),
        (
            [
                ("a", "iqm", "bca", 0.1 + 0.2, 0.2, 0.4),
                ("b", "iqm", "bca", 0.3, 0.2, 0.4),
                ("c", "iqm", "bca", 0, 0, 1),
            ],
            "a and b share the highest IQM, 0.300 (0.200 to 0.400).",
        ),
    ],
)
def test_the_best_of_whatever_was_asked(rows, sentence):
    _, said = verdict({"numbers/aggregates": aggregates(*rows)}, SETTINGS)
    assert said.set_index("item").loc["metrics_best", "text"] == sentence


def test_the_caption_says_where_intervals_do_not_hold_their_level():
    table = aggregates(("a", "iqm", "percentile", 0.3, 0.2, 0.4), ("a", "iqm", "bca", 0.3, 0.2, 0.4))
    for remarks, end in (
        (["with 3 runs, a percentile interval", "b"], "resamples. With 3 runs, a percentile interval."),
        (["", ""], "resamples."),
    ):
        _, said = verdict({"numbers/aggregates": table.assign(remark=remarks)}, SETTINGS)
        assert said.set_index("item").loc["metrics_caption", "text"].endswith(end)


@pytest.mark.parametrize(("crossings", "holds"), [(1, 0.0), (2, 0.0), (3, 1.0)])
def test_several_crossings_are_counted(crossings, holds):
    steps = range(8)
    second = [2 * (min(step, crossings) % 2) for step in steps]
    curves = [
        pd.DataFrame({"threshold": steps, "count": count, "method": name})
        for name, count in (("Blob-PROST 200M", 1), ("DQN 200M", second))
    ]
    numbers = pd.concat(curves).assign(degrees_of_freedom="notebook")
    published = pd.DataFrame([{"item": "claim/figure_r1", "published": 1.0, "tolerance": 0.0, "reason": None}])
    compared = comparison({"numbers/figure_r1": numbers, "published": published}, {}).set_index("item")
    assert compared.loc["claim/figure_r1", "ours"] == holds


class Drawn:
    stage, study, part, on_request = "draw", "some", "figures", False

    def __init__(self, *names):
        self.manifest = names[0]
        self.outputs = {name: f"results/draw/some/{name}" for name in names}


def test_a_figure_is_a_target_with_all_its_parts():
    left, whole = Drawn("figure_2_left.svg", "table_needed.csv"), Drawn("figure_2.csv", "figure_11a.csv")
    found = named_targets([left, whole], [])
    assert found["figure_2"] == [left.manifest, whole.manifest]
    assert found["figure_2_left"] == [left.manifest]
    assert found["figure_11"] == found["figure_11a"] == [whole.manifest]
    assert {"figure_2", "figure_2_left", "figure_11", "figure_11a", "table_needed"} <= set(found)


def test_nothing_is_said_to_be_separated_or_not_without_bands():
    rng = np.random.default_rng(0)
    answer = surefoot.curve_differences({name: rng.normal(size=(3, 1, 9)).cumsum(-1) for name in "ab"}, replicates=50)
    assert answer.table()["low"].isna().all()
    assert "is not separated" not in answer.finding() and "not drawn" in answer.finding()


def test_the_verdict_has_the_reservation_about_few_runs_of_one_task():
    rng = np.random.default_rng(0)
    answer = surefoot.multiple_comparisons({name: rng.normal(size=(3, 1)) for name in "ab"})
    assert "3 runs of one task" in answer.finding()
