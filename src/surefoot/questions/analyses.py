"""The numbers of the figures of named sets of scores, each analysis kept apart in the store."""

from importlib import import_module
from pathlib import Path

from surefoot.build.canonical import sha256_file
from surefoot.build.errors import InputError, what_and_hint
from surefoot.build.fingerprint import fingerprint
from surefoot.build.job import versions
from surefoot.build.log import logger
from surefoot.build.runner import Task
from surefoot.result_tables import read_table, write_table


def answer(task: Task) -> None:
    """Write the numbers of each analysis of the job."""
    scores = read_table(task.inputs["scores"])
    hashes = {"scores": sha256_file(task.inputs["scores"])}
    sets = {name: rows.drop(columns="scores").dropna(axis=1, how="all") for name, rows in scores.groupby("scores")}
    shared = {name: task.settings[name] for name in ("seed", "confidence", "replicates")}
    analyses = task.settings["analyses"]
    for number, (name, analysis) in enumerate(analyses.items(), 1):
        module = task.settings["modules"][analysis["kind"]]
        options = shared | {key: value for key, value in analysis.items() if key not in ("kind", "scores")}
        decisive = {"kind": analysis["kind"], "sets": analysis["scores"], "options": options}
        decisive |= {"code": {name: fingerprint(name) for name in (module, __name__)}, "versions": versions("estimate")}

        def compute(path: Path, number=number, name=name, analysis=analysis, module=module, options=options) -> None:
            logger.info(f"{name}: analysis {number} of {len(analyses)}", extra={"progress": True})
            function = getattr(import_module(module), analysis["kind"])
            chosen = {key: sets[key].reset_index(drop=True) for key in analysis["scores"]}
            try:
                table = function(chosen, options | {"threads": task.threads})
            except (ValueError, KeyError) as error:
                what, hint = what_and_hint(error)
                asked_in = task.settings["asked_in"]
                where = asked_in if asked_in == "how_many_runs" else f"{asked_in}.{name}"
                raise InputError(where, what, hint or "see the log") from error
            write_table(table, path, digits=10)

        task.unit("analysis", decisive, hashes, compute, task.outputs[name])
