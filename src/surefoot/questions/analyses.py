"""The numbers of the figures of named sets of scores, each question kept apart in the store."""

from importlib import import_module
from pathlib import Path

from surefoot.build.canonical import sha256_file
from surefoot.build.errors import InputError
from surefoot.build.fingerprint import fingerprint
from surefoot.build.log import logger
from surefoot.build.runner import Task
from surefoot.errors import HintedError
from surefoot.questions.answering import Shared
from surefoot.questions.registry import answer_module
from surefoot.result_tables import read_table, write_table


def answer(task: Task) -> None:
    """Write the answer of each question of the job."""
    scores = read_table(task.inputs["scores"])
    hashes = {"scores": sha256_file(task.inputs["scores"])}
    sets = {name: rows.drop(columns="scores").dropna(axis=1, how="all") for name, rows in scores.groupby("scores")}
    given = {name: task.settings[name] for name in ("seed", "confidence", "replicates")}
    analyses = task.settings["analyses"]
    for number, (name, analysis) in enumerate(analyses.items(), 1):
        module = answer_module(analysis["kind"])
        decisive = {
            "analysis": analysis,
            "shared": given,
            "code": {name: fingerprint(name) for name in (module, __name__)},
        }

        def compute(path: Path, number=number, name=name, analysis=analysis, module=module) -> None:
            logger.info(f"{name}: question {number} of {len(analyses)}", extra={"progress": True})
            question = import_module(module)
            settings = question.Settings.model_validate(analysis)
            own = getattr(settings, "replicates", None)
            shared = Shared(**given | ({} if own is None else {"replicates": own}), threads=task.threads)
            chosen = {key: sets[key].reset_index(drop=True) for key in settings.scores}
            try:
                table = question.answer(chosen, settings, shared)
            except HintedError as error:
                where = f"{settings.asked_in}.{name}" if settings.asked_in == "estimate.analyses" else settings.asked_in
                raise InputError(where, error.told, error.hint) from error
            write_table(table, path, digits=10)

        task.unit("analysis", decisive, hashes, compute, task.outputs[name])
