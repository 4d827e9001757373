"""Jobs that draw: from the record, from a download, and from both."""

from pathlib import Path

import pandas as pd
import pytest
from support.one_study import drawings_of, told, write_runs
from support.published_files import TABLE, configuration

from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.planning.drawing_jobs import study_drawings
from surefoot.workflow.planning.plan import plan, study_jobs

pytestmark = pytest.mark.usefixtures("own_folder")


def jobs_and_drawings(config):
    """Without the pages, which need a study of runs."""
    jobs = study_jobs("recht2018", config)
    return [*jobs, *study_drawings("recht2018", config.studies["recht2018"], jobs)]


def test_without_runs_one_job_draws_figures_from_the_record():
    compared, job = jobs_and_drawings(configuration())
    assert (compared.stage, job.stage) == ("compare", "draw")
    assert all("/records/" in path or "/published/" in path for path in compared.inputs.values())
    assert not [path for path in job.inputs.values() if path.startswith("results/") and "/compare/" not in path]
    taken = {Path(path).stem for path in job.inputs.values() if "records/" in path}
    rows = told([job], "analyses", "recht2018")
    assert [name for name, *_ in rows] == sorted(taken) and all(day for _, day, *_ in rows)
    days = {drawing["recorded"] for drawing in drawings_of(job) if drawing["kind"] == "figure"}
    assert days == {day for _, day, *_ in rows}


def test_with_a_download_each_figure_needs_its_own_files():
    jobs = jobs_and_drawings(configuration(download=True))
    made = {path: job for job in jobs for path in job.outputs.values()}

    def asked(path):
        job = made[path]
        return (
            {job.part.partition(".")[0]}
            if job.stage == "collect"
            else set().union(*(asked(p) for p in job.inputs.values() if p in made))
        )

    assert asked("results/draw/recht2018/figure_r1.svg") == {"machado2018"}
    assert asked("results/draw/recht2018/figure_runs.svg") == {"ale200m"}
    assert asked("results/draw/recht2018/table_curves.csv") == {"machado2018"}
    drawings = [drawing for job in jobs if job.stage == "draw" for drawing in drawings_of(job)]
    assert not any("recorded" in drawing for drawing in drawings)


def test_a_folder_that_holds_a_part_is_completed_by_the_record(tmp_path, published_data):
    folder = tmp_path / "local"
    (folder / TABLE).parent.mkdir(parents=True)
    (folder / f"{TABLE}.csv").write_bytes((published_data / f"{TABLE}.csv").read_bytes())
    jobs = jobs_and_drawings(configuration(folder=str(folder)))
    assert [job.part for job in jobs if job.stage == "collect"] == ["machado2018.recht2018_machado2018_means_stds"]
    assert [name for name, day, *_ in told(jobs, "analyses", "recht2018") if day] == ["figure_runs"]


def test_drawings_know_the_algorithms_of_all_own_and_other_runs(tmp_path):
    runs = pd.DataFrame([(name, task, 0, 1.0) for name in "ab" for task in "xy"])
    path = write_runs(
        tmp_path / "runs.csv", runs.set_axis(["algorithm", "environment", "run", "score"], axis="columns")
    )
    source = {"kind": "score_table", "file": str(path)}
    studies = {
        "one": {"title": "One", "sources": {"runs": source, "more": source}},
        "two": {"title": "Two", "sources": {"runs": {"kind": "study", "study": "one"}, "own": source}},
    }
    jobs = plan(validate_configuration({"studies": studies}, []))
    named = {
        (job.study, *(job.inputs[name] for name in job.settings["algorithms"]))
        for job in jobs
        if job.stage == "draw" and job.study in studies
    }
    assert named == {
        ("one", "results/collect/one/runs.parquet", "results/collect/one/more.parquet"),
        ("two", "results/collect/one/runs.parquet", "results/collect/two/own.parquet"),
    }
