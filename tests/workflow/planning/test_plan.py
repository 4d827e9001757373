"""The plan: what it repeats of other rooms agrees with them, each job names what decides its numbers, and studies that
ask for it have a page that says how many runs they need."""

import ast
import copy
import functools
import re
import shutil
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from support.one_study import told
from support.paths import ROOT
from support.shipped_configuration import SHIPPED

from surefoot.errors import InputError
from surefoot.reporting.quarto import quarto_version
from surefoot.workflow.configuration.configuration_files import read_configuration, shipped_files
from surefoot.workflow.configuration.validation import RESERVED_NAMES, validate_configuration
from surefoot.workflow.fingerprint import module_path, reached_modules
from surefoot.workflow.job import versions
from surefoot.workflow.planning.plan import WORK, named_targets, plan


@pytest.fixture(scope="module")
def shipped():
    return read_configuration(SHIPPED)


@pytest.fixture
def given(shipped):
    """The shipped configuration as it is read, to be changed."""
    return copy.deepcopy(shipped)


@pytest.fixture
def config(shipped, monkeypatch):
    monkeypatch.chdir(ROOT)
    return checked(shipped)


def checked(given):
    return validate_configuration(given, SHIPPED)


def test_jobs_come_after_the_jobs_that_make_their_inputs(config):
    made = set()
    for job in plan(config):
        for path in job.inputs.values():
            assert path in made or not path.startswith("results/"), f"{job.stage}/{job.part} before {path}"
        made.update(job.outputs.values())


def test_names_and_outputs_are_unique(config):
    jobs = plan(config)
    assert len({(job.stage, job.study, job.part) for job in jobs}) == len(jobs)
    outputs = [path for job in jobs for path in job.outputs.values()]
    assert len(set(outputs)) == len(outputs)


SCORE_TABLE = {"kind": "score_table", "file": "config/example_scores.csv"}
MEANS, GAME = ({"kind": kind} for kind in ("aggregate_metrics", "evaluation_game_scores"))
OF_TWO_SOURCES = {
    "sources": {"runs": SCORE_TABLE, "learning": SCORE_TABLE},
    "scales": {name: {"kind": "min_max", "source": name} for name in ("runs", "learning")},
    "questions": {f"of_{name}": MEANS | {"scores": [name]} for name in ("runs", "learning")},
}
WITH_BRACES = {"sources": {"runs": SCORE_TABLE | {"file": "{x} of {y z}.csv"}}, "questions": {"means": MEANS}}


@pytest.mark.parametrize(
    ("studies", "said"),
    [
        (
            {"mine": {"questions": {"evaluation_game_intervals": {}, "pbp_t": MEANS}}},
            "studies.mine: two results of the workflow would be called results/estimate/mine/pbp_t.csv. Hint: choose "
            'another name for what is called "pbp_t"',
        ),
        (
            {"mine": {"questions": {"game": GAME, "game_weights": GAME}}},
            "studies.mine: two results of the workflow would be called results/aggregate/mine/game_weights.csv. Hint: "
            'choose another name for what is called "game_weights"',
        ),
        (
            {"mine": OF_TWO_SOURCES, "mine_of_learning": {"questions": {"means": MEANS}}},
            "studies.mine_of_learning: two results of the workflow would be called draw_mine_of_learning. Hint: choose "
            "another name for the study",
        ),
        (
            {"mine": WITH_BRACES},
            "studies.mine: {x} of {y z}.csv: in the name of this file, Snakemake takes {x} for a wildcard. Hint: "
            "rename the file or its folder",
        ),
    ],
    ids=["name_of_a_method", "name_of_a_second_table", "name_of_a_rule", "wildcard"],
)
def test_names_that_the_workflow_cannot_have_are_refused(studies, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "config", "config")
    shutil.copy("config/example_scores.csv", "{x} of {y z}.csv")
    settings = {"title": "Mine", "sources": {"runs": SCORE_TABLE}}
    config = validate_configuration({"studies": {name: settings | study for name, study in studies.items()}}, [])
    with pytest.raises(InputError) as caught:
        plan(config)
    assert str(caught.value) == said


def test_no_study_can_have_the_name_of_a_page_of_the_site():
    files = shipped_files(ROOT)
    config = validate_configuration(read_configuration(files), files)
    of_studies = tuple(config.studies)
    pages = {job.study for job in plan(config) if job.stage == "render" and not job.study.startswith(of_studies)}
    assert {"leaderboards", "ledger"} <= pages <= RESERVED_NAMES


def test_scaled_algorithms_are_simulated_once(config):
    jobs = [job for job in plan(config) if (job.stage, job.study) == ("simulate", "jordan2020")]
    others = {job.part: job for job in jobs if job.rule == "simulate_repeated_runs"}
    assert set(others) == {"same_hyperparameters", "random_policies"}
    assert len(others["same_hyperparameters"].settings["cells"]) == 2 * 8
    assert len(others["random_policies"].settings["cells"]) == 8
    cells = {cell for job in jobs if job.part not in others for cell in job.settings["cells"]}
    assert {"sarsa.chain_10_stochastic", "sarsa_s.mountain_car", "sarsa.mountain_car"} < cells
    assert not [cell for cell in cells if "_s.chain" in cell or "_s.gridworld" in cell]
    tenths_of_coverage = 3 * 9
    assert len(cells) == 9 * 11 - 3 * 8 + tenths_of_coverage


def test_an_answer_rests_on_the_code_of_its_own_method(config):
    jobs = {job.part: job for job in plan(config) if (job.stage, job.study) == ("estimate", "jordan2020")}
    code = {
        name: {each for module in jobs[name].modules for each in reached_modules(module)}
        for name in ("bootstrap", "pbp")
    }
    assert "surefoot.statistics.intervals.bootstrap" in code["bootstrap"]
    assert "surefoot.statistics.intervals.bootstrap" not in code["pbp"]
    rooms = {reached.split(".")[1] for reached in code["bootstrap"]}
    assert rooms == {"questions", "statistics", "runs", "streams", "kernel_files", "progress", "workflow"}
    assert {reached for reached in code["bootstrap"] if ".workflow." in reached} == {"surefoot.workflow.answers"}


def test_code_of_an_agent_is_not_that_of_another(config):
    jobs = {job.part: job for job in plan(config) if job.stage == "simulate"}
    sarsa = {reached for module in jobs["sarsa"].modules for reached in reached_modules(module)}
    assert not any("actor_critic" in module for module in sarsa)
    assert any("environments.chain" in module for module in sarsa)


def test_a_page_that_reads_what_nothing_makes_is_an_error(config, tmp_path, monkeypatch):
    pages = shutil.copytree(ROOT / "reports", tmp_path / "reports", ignore=shutil.ignore_patterns("records"))
    text = (pages / "study.qmd").read_text()
    (pages / "study.qmd").write_text(text.replace("draw/{study}/verdict", "draw/{study}/verdikt"))
    monkeypatch.setattr("surefoot.workflow.planning.page_jobs.PAGES", pages)
    with pytest.raises(InputError, match=r'study\.qmd: reads: nothing makes "draw/.*/verdikt"\. Hint: did you mean'):
        plan(config)


@pytest.mark.parametrize("settings", [{"page": "jordan2020"}, {"figures": "castronovo2016"}])
def test_a_page_and_the_figures_of_a_study_go_together(given, settings):
    given["studies"]["example"] |= settings
    with pytest.raises(InputError, match=r"studies\.example\.page: .*\.qmd shows .*, which figures: .* does not draw"):
        plan(checked(given))


def test_a_score_table_shows_its_names_or_given_titles(config, given):
    """An algorithm of a score table that is called like one of ours need not be ours."""
    assert told(plan(config), "titles", "example")["sarsa"] == "Sarsa(λ)"
    given["studies"]["example"]["titles"] = {"q": "Quick"}
    jobs = plan(checked(given))
    assert told(jobs, "titles", "example") == {"q": "Quick"}
    assert told(jobs, "titles", "jordan2020")["q"] == "Q(λ)"


def test_figures_and_studies_are_targets_by_name(config):
    targets = named_targets(plan(config), config.studies)
    drawn = {f"results/draw/{name}/figure_5.svg" for name in ("agarwal2021", "jordan2020")}
    assert drawn <= {*targets["figure_5"]} and {Path(path).stem for path in targets["figure_5"]} == {"figure_5"}
    pages = {f"results/render/{name}.html" for name in ("jordan2020", "methods", "docs-commands")}
    assert pages <= {*targets["jordan2020"]} and "results/render/search.js" in targets["all"]
    assert named_targets(plan(config), config.studies, ["example"])["all"] == targets["example"]


def test_pages_are_rendered_by_quarto_where_it_is_installed(given, monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PATH", str(tmp_path))
    config = checked({**given, "studies": {"example": given["studies"]["example"]}})

    def rendered_by():
        quarto_version.cache_clear()
        page = next(job for job in plan(config) if job.name == "example" and job.stage == "render")
        return page.settings["renderer"], page.settings.get("quarto_version")

    assert rendered_by() == ("embedded", None)
    quarto = tmp_path / "quarto"
    quarto.write_text("#!/bin/sh\necho 1.10\n")
    quarto.chmod(0o700)
    assert rendered_by() == ("quarto", "1.10")


def test_keys_hold_the_versions_of_imported_libraries(config):
    """Those of its plain imports; what these bring along is pinned by them."""
    known, missing = packages_distributions(), {}
    for job in plan(config):
        named = {name.lower().replace("_", "-") for name in versions(job.stage)}
        assert "python" in named
        for reached in {found for module in job.modules for found in reached_modules(module)}:
            for name in imported_libraries(reached):
                if not {title.lower().replace("_", "-") for title in known[name]} & named:
                    missing.setdefault(job.stage, set()).add(name)
    assert missing == {}


@functools.cache
def imported_libraries(module):
    names = set()
    for node in ast.walk(ast.parse(module_path(module).read_bytes())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module)
    return {name.partition(".")[0] for name in names} - {*sys.stdlib_module_names, "surefoot"}


NAMES = ("jordan2020", "agarwal2021", "recht2018", "castronovo2016", "example")
FILES = [ROOT / "config" / "config.yaml", *(ROOT / "config" / "studies" / f"{name}.yaml" for name in NAMES)]


@pytest.fixture(scope="module")
def configured():
    return validate_configuration(read_configuration(FILES), FILES)


def planned(config):
    return {(job.stage, job.study, job.part): job for job in plan(config)}


def test_studies_that_ask_have_jobs_and_a_page(configured):
    jobs = planned(configured)
    parts = {part for stage, name, part in jobs if (stage, name) == ("cover", "example")}
    assert {"how_many_runs", "sequential", "false_alarms"} <= parts
    assert ("draw", "example", "how_many_runs") in jobs
    page = jobs["render", "example_how_many_runs", ""]
    assert ("How many runs?", "example_how_many_runs.html") in page.settings["navigation"]
    assert not [part for stage, study, part in jobs if study == "recht2018" and "how_many_runs" in part]
    normalized = jobs["normalize", "example", "runs"].outputs["normalized"]
    assert jobs["cover", "example", "how_many_runs"].inputs == {"scores": normalized}


def test_a_site_with_records_has_leaderboards_and_a_calculator():
    files = shipped_files(ROOT)
    jobs = planned(validate_configuration(read_configuration(files), files))
    for name in ("leaderboards", "calculator"):
        page = jobs["render", name, ""]
        links = dict(page.settings["navigation"])
        assert links["Leaderboards"] == "leaderboards.html"
        assert ("Calculator", "calculator.html") in links["How many runs?"]
        assert "reports/records/leaderboards/standings.csv" in page.inputs.values()


@pytest.mark.parametrize("kind", ["sequential_comparison", "false_alarm_rates"])
def test_algorithms_that_have_no_runs_are_refused(kind):
    config = read_configuration(FILES)
    asked = {"kind": kind, "algorithms": ["q_parl2", "sarsa_par12"]}
    config["studies"]["jordan2020"]["questions"]["mine"] = asked
    with pytest.raises(InputError) as caught:
        validate_configuration(config, FILES)
    assert (
        'mine.algorithms: "sarsa_par12" is not an algorithm of this source. Hint: did you mean "sarsa_parl2"?'
        in str(caught.value)
    )


def test_each_rule_calls_the_function_in_its_key():
    """A rule that uses another one has its script; the loop over the figures of studies stands for the rule `draw`."""
    found = {}
    for file in sorted(ROOT.glob("workflow/rules/*.smk")):
        rule = file.stem
        for line in file.read_text().splitlines():
            if header := re.search(r"rule (\w+)(?: as (\w+) with)?:", line):
                rule = header[2] or header[1]
                if header[2]:
                    found[rule] = found[header[1]]
            elif script := re.search(r'"\.\./(scripts/\w+\.py)"', line):
                text = (ROOT / "workflow" / script[1]).read_text()
                (found[rule],) = re.findall(r'^run\(snakemake, "([\w.]+)"(?:, compiled=False)?\)$', text, re.MULTILINE)
    assert found == WORK


class Drawn:
    stage, study, part, on_request = "draw", "some", "figures", False

    def __init__(self, *names):
        self.outputs = {name: f"results/draw/some/{name}" for name in names}


def test_a_figure_is_a_target_with_all_its_parts():
    left, whole = Drawn("figure_2_left.svg", "table_needed.csv"), Drawn("figure_2.csv", "figure_11a.csv")
    found = named_targets([left, whole], [])
    assert found["figure_2"] == [left.outputs["figure_2_left.svg"], whole.outputs["figure_2.csv"]]
    assert found["figure_2_left"] == [left.outputs["figure_2_left.svg"]]
    assert found["figure_11"] == found["figure_11a"] == [whole.outputs["figure_11a.csv"]]
    assert {"figure_2", "figure_2_left", "figure_11", "figure_11a", "table_needed"} <= set(found)
