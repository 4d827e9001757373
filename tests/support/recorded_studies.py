"""Studies of published scores, drawn from the records in the repository."""

import functools

import pandas as pd
from support.drawings import arguments, made, with_comparisons
from support.paths import ROOT

from surefoot.charts.draw import describe, pictures
from surefoot.charts.drawing_catalogue import CATALOGUE
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.planning.plan import plan

STUDIES = ("recht2018", "agarwal2021")
ENTRIES = [(study, name) for study in STUDIES for name in CATALOGUE[study]]


@functools.cache
def recorded_tables(study):
    """Return all tables from which a run without scores draws figures."""
    folder = ROOT / "reports" / "records" / study
    tables = {f"numbers/{path.stem}": read(path) for path in folder.glob("*.csv") if path.stem != "record"}
    published = read(ROOT / "config" / "published" / f"{study}.csv")
    return with_comparisons(study, tables | {"record": read(folder / "record.csv"), "published": published})


def read(path):
    return pd.read_csv(path, keep_default_na=False, na_values=[""]).pipe(
        lambda table: table.assign(**{name: table[name].fillna("") for name in table.select_dtypes(["object", "str"])})
    )


@functools.cache
def configured(study):
    """Return the study in the repository, and its planned figures and tables, by name."""
    files = [ROOT / "config" / "studies" / f"{study}.yaml"]
    config = validate_configuration(read_configuration(files), files)
    jobs = [job for job in plan(config) if (job.stage, job.study) == ("draw", study)]
    return config.studies[study], {name: told for job in jobs for name, told in job.settings["drawings"].items()}


def drawn(study, name, tables):
    facts = configured(study)[1][name]["keywords"]
    return made(CATALOGUE[study][name], tables, {"analyses": []} | facts)


def drawings(study):
    """Return {name: result of `drawing`} for all figures and tables of a study."""
    return {name: drawing(study, name) for name in CATALOGUE[study]}


@functools.cache
def drawing(study, name):
    """Draw a figure or table from the record; return (Vega-Lite or None, HTML of the picture or None, numbers)."""
    tables = recorded_tables(study)
    chart, numbers = drawn(study, name, tables)
    if chart is None:
        return None, None, numbers
    specification = chart.to_dict()
    describe(specification, configured(study)[1][name], arguments(CATALOGUE[study][name], tables))
    return specification, pictures(specification, name)[1], numbers
