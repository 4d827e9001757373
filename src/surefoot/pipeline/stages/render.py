"""render: a page of the site."""

from pathlib import Path

from surefoot.pipeline.job import Task
from surefoot.reporting.render import render


def run(task: Task) -> None:
    """Write the page's HTML."""
    render(
        page=task.inputs["page"],
        output=task.outputs["page"],
        results=Path("results").absolute(),
        parameters=task.settings["parameters"],
        renderer=task.settings["renderer"],
        navigation=task.settings["navigation"],
    )
