"""A job of simulated runs that are no trials."""

from collections.abc import Mapping
from typing import Any

from surefoot.build.job import Job
from surefoot.sources.settings import StudySources, run_table_path


def protocol_job(
    study: StudySources, name: str, protocol: str, cells: Mapping[str, dict[str, Any]], numbers: Mapping[str, int]
) -> Job:
    """The job of a source.

    Parameters
    ----------
    name : of the source
    protocol : the function that simulates a cell, as ``module:function``
    cells : the settings and the modules of each
    numbers : how much is simulated: keyword arguments of the function
    """
    module = protocol.partition(":")[0]
    settings = {"protocol": protocol, "seed": study.seed, "cells": cells, "numbers": numbers}
    modules = (module, *dict.fromkeys(used for cell in cells.values() for used in cell["modules"]))
    outputs = {"runs": run_table_path(study.name, name, "simulate")}
    work = "surefoot.sources.protocols:simulate"
    return Job("simulate", study.name, name, work, settings, modules, {}, outputs, in_pieces=True)
