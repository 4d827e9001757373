"""simulate: trials of algorithms in environments, in blocks that the store keeps apart."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from surefoot.pipeline.fingerprint import fingerprint
from surefoot.pipeline.job import Task
from surefoot.pipeline.log import progress_reporter
from surefoot.pipeline.plan import versions
from surefoot.simulation import registry


def run(task: Task) -> None:
    """Write the runs of the job's blocks: algorithm, environment, run, score."""
    seed, size, blocks = task.settings["seed"], task.settings["block"], task.settings["blocks"]
    report = progress_reporter(f"simulate {blocks[0][0]}", size * len(blocks), "trials")
    columns = {"algorithm": [], "environment": [], "run": [], "score": []}
    for position, (algorithm, environment, first, wanted) in enumerate(blocks):
        settings = registry.settings(algorithm, environment) | {
            "seed": seed,
            "first": first,
            "trials": size,
            "code": {module: fingerprint(module) for module in registry.modules(algorithm, environment)},
            "versions": versions("simulate"),
        }

        def compute(path: Path, settings: dict = settings, before: int = position * size) -> None:
            from surefoot.simulation.trials import simulate

            scores = simulate(
                settings["algorithm"],
                settings["environment"],
                seed,
                settings["first"],
                size,
                threads=task.threads,
                progress=lambda done: report(before + done),
            )
            np.save(path, scores)

        path = task.outputs["runs"].with_name(f"{algorithm}.{environment}.{first}.npy")
        task.unit("simulate.block", settings, {}, compute, path)
        scores = np.load(path)[:wanted]
        columns["algorithm"].extend([algorithm] * wanted)
        columns["environment"].extend([environment] * wanted)
        columns["run"].extend(range(first, first + wanted))
        columns["score"].append(scores)
    columns["score"] = np.concatenate(columns["score"])
    pq.write_table(pa.table(columns), task.outputs["runs"])
