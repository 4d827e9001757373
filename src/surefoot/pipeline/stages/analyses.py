"""The part of the stages estimate and cover that makes the numbers of figures, each kept apart in the store."""

from importlib import import_module
from pathlib import Path

import pandas as pd

from surefoot.pipeline.canonical import sha256_file
from surefoot.pipeline.errors import InputError, what_and_hint
from surefoot.pipeline.fingerprint import fingerprint
from surefoot.pipeline.job import Task
from surefoot.pipeline.jobs import versions
from surefoot.pipeline.log import logger

DIGITS = "%.10g"


def run_analyses(task: Task, stage: str) -> None:
    """Write the numbers of each analysis of the job."""
    scores = pd.read_parquet(task.inputs["scores"])
    hashes = {"scores": sha256_file(task.inputs["scores"])}
    sets = {name: rows.drop(columns="scores").dropna(axis=1, how="all") for name, rows in scores.groupby("scores")}
    shared = {name: task.settings[name] for name in ("seed", "confidence", "replicates")}
    analyses = task.settings["analyses"]
    for number, (name, analysis) in enumerate(analyses.items(), 1):
        module = task.settings["modules"][analysis["kind"]]
        options = shared | {key: value for key, value in analysis.items() if key not in ("kind", "scores")}
        decisive = {"kind": analysis["kind"], "sets": analysis["scores"], "options": options}
        decisive |= {"code": {name: fingerprint(name) for name in (module, __name__)}, "versions": versions(stage)}

        def compute(path: Path, number=number, name=name, analysis=analysis, module=module, options=options) -> None:
            logger.info(f"{stage} {name}: analysis {number} of {len(analyses)}", extra={"progress": True})
            function = getattr(import_module(module), analysis["kind"])
            chosen = {key: sets[key].reset_index(drop=True) for key in analysis["scores"]}
            try:
                table = function(chosen, options | {"threads": task.threads})
            except (ValueError, KeyError) as error:
                what, hint = what_and_hint(error)
                asked_in = task.settings["asked_in"]
                where = asked_in if asked_in == "how_many_runs" else f"{asked_in}.{name}"
                raise InputError(where, what, hint or "see the log") from error
            table.to_csv(path, index=False, float_format=DIGITS)

        task.unit("analysis", decisive, hashes, compute, task.outputs[name])
