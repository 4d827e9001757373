"""The shipped configuration, and changes of single keys."""

import copy

from support.paths import ROOT

from surefoot.workflow.configuration.configuration_files import read_configuration

SHIPPED = [ROOT / "config" / "config.yaml", *sorted((ROOT / "config" / "studies").glob("*.yaml"))]
JORDAN = ("studies", "jordan2020")
RUNS, QUESTIONS = (*JORDAN, "sources", "runs"), (*JORDAN, "questions")
TABLE = {"runs": {"kind": "score_table", "file": "x.csv"}}
SHIPPED_SETTINGS = read_configuration(SHIPPED)


def changed(*path, to):
    config = copy.deepcopy(SHIPPED_SETTINGS)
    place = config
    for key in path[:-1]:
        place = place.setdefault(key, {})
    place[path[-1]] = to
    return config
