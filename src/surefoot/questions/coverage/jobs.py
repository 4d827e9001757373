"""The jobs of a study of coverage: blocks of data sets of one size, and the summary of all."""

import math
from collections.abc import Iterator
from typing import Any

from surefoot.build.batches import SECONDS_OF_A_BATCH
from surefoot.build.job import Job
from surefoot.measured_seconds import seconds_of_intervals
from surefoot.questions.coverage.settings import Settings
from surefoot.questions.planning import Asked
from surefoot.statistics.intervals.catalogue import ESTIMATORS


def jobs(asked: Asked) -> list[Job]:
    """The jobs of one question."""
    settings, study, name = asked.settings, asked.study, asked.name
    assert isinstance(settings, Settings)
    pool = asked.tables["source:" + settings.source]
    modules = tuple(ESTIMATORS[method] for method in settings.methods)
    parts = list(_parts(name, settings, asked.shared["seed"]))
    made = []
    for part, chosen in parts:
        output = {"intervals": f"results/cover/{study}/{part}.parquet"}
        work = "surefoot.questions.coverage.blocks:intervals"
        made.append(Job("cover", study, part, work, chosen, modules, {"pool": pool}, output, in_pieces=True))
    inputs = {part: f"results/cover/{study}/{part}.parquet" for part, _ in parts} | {"pool": pool}
    output = {"summary": f"results/cover/{study}/{name}.parquet"}
    return [*made, Job("cover", study, name, "surefoot.questions.coverage.summary:answer", {}, (), inputs, output)]


def _parts(name: str, settings: Settings, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """(part, settings) of each job that computes intervals."""
    keys = ("methods", "confidence", "replicates", "variants", "design", "block", "bounds")
    given = settings.plain()
    shared = {key: given[key] for key in keys if key in given} | {"seed": seed}
    start = 0
    for size, datasets in zip(settings.sizes, settings.numbers_of_datasets(), strict=True):
        step = datasets if settings.batch == "size" else _datasets_of_a_batch(settings, size)
        for first in range(0, datasets, step):
            chosen = shared | {"size": size, "start": start, "first": first}
            part = f"{name}.{size}" if settings.batch == "size" else f"{name}.{size}.{first // step}"
            yield part, chosen | {"datasets": min(step, datasets - first)}
        start += size * datasets if settings.design == "cut" else 0


def _datasets_of_a_batch(settings: Settings, size: int) -> int:
    """Data sets of a job: whole blocks, at least one."""
    methods = len(settings.methods) * len(settings.variants)
    block = settings.block * seconds_of_intervals(methods, size, settings.replicates)
    return settings.block * math.ceil(SECONDS_OF_A_BATCH / block)
