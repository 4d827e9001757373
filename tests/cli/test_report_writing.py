"""The study that a report writes."""

import pandas as pd
import yaml
from support.paths import SWEEP

from surefoot.cli.report_choices import Choices
from surefoot.cli.report_writing import write_study

NAMES = ["optimizer.lr", "agent.entropy"]


def test_a_report_of_a_sweep_asks_how_much_is_tuning(tmp_path):
    assert write_study(SWEEP, tmp_path, Choices(), hyperparameters=NAMES) == ["hydra_sweep"]
    study = yaml.safe_load((tmp_path / "study.yaml").read_text())["studies"]["hydra_sweep"]
    assert {"hyperparameter_sensitivity", "effective_dimension", "hyperparameter_selection"} == set(study["questions"])
    assert study["scales"]["runs"]["hyperparameters"] == study["sources"]["runs"]["hyperparameters"] == NAMES
    scores = pd.read_parquet(tmp_path / study["sources"]["runs"]["file"])
    assert set(scores) == {"algorithm", "environment", "run", "score", *NAMES} and len(scores) == 16
