"""The workflow's own files: the plan and the rules agree, and Snakemake's options do what its documentation says."""

import contextlib
import itertools
import re
import zipfile

import pytest
import yaml
from support.fork_server import run_module
from support.paths import ROOT
from support.shipped_configuration import SHIPPED
from support.small_studies import planned, write_raw_tables, write_sources

from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import FIGURES_AND_TABLES, RESERVED_NAMES, validate_configuration
from surefoot.workflow.job import LIBRARIES
from surefoot.workflow.planning.plan import WORK, plan

PRIVATE = re.compile(
    r"snakemake\.(?!utils\b|smk\b)[a-z_]+ import|import snakemake\b|workflow\.(modifier|overwrite_\w+|\w+_settings)\b|"
    r"is_main_process|local_exec|resource_settings|storage_settings|deployment_settings|snakemake\.cli"
)
"""What is no part of the documented language of Snakemake."""


def sources():
    """Every file of the product in which Snakemake could be used."""
    files = [ROOT / "Snakefile", *(ROOT / "workflow").rglob("*.smk"), *(ROOT / "workflow").rglob("*.py")]
    return [*files, *(ROOT / "src").rglob("*.py")]


def test_the_picture_of_the_rules_shows_those_that_there_are():
    """All but those that are defined in a loop, and the variants of a rule, which the shipped studies may not need."""
    picture = (ROOT / "docs/images/rulegraph.svg").read_text()
    shown = set(re.findall(r">([a-z_]+)</text>", picture))
    assert shown <= set(WORK)
    variants = {
        "simulate_plays_with_transitions",
        "read_curves",
        "convert_published",
        "download",
        "estimate_with_curves",
        "previews",
    }
    assert set(WORK) - shown <= variants | {"cover_trust"}


def test_no_private_part_of_snakemake_is_used():
    files = sources()
    assert len(files) > 300
    found = {str(path.relative_to(ROOT)): PRIVATE.findall(path.read_text()) for path in files}
    assert {path: parts for path, parts in found.items() if parts} == {}
    for text in ("from snakemake.cli import main", "workflow.overwrite_configfiles", "workflow.storage_settings"):
        assert PRIVATE.search(text), text


def snakemake(checkout, *options):
    """Run Snakemake in a checkout in which everything is made; returns what it prints."""
    done = run_module(**checkout.command(*options))
    assert done.returncode == 0, done.stderr
    return done.stdout


def counts(text):
    """How often each rule is to run, of the table that a dry run begins with."""
    return {rule: int(count) for rule, count in re.findall(r"^(\w+) +(\d+)$", text, re.MULTILINE)}


@pytest.mark.workflow
def test_the_summary_has_every_result(built):
    rows = [line.split("\t") for line in snakemake(built, "--summary").splitlines() if line.startswith("results/")]
    own = {"configuration.json", "render/made.js"}  # of the run, not of a job
    assert {row[0].removeprefix("results/") for row in rows} == built.results().keys() - own
    assert {row[-2] for row in rows} == {"ok"} and {row[-1] for row in rows} == {"no update"}
    rules = {row[0]: row[2] for row in rows}
    assert rules["results/estimate/small/pbp.csv"] == "estimate"
    assert rules["results/collect/table/runs.parquet"] == "read_table"


@pytest.mark.workflow
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--forcerun", "estimate"], {"estimate": 7, "draw_small": 1, "draw_table": 1, "render": 2, "search": 1}),
        (
            ["--forceall", "--until", "normalize_pairs"],
            {"simulate_trials": 3, "collect_trials": 1, "read_table": 1, "normalize_pairs": 2},
        ),
    ],
)
def test_options_take_the_names_of_rules(built, options, expected):
    found = counts(snakemake(built, "--dry-run", "--quiet", "host", *options))
    assert {rule: count for rule, count in found.items() if rule not in ("all", "total")} == expected


@pytest.mark.workflow
def test_a_dry_run_says_why(checkout):
    checkout.edit("config/studies/jordan2020.yaml", "confidence_level: 0.9", "confidence_level: 0.8")
    text = snakemake(checkout, "--dry-run", "--quiet", "host")
    reasons = text[text.rindex("Reasons:") :]
    assert re.search(r"params have changed since last execution:\s+estimate", reasons), reasons
    assert re.search(r"input files updated by another job:\s+[\w, ]*draw_small", reasons), reasons
    assert "simulate" not in reasons


CHAIN = ["simulate_trials", "collect_trials", "normalize_pairs", "aggregate_with_weights", "draw_small", "render"]


@pytest.mark.workflow
def test_the_graph_of_the_rules_is_the_chain(built):
    text = snakemake(built, "--rulegraph")
    names = dict(re.findall(r'(\d+)\[label = "(\w+)"', text))
    arrows = {(names[a], names[b]) for a, b in re.findall(r"(\d+) -> (\d+)", text)}
    assert set(itertools.pairwise(CHAIN)) <= arrows
    assert {
        ("read_table", "normalize_pairs"),
        ("collect_trials", "cover_block"),
        ("cover_block", "cover_summary"),
    } <= arrows


@pytest.mark.workflow
def test_the_report_of_snakemake_has_the_figures(built, tmp_path):
    snakemake(built, "--report", tmp_path / "report.zip")
    with zipfile.ZipFile(tmp_path / "report.zip") as archive:
        names = archive.namelist()
    figures = [path for path in built.results() if path.endswith(".svg")]
    assert len(figures) == 8
    assert sum(name.endswith(".svg") for name in names) >= len(figures)


@pytest.mark.workflow
def test_no_study_can_have_the_name_of_a_rule(built):
    listed = snakemake(built, "--list-rules")
    rules = {line.strip() for line in listed.splitlines()}
    of_studies = {"small", "table", "draw_small", "draw_table", "draw_methods"}
    of_studies |= {rule for rule in rules if rule.startswith(FIGURES_AND_TABLES)}
    assert {"all", "simulate_trials", "estimate"} < rules
    assert rules - of_studies <= RESERVED_NAMES
    assert WORK.keys() - {"draw"} <= rules


def test_each_script_calls_the_function_that_the_plan_names():
    """It is a part of the key of the results; rules that have a script in common do the same work."""
    text = "\n".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    scripts = {}
    for rule, body in re.findall(r"^(?:use )?rule (\w+.*?):\n(.*?)(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL):
        base, _, name = rule.removesuffix(" with").partition(" as ")
        found = re.findall(r'"\.\./scripts/(\w+)\.py"', body)
        scripts[name or base] = found[0] if found else scripts.get(base, base)
    scripts = {rule: scripts.get(script, script) for rule, script in scripts.items()}
    called = {}
    for path in (ROOT / "workflow/scripts").glob("*.py"):
        (called[path.stem],) = re.findall(
            r'^run\(snakemake, "([\w.]+)"(?:, compiled=False)?\)$', path.read_text(), re.MULTILINE
        )
    assert {rule: called[scripts.get(rule, rule)] for rule in WORK} == WORK


def test_no_two_jobs_that_differ_have_one_key(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    configurations = write_sources(tmp_path)
    write_raw_tables(tmp_path / "folder", monkeypatch)
    paths = {}
    for job in planned(configurations):
        key = job.key(job.inputs)  # paths in the place of their hashes
        paths.setdefault(key, []).append(job)
    assert len(paths) > 200
    for jobs in paths.values():
        assert len({(job.work, str(job.plain_settings()), *job.inputs.values()) for job in jobs}) == 1


def test_each_file_of_rules_says_which_results_they_read(tmp_path):
    with contextlib.chdir(tmp_path):
        jobs = planned(write_sources(tmp_path))
    read = {}
    for job in jobs:
        stages = {path.split("/")[1] for path in job.inputs.values() if path.startswith("results/")}
        read.setdefault(job.rule, set()).update(stages)
    said = {}
    for path in (ROOT / "workflow/rules").glob("*.smk"):
        text = path.read_text()
        inputs = re.findall(r"^INPUTS .*?(?=^OUTPUTS )", text, re.MULTILINE | re.DOTALL)
        folders = re.findall(r"results/\{?([a-z,]+)", "".join(inputs))
        for rule in re.findall(r"^(?:use )?rule (?:\w+ as )?(\w+)(?: with)?:$", text, re.MULTILINE):
            said[rule] = {stage for names in folders for stage in names.split(",")}
    said["draw"] = said["draw_methods"]  # its rules are defined in a loop
    assert len(read) > 15
    assert {rule: stages - said[rule] for rule, stages in read.items() if stages - said[rule]} == {}


def test_files_that_no_rule_makes_are_told_by_their_hashes(tmp_path):
    """Every rule whose jobs read such files has the parameter `given`, since a file may be replaced by an older one."""
    with contextlib.chdir(tmp_path):
        jobs = planned(write_sources(tmp_path))
    with contextlib.chdir(ROOT):
        jobs += plan(validate_configuration(read_configuration(SHIPPED), SHIPPED))
    made = {path for job in jobs for path in job.outputs.values()}
    reading = {job.rule for job in jobs if not made.issuperset(job.inputs.values())}
    heads = re.compile(r"^ *(?:use rule (\w+) as (\w+) with|rule ?(\w*)):$", re.MULTILINE)
    told = set()
    for path in (ROOT / "workflow/rules").glob("*.smk"):
        _, *parts = heads.split(path.read_text())
        for inherited, variant, name, text in zip(*[iter(parts)] * 4, strict=True):
            parameters = "given=given" in text or ("params:" not in text and inherited in told)
            told |= {variant or name or path.stem} if parameters else set()  # the rules of `draw` have no names
    assert len(reading) > 5
    assert reading - told == set()


ANSWERS = {"aggregate", "estimate"}
"""Stages whose rules are in `answer.smk`."""


def test_the_documentation_lists_the_rules_of_each_stage():
    page = (ROOT / "docs/contributing.md").read_text()
    table = page.partition("| stage | rules |\n|---|---|\n")[2].partition("\n\n")[0]
    listed = dict(row.strip("| ").split(" | ") for row in table.splitlines())
    assert set(listed) == set(LIBRARIES)
    names = set(re.findall(r"`(\w+)`", " ".join(listed.values())))
    files = "\n".join((ROOT / f"workflow/rules/{stage}.smk").read_text() for stage in {*listed, "answer"} - ANSWERS)
    rules = re.findall(r"^(?:use )?rule (?:\w+ as )?(\w+)(?: with)?:$", files, re.MULTILINE)
    assert names - {"draw_example_how_many_runs"} == set(rules)


def test_one_name_through_the_stack():
    named = {"simulate", "collect", "normalize", "cover", "compare", "draw", "render"}
    assert named | {"aggregate", "estimate"} == set(LIBRARIES)
    for stage in named | {"answer"}:
        text = (ROOT / f"workflow/rules/{stage}.smk").read_text()
        header = text.partition('"""\n\n')[0]
        assert header.startswith('"""') and "INPUTS" in header and "OUTPUTS" in header


def test_the_readme_has_two_commands_that_set_everything_up():
    lines = (ROOT / "README.md").read_text().splitlines()
    commands = [line for line in lines if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert commands[0].endswith("requirements.txt && .venv/bin/snakemake")
    assert commands[1].endswith("requirements-test.txt && .venv/bin/python -m pytest -n auto")


def test_the_profile_reruns_incomplete_and_shows_failed_logs():
    profile = yaml.safe_load((ROOT / "profiles/default/profile.yaml").read_text())
    assert profile["rerun-incomplete"] and profile["nolock"] and profile["show-failed-logs"]
    assert profile["rerun-triggers"] == ["mtime", "params", "input", "software-env"]
    assert (profile["scheduler"], profile["max-checksum-file-size"]) == ("greedy", "1GB")
