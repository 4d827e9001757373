"""The package as it is imported: light, typed, with its compiled kernels kept."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from support.paths import ROOT

import surefoot
from surefoot.errors import HintedError

README = ROOT / "README.md"


def imported_after(code):
    """Modules of this package and packages beside the standard library that a new process has after some code."""
    path = os.environ | {"PYTHONPATH": str(Path(surefoot.__file__).parents[1])}
    shown = """
own = {name for name in sys.modules if name.startswith("surefoot")}
print(*own, *{name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - before - {"surefoot"})
"""
    whole = f"import sys\nbefore = {{name.split('.')[0] for name in sys.modules}}\n{code}\n{shown}"
    return set(subprocess.check_output([sys.executable, "-c", whole], text=True, env=path).split())


def test_importing_surefoot_imports_nothing_that_computes():
    assert imported_after("import surefoot; surefoot.__version__; dir(surefoot)") == {"surefoot", "lazy_loader"}


def test_public_functions_come_without_what_computes_and_draws():
    heavy = {"numba", "scipy", "altair", "snakemake", "vl_convert"}
    assert not imported_after("import surefoot; surefoot.performance_profiles; help") & heavy
    assert not imported_after("from surefoot import *; performance_profiles") & heavy
    planning = "from surefoot.questions._framework.question_registry import questions; questions()"
    assert not imported_after(planning) & heavy


def test_the_stub_lists_what_there_is():
    everything: dict[str, object] = {}
    exec("from surefoot import *", everything)
    assert set(surefoot.__all__) == everything.keys() - {"__builtins__"}
    stub = ast.parse(Path(surefoot.__file__).with_suffix(".pyi").read_text())
    listed = next(node.value for node in stub.body if isinstance(node, ast.Assign))
    assert sorted(surefoot.__all__) == ast.literal_eval(listed)
    assert Path(surefoot.__file__).with_name("py.typed").is_file(), "type checkers read the stub"
    assert all(callable(everything[name]) and everything[name].__doc__ for name in surefoot.__all__)
    with pytest.raises(AttributeError, match="agregate"):
        surefoot.agregate  # noqa: B018


NOT_RUNS = {
    "none": None,
    "a number": 3,
    "a text": "runs",
    "a function": len,
    "an empty dict": {},
    "an empty list": [],
    "an array of four axes": np.zeros((2, 2, 2, 2)),
    "a dict of such arrays": {"a": np.zeros((2, 2, 2, 2)), "b": np.zeros((2, 2, 2, 2))},
    "a dict of nothing": {"a": None, "b": None},
    "a dict of texts": {"a": "x", "b": "y"},
    "a dict of no runs": {"a": np.zeros((0, 3)), "b": np.zeros((0, 3))},
    "a dict of dicts of dicts": {"a": {"b": {"c": {}}}},
    "a table of something else": pd.DataFrame({"name": ["x", "y"]}),
    "a table without rows": pd.DataFrame(columns=["algorithm", "environment", "run", "step", "score"]),
    "a table of lists": pd.DataFrame(
        {"algorithm": [["a"], ["b"]], "environment": ["x", "x"], "run": [0, 1], "step": [0, 1], "score": [0.0, 1.0]}
    ),
    "a table of texts": pd.DataFrame(
        {"algorithm": ["a", "b"], "environment": ["x", "x"], "run": [0, 1], "step": ["p", "q"], "score": ["r", "s"]}
    ),
    "a table with missing names": pd.DataFrame(
        {"algorithm": [None, "b"], "environment": ["x", "x"], "run": [0, 1], "step": [0, 1], "score": [0.0, 1.0]}
    ),
    "a table with two columns of scores": pd.DataFrame(
        [["a", "x", 0, 0, 1.0, 2.0]], columns=["algorithm", "environment", "run", "step", "score", "score"]
    ),
}
REQUIRED = {
    "interval_coverage": {"metrics": "mean", "sizes": 2, "datasets": 2, "replacement": True, "methods": "basic"},
    "false_alarm_rates": {"algorithms": ["a", "b"]},
    "performance_profiles": {"thresholds": [0.5]},
    "rollouts_sample_size": {"difference": 0.1},
    "sequential_comparison": {"algorithms": ["a", "b"]},
    "steps_to_threshold": {"threshold": 1.0},
    "subsample_metrics": {"metrics": "mean", "sizes": 2, "datasets": 2},
    "time_profiles": {"thresholds": [2.0]},
}


TAKE_A_NUMBER = ("minimum_detectable_difference", "rollouts_sample_size")


@pytest.mark.parametrize("name", surefoot.__all__)
def test_what_is_no_runs_is_refused_in_a_sentence_and_a_hint(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function, given = getattr(surefoot, name), REQUIRED.get(name, {})
    takes_any_columns = {"time_profiles": "a table of something else"}
    for called, runs in NOT_RUNS.items():
        if (name in TAKE_A_NUMBER and called == "a number") or takes_any_columns.get(name) == called:
            continue
        with pytest.raises(HintedError) as refused:
            function(runs, **given)
        assert refused.value.hint, called
    assert not list(tmp_path.iterdir())


def test_mypy_checks_a_call_in_a_users_script(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import surefoot\n\nscores = {'a': [[1.0, 2.0], [2.0, 3.0]]}\n"
        "surefoot.performance_profiles(scores, thresholds=[0.5], n_resamples=10).table()\n"
        "surefoot.performance_profiles(scores, thresholds=[0.5], n_resamples='many')\n"
        "surefoot.rank_probabilities(scores, seeds=1)\nsurefoot.aggregate_metrics(scores).tables_of()\n"
    )
    # With the settings and the cache of the project's own check, which CI runs afterwards.
    command = [sys.executable, "-m", "mypy", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=README.parent, check=False)
    lines = re.findall(r"script\.py:(\d): error: .*\[([\w-]+)\]", done.stdout)
    assert lines == [("5", "arg-type"), ("6", "call-arg"), ("7", "attr-defined")], done.stdout


def test_the_citation_is_of_this_version():
    cited = yaml.safe_load((README.parent / "CITATION.cff").read_text())
    assert cited["version"] == surefoot.__version__ and cited["cff-version"] == "1.2.0"
    assert f"note = {{Version {surefoot.__version__}}}" in (README.parent / "docs/about.md").read_text()
    assert cited["license"] == tomllib.loads((README.parent / "pyproject.toml").read_text())["project"]["license"]
