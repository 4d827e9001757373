"""A user's score table by metrics and profiles: from the file to the numbers, and the mistakes of its configuration."""

import copy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from surefoot.scales.score_sets import score_sets

from surefoot.build.canonical import canonical_json
from surefoot.build.errors import InputError
from surefoot.build.job import specification
from surefoot.build.runner import run_job
from surefoot.configuration.validation import read_configuration, validate_configuration
from surefoot.pipeline.plan import analysed_study

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "config" / "config.yaml", ROOT / "config" / "overlays" / "metrics.yaml"]


def changed(*path, to):
    config = copy.deepcopy(read_configuration(FILES))
    place = config["studies"]["example_metrics"]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return config


def test_the_numbers_of_a_table(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "store"))
    config = validate_configuration(read_configuration(FILES), FILES, ROOT / "reports")
    section = config["studies"]["example_metrics"]["estimate"]
    section["analyses"] = {"aggregates": section["analyses"]["aggregates"] | {"replicates": 50}}
    for job in analysed_study("example_metrics", config["studies"]["example_metrics"], config):
        if job.stage != "draw":
            Path(job.spec).parent.mkdir(parents=True, exist_ok=True)
            Path(job.spec).write_text(canonical_json(specification(job)))
            run_job(Path(job.spec))
    runs = pd.read_csv(ROOT / "config" / "example_scores.csv")
    least, greatest = (runs.groupby("environment")["score"].transform(end) for end in ("min", "max"))
    runs["score"] = (runs["score"] - least) / (greatest - least)
    means = runs.groupby(["algorithm", "environment"])["score"].mean().unstack()
    ours = pd.read_csv("results/estimate/example_metrics/aggregates.csv")
    ours = ours[ours["method"] == "percentile"].set_index(["metric", "algorithm"])["value"]
    np.testing.assert_allclose(ours["mean"][means.index], means.mean(axis=1), rtol=1e-8)
    np.testing.assert_allclose(ours["median"][means.index], means.median(axis=1), rtol=1e-8)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            changed("normalize", "scores", "runs", to={"collected": "run"}),
            'normalize.scores.runs: "run" is not collected in this study. Hint: did you mean "runs"?',
        ),
        (
            changed("estimate", "analyses", "ranks", "scores", to=["run"]),
            'estimate.analyses.ranks: there are no scores "run". Hint: did you mean "runs"?',
        ),
        (
            changed("estimate", "analyses", "ranks", "kind", to="rank"),
            "'rank' is not allowed. Hint: allowed: aggregates",
        ),
        (changed("estimate", "analyses", "aggregates", "replicates", to=0), "replicates: 0 is too small"),
        (
            changed("normalize", "scores", "runs", "method", to="z"),
            "'z' is not allowed. Hint: allowed: none, reference",
        ),
    ],
)
def test_mistakes_are_one_sentence_with_a_hint(config, message):
    with pytest.raises(InputError) as caught:
        validate_configuration(config, FILES, ROOT / "reports")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"method": "ratio", "reference": "c"}, r'"c" is not known\. Hint: one of a, b'),
        ({"method": "reference_scores"}, r"no column zero and one\. Hint"),
        ({"method": "reference_scores", "reference_values": {"e": [1, 1], "f": [2, 2]}}, "e, f: a scale from 1 to 1"),
        ({"method": "none", "algorithms": ["d"]}, 'no runs of the algorithm "d"'),
        ({"method": "none", "fewest_runs": 3}, r"leaves no environment\. Hint: no environment has more than 2"),
    ],
)
def test_scores_that_have_no_scale_name_the_set(chosen, message):
    rows = [(a, e, run, 1.0 + run) for a in "ab" for e in "ef" for run in range(2)]
    runs = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    with pytest.raises(InputError, match=rf"normalize\.scores\.mine: .*{message}"):
        score_sets({"runs": runs}, {"mine": chosen})


def test_first_runs_and_reference_values():
    rows = [(a, e, run, 10.0 * run) for a in "ab" for e in "ef" for run in (2, 0, 1)]
    runs = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    chosen = {"method": "reference_scores", "reference_values": {"e": [0, 10], "f": [10, 30]}, "first_runs": 2}
    found = score_sets({"runs": runs}, {"mine": chosen}).set_index(["algorithm", "environment", "run"])["score"]
    assert len(found) == 8
    assert found["a", "e", 1] == 1
    assert found["b", "f", 0] == -0.5
