"""The README's numbers are those of the records: what is reproduced, and why it can be trusted."""

import re
from pathlib import Path

import pandas as pd
import pytest

from surefoot.build.own_modules import named_function
from surefoot.configuration.places import read_configuration
from surefoot.configuration.validation import validate_configuration
from surefoot.pipeline.plan import plan
from surefoot.statistics.reproduction.verdicts import VERDICTS, verdict_counts

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
RECORDS = ROOT / "reports" / "records"
SHIPPED = [ROOT / "config" / "config.yaml", *sorted((ROOT / "config" / "studies").glob("*.yaml"))]


def judged(study: str) -> dict[str, int]:
    """How many printed numbers of a study have each verdict: in its record, else in what is compared without runs."""
    config = validate_configuration(read_configuration(SHIPPED), SHIPPED, ROOT / "reports")
    jobs = [job for job in plan(config) if (job.stage, job.study) == ("compare", study)]
    job = min(jobs, key=lambda job: job.part != "record")
    kept = {name: Path(path) for name, path in job.inputs.items() if not path.startswith("results/")}
    tables = {name: pd.read_csv(path, low_memory=False) for name, path in kept.items() if path.suffix == ".csv"}
    (work,) = job.settings["comparisons"].values()
    return verdict_counts(named_function(work)(tables, job.settings)["verdict"])


@pytest.mark.parametrize("study", ["jordan2020", "agarwal2021", "recht2018", "castronovo2016"])
def test_the_counts_of_the_verdicts_are_those_of_the_records(study, monkeypatch):
    monkeypatch.chdir(ROOT)
    (row,) = re.findall(rf"^\| `{study}` \|.*?\| ([\d |]+) \|$", README, re.MULTILINE)
    total, *counts = map(int, row.split(" | "))
    found = judged(study)
    assert counts == [found[verdict] for verdict in VERDICTS] and total == sum(counts)
