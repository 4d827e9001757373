"""Studies of named sets of scores: their plan with and without runs, and their jobs from end to end."""

import functools
import http.server
import json
import threading
from pathlib import Path

import pandas as pd
import pytest

from surefoot.build.canonical import canonical_json
from surefoot.build.errors import InputError
from surefoot.build.job import specification
from surefoot.build.runner import run_job
from surefoot.configuration.validation import read_configuration, validate_configuration
from surefoot.pipeline.plan import plan
from surefoot.sources.published.sources import sources_of

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
FILES = [ROOT / "config" / "config.yaml", ROOT / "config" / "studies" / "recht2018.yaml"]
TABLE = "recht2018/machado2018_means_stds"


@pytest.fixture
def upstream():
    folder = SHARED / "data" / "agarwal2021" / "upstream"
    if not folder.is_dir():
        pytest.skip(f"the public files are not here: {folder}")
    return folder


def configuration(monkeypatch, tmp_path, **collect):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "store"))
    config = read_configuration(FILES)
    config["studies"]["recht2018"]["collect"] |= collect
    return validate_configuration(config, FILES, ROOT / "reports")


def study_jobs(config):
    """Without the pages, which need a study of runs."""
    from surefoot.pipeline.plan import analysed_study

    return analysed_study("recht2018", config["studies"]["recht2018"], config)


def run(job):
    path = Path(job.spec)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(canonical_json(specification(job)))
    run_job(path)


def test_without_runs_all_figures_are_drawn_from_the_record_in_one_job(monkeypatch, tmp_path):
    compared, job = study_jobs(configuration(monkeypatch, tmp_path))
    assert (compared.stage, job.stage) == ("compare", "draw")
    assert all("records" in path for key, path in compared.inputs.items() if key.startswith("numbers/"))
    assert set(job.settings["recorded"]) == {key.partition("/")[2] for key in job.inputs if key.startswith("numbers/")}
    assert job.settings["at_hand"] == sorted(job.settings["recorded"])
    assert all("records" in path for key, path in job.inputs.items() if key.startswith("numbers/"))


def test_with_a_download_each_figure_asks_for_its_own_files_alone(monkeypatch, tmp_path):
    jobs = study_jobs(configuration(monkeypatch, tmp_path, download=True))
    made = {path: job for job in jobs for path in job.outputs.values()}

    def asked(path):
        job = made[path]
        return (
            {job.part} if job.stage == "collect" else set().union(*(asked(p) for p in job.inputs.values() if p in made))
        )

    assert asked("results/draw/recht2018/figure_r1.svg") == {"machado2018"}
    assert asked("results/draw/recht2018/figure_runs.svg") == {"ale200m"}
    assert asked("results/draw/recht2018/verdict.csv") == {"machado2018", "ale200m"}
    assert not any(job.settings.get("recorded") for job in jobs)


def test_a_folder_that_holds_a_part_is_completed_by_the_record(monkeypatch, tmp_path, upstream):
    folder = tmp_path / "local"
    (folder / TABLE).parent.mkdir(parents=True)
    (folder / f"{TABLE}.csv").write_bytes((upstream.parent / f"{TABLE}.csv").read_bytes())
    jobs = study_jobs(configuration(monkeypatch, tmp_path, folder=str(folder)))
    assert [job.part for job in jobs if job.stage == "collect"] == ["machado2018"]
    assert all(job.settings["recorded"] == ["figure_runs"] for job in jobs if job.stage == "draw")


def test_errors_name_the_key(monkeypatch, tmp_path):
    with pytest.raises(InputError, match=r'collect\.folder: no folder "nowhere"'):
        configuration(monkeypatch, tmp_path, folder="nowhere")
    with pytest.raises(InputError, match="holds none of the published tables of this study"):
        configuration(monkeypatch, tmp_path, folder=".")
    with pytest.raises(
        InputError, match=r'no published table "recht2018/machado".*did you mean "recht2018/machado2018'
    ):
        configuration(monkeypatch, tmp_path, published={"machado2018": ["recht2018/machado"]})
    with pytest.raises(InputError, match='"ale200m" is not collected in this study'):
        configuration(monkeypatch, tmp_path, published={"machado2018": [TABLE]})
    with pytest.raises(InputError, match=r"collect\.file and collect\.published are given"):
        configuration(monkeypatch, tmp_path, file="scores.csv")


def test_downloaded_tables_give_the_published_counts(monkeypatch, tmp_path, upstream):
    """From a local server, through collect, normalize and estimate; the second time from the store."""
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def translate_path(self, path):
            asked.append(path)
            owner, repository, _, rest = path.lstrip("/").split("/", 3)
            return str(upstream / owner / repository / rest)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        address = f"http://127.0.0.1:{server.server_port}"
        config = configuration(monkeypatch, tmp_path, download=True, address=address)
        jobs = [job for job in study_jobs(config) if job.part == "machado2018"]
        for job in jobs:
            run(job)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert len(asked) == len(sources_of(TABLE))
    golden = pd.read_csv(SHARED / "golden" / "recht2018_profiles.csv")
    golden = golden[golden["figure"] == "Blob-PROST 200M vs DQN 200M"]
    ours = pd.read_csv("results/estimate/recht2018/figure_r1.csv")
    keys = ["degrees_of_freedom", "method", "threshold"]
    golden = golden.rename(columns={"minus_log10_tau": "threshold"}).sort_values(keys)
    assert ours.sort_values(keys)["count"].tolist() == golden["count_of_60"].tolist()
    for path in Path("results").rglob("*.parquet"):
        path.unlink()
    for job in jobs:
        run(job)
    manifest = json.loads(Path(jobs[0].manifest).read_text())
    assert manifest["outputs"]


def test_the_plan_holds_the_study_beside_others(monkeypatch):
    monkeypatch.chdir(ROOT)
    files = [FILES[0], *sorted((ROOT / "config" / "studies").glob("*.yaml"))]
    config = validate_configuration(read_configuration(files), files, ROOT / "reports")
    jobs = plan(config)
    assert "results/render/recht2018.html" in {path for job in jobs for path in job.outputs.values()}
