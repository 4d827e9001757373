"""estimate: intervals of one method, or distributions of samples of several sizes."""

import pandas as pd

from surefoot.pipeline.job import Task
from surefoot.pipeline.log import progress_reporter


def run(task: Task) -> None:
    """Write the intervals of the method for all that it applies to, the distributions of the samples, or analyses."""
    if "analyses" in task.settings:
        from surefoot.pipeline.stages.analyses import run_analyses

        run_analyses(task, "estimate")
        return
    runs = pd.read_parquet(task.inputs["runs"])
    settings = task.settings
    if "paired_z" in settings:
        from surefoot.statistics.plays import paired_z

        paired_z(runs).to_csv(task.outputs["bands"], index=False)
        return
    if "views" in settings:
        from surefoot.statistics.views import bootstrapped_views

        chosen = {name: settings[name] for name in ("replicates", "seed", "confidence")}
        bootstrapped_views(runs, **chosen).to_csv(task.outputs["intervals"], index=False)
        return
    if "subsamples" in settings:
        from surefoot.statistics.subsamples import subsample_bands

        bands = subsample_bands(
            runs, **settings["subsamples"], confidence=settings["confidence"], seed=settings["seed"]
        )
        bands.to_csv(task.outputs["bands"], index=False)
        return
    from surefoot.statistics.estimation import estimate

    limits = 2 * runs["algorithm"].nunique()
    total, noun = (settings["replicates"], "replicates") if settings["method"] == "bootstrap" else (limits, "limits")
    report = progress_reporter(f"estimate {settings['method']}", total, noun)
    intervals = estimate(
        runs,
        settings["method"],
        confidence=settings["confidence"],
        seed=settings["seed"],
        replicates=settings.get("replicates"),
        variant=settings["variant"],
        threads=task.threads,
        progress=report,
        bounds=settings.get("bounds"),
    )
    intervals.to_csv(task.outputs["intervals"], index=False)
