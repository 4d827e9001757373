"""A page of the site, as a job."""

from pathlib import Path

from surefoot.build.runner import Task
from surefoot.reporting.render import render


def make_page(task: Task) -> None:
    """Write the page's HTML."""
    provenance = task.settings.get("provenance")
    if provenance is not None:
        files = {str(path): task.hashes[name] for name, path in task.inputs.items() if name.startswith("file@")}
        provenance = provenance | {"files": files}
    render(
        page=task.inputs["page"],
        output=task.outputs["page"],
        results=Path("results").absolute(),
        made={name.rpartition(".")[0] for name in task.inputs if "/" in name},
        parameters=task.settings["parameters"],
        renderer=task.settings["renderer"],
        navigation=task.settings["navigation"],
        provenance=provenance,
    )
