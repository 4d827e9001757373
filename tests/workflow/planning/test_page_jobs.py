"""How a page was made: what the plan knows of it, and what the page tells."""

import re
import subprocess
from urllib.parse import unquote

import pytest
import yaml
from support.paths import ROOT
from support.shipped_configuration import SHIPPED

from surefoot.reporting.page import FILE, provenance_markdown
from surefoot.validation import SUBJECTS
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.files import sha256_file
from surefoot.workflow.planning.page_jobs import deciding_configuration
from surefoot.workflow.planning.plan import plan


@pytest.fixture(scope="module")
def config():
    return validate_configuration(read_configuration(SHIPPED), SHIPPED)


@pytest.fixture
def jobs(config, monkeypatch):
    monkeypatch.chdir(ROOT)
    return plan(config)


def told(job):
    """What a page's job tells, with the hashes of its files."""
    files = {path: sha256_file(path) for name, path in job.inputs.items() if name.startswith(FILE)}
    return job.settings["provenance"] | {"files": files}


def held(text, name):
    """The text of a file that a page holds as a link."""
    return unquote(re.search(rf'<a download="{name}" href="data:text/plain;charset=utf-8,(.*?)">', text)[1])


def test_the_page_of_trust_names_its_records_and_quotes_no_study(monkeypatch):
    monkeypatch.chdir(ROOT)
    files = [*SHIPPED, ROOT / "config" / "trust.yaml"]
    planned = plan(validate_configuration(read_configuration(files), files))
    (job,) = (job for job in planned if (job.stage, job.study, job.part) == ("render", "trust", ""))
    text = provenance_markdown(told(job))
    listed = held(text, "SHA256SUMS")
    records = sorted((ROOT / "reports" / "records" / "trust").glob("*.csv"))
    for path in records:
        line = f"{sha256_file(path)}  reports/records/trust/{path.name}"
        assert (line in listed) == (path.stem in SUBJECTS)  # records of former studies stay, and are not shown
    assert "To make it again, run <code>snakemake results/render/trust.html</code> in the folder" in text
    assert "Seed" not in text and "yaml" not in text


def test_the_page_holds_the_whole_configuration_of_a_study(config, jobs, tmp_path):
    (job,) = (job for job in jobs if (job.stage, job.study, job.part) == ("render", "example", ""))
    text = provenance_markdown(told(job))
    quoted = yaml.safe_load(held(text, "study.yaml"))
    # Read as a file, it is the same study, and so the same jobs.
    again = validate_configuration(quoted, [])
    assert again.studies["example"] == config.studies["example"]
    assert "run <code>surefoot run example --configfile study.yaml</code> in the folder" in text


def test_how_work_is_divided_does_not_change_a_page(config):
    divided = config.studies["jordan2020"].plain()
    for source in divided["sources"].values():
        if source["kind"] == "trials":
            source |= {"block": 7, "batch": "cell"}
    for question in divided["questions"].values():
        if question["kind"] == "coverage":
            question |= {"block": 7, "batch": "block"}
    again = validate_configuration({"studies": {"jordan2020": divided}}, []).studies["jordan2020"]
    assert again != config.studies["jordan2020"]
    assert deciding_configuration(again) == deciding_configuration(config.studies["jordan2020"])


def test_source_files_are_listed_with_right_hashes(jobs, tmp_path):
    (job,) = (job for job in jobs if (job.stage, job.study, job.part) == ("render", "jordan2020", ""))
    listed = held(provenance_markdown(told(job)), "SHA256SUMS")
    assert "config/published/jordan2020.csv" in listed and "results/" not in listed
    done = subprocess.run(["sha256sum", "--check", "--quiet"], input=listed, text=True, check=False)
    assert done.returncode == 0


def test_a_published_site_has_previews_of_its_figures(config, jobs):
    assert not [job for job in jobs if job.rule == "previews" or "address" in job.settings]
    planned = plan(config.model_copy(update={"address": "https://example.org/surefoot"}))
    (previews,) = (job for job in planned if job.rule == "previews")
    assert previews.outputs["jordan2020_figure_5.png"] == "results/render/figures/jordan2020_figure_5.png"
    drawn = {path for job in jobs for path in job.outputs.values() if path.endswith(".svg")}
    pages = {path for job in planned if job.rule == "render" for path in job.outputs.values()}
    read = set(previews.inputs.values())
    assert pages < read and read - pages <= drawn
    assert {name.partition(".")[0] for name in previews.outputs} == previews.inputs.keys() - {*map(path_name, pages)}


def path_name(path):
    return path.rpartition("/")[2]
