"""The section on how to add a paper, followed literally."""

from support.extending_page import follow, run

PROGRAM = """
from pathlib import Path

import pandas as pd
from support.one_study import make, told

from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.planning.plan import plan

files = [Path("config/config.yaml"), Path("config/trust.yaml"), *sorted(Path("config/studies").glob("*.yaml"))]
config = validate_configuration(read_configuration(files), files)
print(", ".join(config.studies))
jobs = [job for job in plan(config) if job.study == "smith2024"]
(page,) = (job for job in jobs if job.stage == "render")
assert page.outputs["page"] == "results/render/smith2024.html"
assert ("What a small table says", "smith2024.html") in dict(page.settings["navigation"])["Papers"]
made = make(jobs)
html = Path(page.outputs["page"]).read_text()
assert 'id="sec-reproduction"' in html and all(text in html for text in ("iqm/sarsa", "iqm/q_parl2", "differs"))
assert made["comparison"] == Path("results/compare/smith2024/run.parquet")
verdicts = pd.read_parquet(made["comparison"]).set_index("item")["verdict"]
print(verdicts.to_dict())
(home,) = (job for job in plan(config) if job.study == "home" and "ledger.csv" in job.outputs)
print("draw/smith2024/table_reproduction" in home.inputs)
print([known["label"] for known in told([home], "studies", "home") if known["study"] == "smith2024"])
"""


def test_a_paper_is_its_folder_its_study_and_its_numbers(tmp_path):
    assert follow("A paper", tmp_path) == [
        "config/studies/smith2024.yaml",
        "config/published/smith2024.csv",
        "src/surefoot/papers/smith2024/catalogue.py",
        "src/surefoot/papers/smith2024/compare.py",
    ]
    studies, verdicts, home, cards = run(tmp_path, PROGRAM).splitlines()
    assert studies == "jordan2020, agarwal2021, recht2018, castronovo2016, adkins2024, example, smith2024"
    assert verdicts == "{'iqm/sarsa': 'reproduced', 'iqm/q_parl2': 'differs'}"
    assert home == "True"
    assert cards == "['What a small table says']"
