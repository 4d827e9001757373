"""A user's score table by metrics and profiles: from the file to the numbers, and the mistakes of its configuration."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from studying import make

from surefoot.build.errors import InputError
from surefoot.configuration.places import read_configuration
from surefoot.configuration.validation import validate_configuration
from surefoot.pipeline.plan import study_jobs
from surefoot.scales.scaling import scaled
from surefoot.scales.settings import SCALES

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "config" / "config.yaml", ROOT / "config" / "studies" / "example.yaml"]


def test_the_numbers_of_a_table(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "store"))
    given = read_configuration(FILES)
    study = given["studies"]["example"]
    study["questions"] = {"aggregates": study["questions"]["aggregates"] | {"replicates": 50}}
    study["sources"]["runs"]["file"] = str(ROOT / study["sources"]["runs"]["file"])
    make(study_jobs("example", validate_configuration(given, FILES)))
    runs = pd.read_csv(ROOT / "config" / "example_scores.csv")
    least, greatest = (runs.groupby("environment")["score"].transform(end) for end in ("min", "max"))
    runs["score"] = (runs["score"] - least) / (greatest - least)
    means = runs.groupby(["algorithm", "environment"])["score"].mean().unstack()
    ours = pd.read_csv("results/estimate/example/aggregates.csv")
    ours = ours[ours["method"] == "percentile"].set_index(["metric", "algorithm"])["value"]
    np.testing.assert_allclose(ours["mean"][means.index], means.mean(axis=1), rtol=1e-8)
    np.testing.assert_allclose(ours["median"][means.index], means.median(axis=1), rtol=1e-8)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"kind": "ratio", "reference": "c"}, r'"c" is not known\. Hint: one of a, b'),
        ({"kind": "none", "algorithms": ["d"]}, 'no runs of the algorithm "d"'),
        ({"kind": "none", "fewest_runs": 3}, r"leaves no environment\. Hint: no environment has more than 2"),
    ],
)
def test_scores_that_cannot_be_scaled_name_the_scale(chosen, message):
    rows = [(a, e, run, 1.0 + run) for a in "ab" for e in "ef" for run in range(2)]
    runs = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    with pytest.raises(InputError, match=rf"scales\.mine.*: .*{message}"):
        scaled({"runs": runs}, {"mine": SCALES.complete()[chosen["kind"]].model_validate(chosen)})
