"""Recorded results of a study, compared with published numbers."""

from support.paths import ROOT

from surefoot.papers.agarwal2021 import comparison as agarwal2021
from surefoot.runs.result_tables import read_table


def tables_of(study):
    """Return the recorded results of a study by name, and the published numbers."""
    tables = {path.stem: read_table(path) for path in (ROOT / f"reports/records/{study}").glob("*.csv")}
    return tables | {"published": read_table(ROOT / f"config/published/{study}.csv")}


def compared_by(module, tables):
    answers = {name: table for name, table in tables.items() if name != "published"}
    return module.comparison(tables["published"], answers)


def verdicts(tables, module=agarwal2021):
    return compared_by(module, tables).set_index("item")["verdict"]
