"""Studies of published and of score tables: their plan with and without runs, and their jobs from end to end."""

import functools
import http.server
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.one_study import make
from support.paths import ROOT, SHARED
from support.published_files import TABLE, configuration

from surefoot.errors import InputError
from surefoot.runs.published.published_source import sources_of
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.planning.plan import study_jobs

pytestmark = pytest.mark.usefixtures("own_folder")


def test_errors_name_the_key():
    with pytest.raises(InputError, match=r'published\.folder: no folder "nowhere"'):
        configuration(folder="nowhere")
    with pytest.raises(
        InputError, match="has neither a published table of these studies nor all files of one"
    ) as caught:
        configuration(folder=".")
    assert caught.value.hint == (f"add {TABLE}, ale200m/final_scores as CSV or Parquet, or the files of the source")
    found = r'machado2018\.tables: there is no published table "recht2018/machado".*did you mean "recht2018/machado2018'
    with pytest.raises(InputError, match=found):
        configuration({"machado2018": {"kind": "published", "tables": ["recht2018/machado"]}})
    with pytest.raises(InputError, match=r'scales\.ale200m: there is no source "ale200m" in this study'):
        configuration({"ale200m": None})
    with pytest.raises(InputError, match=r"sources\.ale200m\.file: unknown key"):
        configuration({"ale200m": {"kind": "published", "tables": [TABLE], "file": "a.csv"}})
    with pytest.raises(
        InputError, match=r"sources\.ale200m\.collected: unknown key"
    ):  # as the field is called in Python
        configuration({"ale200m": {"kind": "published", "collected": [TABLE]}})


def test_downloaded_tables_give_the_published_counts(published_data):
    """From a local server, through collect, normalize and estimate; the second time from the store."""
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def translate_path(self, path):
            asked.append(path)
            owner, repository, _, rest = path.lstrip("/").split("/", 3)
            return str(published_data / "upstream" / owner / repository / rest)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        address = f"http://127.0.0.1:{server.server_port}"
        config = configuration(download=True, address=address)
        jobs = [
            job
            for job in study_jobs("recht2018", config)
            if job.part == "figure_r1" or job.part.startswith("machado2018")
        ]
        make(jobs)
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
    made = {path: path.read_bytes() for path in Path("results").rglob("*.*")}
    for path in made:
        path.unlink()
    make(jobs)
    assert {path: path.read_bytes() for path in made} == made


EXAMPLE = [ROOT / "config" / "config.yaml", ROOT / "config" / "studies" / "example.yaml"]


def test_the_numbers_of_a_table():
    given = read_configuration(EXAMPLE)
    study = given["studies"]["example"]
    study["questions"] = {
        "aggregate_metrics": {"metrics": ["median", "mean"], "methods": ["percentile"], "n_resamples": 50}
    }
    study["sources"]["runs"]["file"] = str(ROOT / study["sources"]["runs"]["file"])
    make(study_jobs("example", validate_configuration(given, EXAMPLE)))
    runs = pd.read_csv(ROOT / "config" / "example_scores.csv")
    least, greatest = (runs.groupby("environment")["score"].transform(end) for end in ("min", "max"))
    runs["score"] = (runs["score"] - least) / (greatest - least)
    means = runs.groupby(["algorithm", "environment"])["score"].mean().unstack()
    ours = pd.read_csv("results/estimate/example/aggregate_metrics.csv")
    ours = ours[ours["method"] == "percentile"].set_index(["metric", "algorithm"])["estimate"]
    np.testing.assert_allclose(ours["mean"][means.index], means.mean(axis=1), rtol=1e-8)
    np.testing.assert_allclose(ours["median"][means.index], means.median(axis=1), rtol=1e-8)
