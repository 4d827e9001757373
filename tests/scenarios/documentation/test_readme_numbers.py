"""The README's numbers are those of the records: what is reproduced, and why it can be trusted."""

import re
from pathlib import Path

import pandas as pd
import pytest
from support.paths import ROOT
from support.shipped_configuration import SHIPPED

from surefoot.charts import study_tables
from surefoot.charts.draw import pictures
from surefoot.charts.trust import misses, pooled_misses
from surefoot.runs.result_tables import read_tables
from surefoot.statistics.reproduction.verdicts import TOO_FEW, VERDICTS, contradictions, verdict_counts
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.planning.plan import plan

README = (ROOT / "README.md").read_text()
PLAIN = " ".join(README.split())
WHY_NOT = (ROOT / "benchmarks" / "why_not.txt").read_text()
METHODS = ("percentile", "student")
RECORDS = ROOT / "reports" / "records"


def compared(study: str) -> pd.DataFrame:
    """The comparison of a study's printed numbers with its record, else with what is computed without runs."""
    config = validate_configuration(read_configuration(SHIPPED), SHIPPED)
    jobs = [job for job in plan(config) if (job.stage, job.study) == ("compare", study)]
    job = min(jobs, key=lambda job: job.part != "record")
    record = ROOT / "reports" / "records" / study
    kept = {
        name: record / f"{Path(path).stem}.csv" if path.startswith("results/") else Path(path)
        for name, path in job.inputs.items()
    }
    return study_tables.compared(job.settings, kept)


@pytest.mark.parametrize("study", ["jordan2020", "agarwal2021", "recht2018", "castronovo2016", "adkins2024"])
def test_the_counts_of_the_verdicts_are_those_of_the_records(study, monkeypatch):
    monkeypatch.chdir(ROOT)
    (row,) = re.findall(rf"^\| `{study}` \|.*?\| ([\d, |]+) \|$", README, re.MULTILINE)
    printed, judged, *counts = (int(cell.replace(",", "")) for cell in row.split(" | "))
    found = compared(study)
    published = read_tables({"published": ROOT / "config" / "published" / f"{study}.csv"})["published"]
    assert printed == len(set(published["item"]) | set(found["item"]))
    assert (judged, sum(counts)) == (len(found), len(found))
    verdicts = verdict_counts(found["verdict"])
    assert counts == [verdicts[verdict] for verdict in VERDICTS]


def test_contradicted_claims_are_those_of_the_records(monkeypatch):
    monkeypatch.chdir(ROOT)
    found = {study: compared(study) for study in ("jordan2020", "agarwal2021", "castronovo2016")}
    for study, table in found.items():
        (told,) = re.findall(rf"(\d+ of \d+ claims) of `{study}`", PLAIN)
        assert contradictions(table).startswith(told)
    other = found["jordan2020"][found["jordan2020"]["verdict"] == "contradicted"]
    sentence = r"(\d+) of these claims say that Sarsa-Parl2 or Q-Parl2 is better .* smallest number of trials, (\d+)\."
    (by_pbp, fewest) = re.findall(sentence, PLAIN)[0]
    separated = other[other["item"].str.startswith("claim/separated/pbp/")]
    assert (len(separated), separated["runs"].min()) == (int(by_pbp), int(fewest))
    assert other["reason"].str.startswith(TOO_FEW).all() and "claim/higher_score/sarsa_parl2/q_parl2" in set(
        other["item"]
    )


def test_the_caption_of_the_picture_is_what_the_record_says():
    record = pd.read_csv(RECORDS / "trust" / "drawn_kinds.csv")
    table = pooled_misses(record.query("target == 'iqm'"))
    table = table.set_index(["method", "runs"]).loc[[*METHODS]]
    rates = [f"{100 * table.loc[method, runs]['failure_rate']:.0f}" for runs in (3, 10) for method in METHODS]
    caption = PLAIN[PLAIN.index("*With 3 runs") : PLAIN.index("## Your own runs")]
    assert re.findall(r"(\d+) %", caption) == ["95", *rates]
    picture, _ = pictures(misses(record).to_dict(validate=False), "misses")
    assert (ROOT / "reports" / "images" / "misses.svg").read_text().strip() == picture.strip()


def test_the_ratios_of_time_are_those_of_the_page_on_speed():
    table = (ROOT / "docs" / "speed.md").read_text().split("| CPU seconds |")[1].split("\n\n")[0]
    ratios = [int(row.split("|")[-2].replace(",", "")) for row in table.splitlines()[2:]]
    (least, most) = re.findall(r"\[(\d+) to ([\d,]+) times faster\]", PLAIN)[0]
    assert (int(least), int(most.replace(",", ""))) == (min(ratios), max(ratios))


def test_what_the_usual_tools_miss_is_what_their_runs_said():
    lines = re.findall(r"^ +(.*) misses the truth (?:in|at) ([\d.]+) %", WHY_NOT, re.MULTILINE)
    tools = [float(share) for name, share in lines if not name.startswith(("surefoot", "Student"))]
    (least, most) = re.findall(r"miss the truth in (\d+) to (\d+) % of cases", PLAIN)[0]
    assert (int(least), int(most)) == (int(min(tools)), int(max(tools)))
