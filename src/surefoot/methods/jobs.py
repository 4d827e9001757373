"""The job that gathers what the methods page says. Light on purpose: planning imports it."""

import os
from pathlib import Path

from surefoot.build.fingerprint import SOURCE, module_path
from surefoot.build.job import Job
from surefoot.questions.registry import module_of, questions
from surefoot.scales.registry import scale_module, scales
from surefoot.statistics.intervals.catalogue import ESTIMATORS
from surefoot.statistics.intervals.entries import INTERVAL_METHODS

NAME = "methods"
"""The page, and what stands for a study in the names of its jobs."""
_STATISTICS = SOURCE / "surefoot" / "statistics"


def methods_job() -> Job:
    """The job whose inputs are the sources that say what methods are."""
    modules = sorted({module_of(model) for model in questions().values()})
    paths = {f"question/{name.removeprefix('surefoot.')}": module_path(name) for name in modules}
    paths |= {"interval/replicates": _STATISTICS / "resampling" / "replicate_intervals.py"}
    paths |= {f"game/{path.stem}": path for path in _modules(_STATISTICS / "intervals" / "entries")}
    others = (module for name, module in ESTIMATORS.items() if name not in INTERVAL_METHODS)
    paths |= {f"game/{module.rpartition('.')[2]}": module_path(module) for module in others}
    paths |= {f"metric/{path.stem}": path for path in _modules(_STATISTICS / "metrics" / "entries")}
    paths |= {f"scale/{name}": module_path(scale_module(name)) for name in scales()}
    paths |= {"references": SOURCE / "surefoot" / "methods" / "references.bib"}
    inputs = {name: os.path.relpath(path) for name, path in paths.items()}
    outputs = {f"{name}.csv": f"results/draw/{NAME}/{name}.csv" for name in ("entries", "references")}
    # In the stage `draw` as its tables are shown as they are, though none of them is a drawing of the catalogue.
    settings = {"figures": NAME, "drawings": {}}
    return Job("draw", NAME, "figures", "surefoot.methods.tables:write", settings, (), inputs, outputs)


def _modules(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.py") if path.stem != "__init__")
