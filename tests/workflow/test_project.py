"""Where the files of the project are, and packages that are not installed."""

from pathlib import Path

import pytest
from support.paths import ROOT

from surefoot.workflow.project import (
    CHANGELOG,
    DOCS,
    INSTALLED,
    PAGES,
    PROJECT,
    PUBLISHED,
    RECORDS,
    SNAKEFILES,
    SOURCE,
    check_checkout,
    check_report,
    has_workflow,
    kept,
    lacking,
    relative,
    short_path,
)


def test_the_project_is_around_the_source_of_a_checkout():
    assert not INSTALLED and PROJECT == ROOT and (SOURCE / "surefoot" / "__init__.py").is_file()
    assert all(path.is_dir() for path in (PAGES, DOCS, PUBLISHED, RECORDS)) and CHANGELOG.is_file()
    check_checkout("surefoot schemas")


def test_packages_that_are_missing_are_named():
    assert lacking(["json", "no_such_package", "re"]) == ["no_such_package"]
    check_report("surefoot run")


@pytest.mark.parametrize("name", SNAKEFILES)
def test_a_folder_with_a_file_of_snakemake_has_a_workflow(own_folder, name):
    assert not has_workflow()
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.touch()
    assert has_workflow()


def test_paths_are_short_within_the_folder(own_folder):
    inside, outside = own_folder / "a" / "b.csv", own_folder.parent / "c.csv"
    assert (short_path(inside), short_path(Path("a/b.csv"))) == ("a/b.csv", "a/b.csv")
    assert short_path(outside) == str(outside)
    assert (relative(inside), relative(outside)) == ("a/b.csv", "../c.csv")
    assert kept(inside) is None
    inside.parent.mkdir()
    assert kept(inside.parent) is None
    inside.touch()
    assert kept(inside) == "a/b.csv"
