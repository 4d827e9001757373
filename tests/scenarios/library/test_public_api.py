"""The public functions with their arguments and the columns of their results are those of a snapshot.

A change of it needs an entry in CHANGELOG.md, from which users learn of it: the snapshot ends with a checksum of the
changelog at its last change, and is not renewed while that is still the same.
"""

import hashlib
import inspect

import pandas as pd
from support.asked_questions import CURVES, asked, runs_of
from support.paths import ROOT
from support.snapshots import FOLDER, assert_as_kept
from support.study_answers import accepted

import surefoot
from surefoot.questions._framework.question_registry import questions

SHARED = {"seed": 7, "n_resamples": 40}
SNAPSHOT = "public_api.txt"
CHECKSUM = "\nCHANGELOG.md when this was last changed: "
RETURN_NO_TABLE = {"minimum_detectable_difference", "report", "rollouts_sample_size"}
NEED_FILES = {"published_scores"}
"""Functions that need published files, and whose columns tests/cli/test_report_against.py tests."""


def written(parameter: inspect.Parameter) -> str:
    """An argument with its default, without its type."""
    return str(parameter.replace(annotation=inspect.Parameter.empty))


def tables_of(name, read):
    """The tables that a function returns, by name, given the runs that `read_runs` returned."""
    function = getattr(surefoot, name)
    if name in questions():
        return function(runs_of(name), **asked(name), **accepted(name, SHARED)).tables()
    if name in RETURN_NO_TABLE | NEED_FILES:
        return {}
    returned = read if name == "read_runs" else function(read)
    assert isinstance(returned, pd.DataFrame)
    return {"": returned}


def test_the_public_functions_are_those_of_the_snapshot(tmp_path):
    path = tmp_path / "runs.csv"
    CURVES.to_csv(path, index=False)
    read = surefoot.read_runs(path)
    lines = [f"surefoot {surefoot.__version__}"]
    for name in surefoot.__all__:
        parameters = inspect.signature(getattr(surefoot, name)).parameters.values()
        lines += ["", name, *(f"    {written(each)}" for each in parameters)]
        for key, table in tables_of(name, read).items():
            lines += [f"  {key or 'table'}", *(f"    {column}" for column in table.columns)]
    found = "\n".join(lines) + "\n"

    kept, _, checksum = (FOLDER / SNAPSHOT).read_text(encoding="utf-8").rpartition(CHECKSUM)
    now = hashlib.sha256((ROOT / "CHANGELOG.md").read_bytes()).hexdigest()[:16]
    if found != kept and now != checksum.strip():
        assert_as_kept(SNAPSHOT, f"{found}{CHECKSUM}{now}\n")
    else:
        assert found == kept, "the public API has changed: say so in CHANGELOG.md, then renew the snapshot"
