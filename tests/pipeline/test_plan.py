"""The plan: what it repeats of other rooms agrees with them, and each job names what decides its numbers."""

import ast
import functools
import re
import shutil
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml

from surefoot.build.errors import InputError
from surefoot.build.fingerprint import module_path, reached_modules
from surefoot.build.job import resamples, specification
from surefoot.build.runner import content_text
from surefoot.charts.catalogue import CATALOGUE, STUDY_SETS
from surefoot.configuration.validation import SCHEMA_PATH, read_configuration, validate_configuration, where_given
from surefoot.pipeline.plan import ESTIMATORS, plan
from surefoot.statistics import estimation
from surefoot.statistics.normalization import NORMALIZATIONS

ROOT = Path(__file__).parents[2]
SHIPPED = [ROOT / "config" / "config.yaml", *sorted((ROOT / "config" / "studies").glob("*.yaml"))]


@pytest.fixture
def config(monkeypatch):
    monkeypatch.chdir(ROOT)
    return validate_configuration(read_configuration(SHIPPED), SHIPPED, ROOT / "reports")


def test_methods_are_those_of_the_statistics_and_of_the_schema():
    assert ESTIMATORS == estimation.ESTIMATORS
    schema = yaml.safe_load(SCHEMA_PATH.read_text())["$defs"]
    assert set(schema["estimate"]["properties"]["methods"]["items"]["enum"]) == set(ESTIMATORS)
    assert set(schema["estimate"]["properties"]["variant"]["enum"]) == set(estimation.VARIANTS)
    assert set(schema["normalize"]["properties"]["method"]["enum"]) == set(NORMALIZATIONS)


def test_jobs_come_after_the_jobs_that_make_their_inputs(config):
    made = set()
    for job in plan(config):
        for path in job.inputs.values():
            assert path in made or not path.startswith("results/"), f"{job.stage}/{job.part} before {path}"
        made.update([*job.outputs.values(), job.manifest])


def test_names_and_outputs_are_unique(config):
    jobs = plan(config)
    assert len({(job.stage, job.study, job.part) for job in jobs}) == len(jobs)
    outputs = [path for job in jobs for path in job.outputs.values()]
    assert len(set(outputs)) == len(outputs)


def test_scaled_algorithms_are_simulated_once(config):
    jobs = [job for job in plan(config) if (job.stage, job.study) == ("simulate", "jordan2020")]
    others = {job.part: job for job in jobs if job.module == "surefoot.sources.protocols"}
    assert set(others) == {"same_hyperparameters", "random_policies"}
    assert len(others["same_hyperparameters"].settings["cells"]) == 2 * 8
    assert len(others["random_policies"].settings["cells"]) == 15
    cells = {cell for job in jobs if job.part not in others for cell in job.settings["cells"]}
    assert {"sarsa.chain_10_stochastic", "sarsa_s.cart_pole", "sarsa.cart_pole"} < cells
    assert not [cell for cell in cells if "_s.chain" in cell or "_s.gridworld" in cell]
    tenths_of_coverage = 3 * 9
    assert len(cells) == 15 * 11 - 3 * 8 + tenths_of_coverage


def test_the_code_of_a_method_is_not_that_of_another(config):
    code = {
        job.part: {reached for module in (job.module, *job.modules) for reached in reached_modules(module)}
        for job in plan(config)
        if job.stage == "estimate" and job.study == "jordan2020"
    }
    assert "surefoot.statistics.bootstrap" in code["bootstrap"]
    assert "surefoot.statistics.bootstrap" not in code["pbp"]
    assert "surefoot.statistics.game" not in code["anderson"]
    assert "surefoot.statistics.bands" not in code["bootstrap"]
    rooms = {module.split(".")[1] for reached in code.values() for module in reached}
    assert rooms == {"questions", "result_tables", "statistics", "streams", "tables"}


def test_code_of_an_agent_is_not_that_of_another(config):
    jobs = {job.part: job for job in plan(config) if job.stage == "simulate"}
    sarsa = {reached for module in jobs["sarsa"].modules for reached in reached_modules(module)}
    assert not any("actor_critic" in module for module in sarsa)
    assert any("environments.chain" in module for module in sarsa)


def test_a_specification_holds_only_its_slice(config):
    jobs = {(job.stage, job.study, job.part): job for job in plan(config)}
    spec = specification(jobs["estimate", "jordan2020", "anderson"])
    assert "replicates" not in spec["settings"]
    assert spec["settings"]["confidence"] == 0.95
    assert set(spec) == {
        "stage",
        "study",
        "part",
        "work",
        "settings",
        "code",
        "versions",
        "inputs",
        "outputs",
        "manifest",
        "made_by",
    }


def test_samples_of_samples_are_drawn_where_a_study_asks_for_them(config):
    jobs = {(job.study, job.part): job for job in plan(config) if job.stage == "estimate"}
    settings = jobs["jordan2020", "subsamples"].settings
    assert settings["subsamples"] == {"algorithm": "ac", "environment": "acrobot", "sizes": [50, 100, 1000]}
    assert "replicates" not in settings
    assert ("example", "subsamples") not in jobs


def test_a_page_that_reads_what_nothing_makes_is_an_error(config, tmp_path, monkeypatch):
    pages = shutil.copytree(ROOT / "reports", tmp_path / "reports", ignore=shutil.ignore_patterns("records"))
    text = (pages / "study.qmd").read_text()
    (pages / "study.qmd").write_text(text.replace("draw/{study}/verdict", "draw/{study}/verdikt"))
    monkeypatch.setattr("surefoot.pipeline.page_jobs.PAGES", pages)
    with pytest.raises(InputError, match=r'study\.qmd: reads: nothing makes "draw/.*/verdikt"\. Hint: did you mean'):
        plan(config)


@pytest.mark.parametrize(
    ("study", "settings", "message"),
    [
        (
            "example",
            {"render": {"page": "jordan2020"}},
            r'render\.page: "study" has no \w+, which reports/jordan2020\.qmd shows\. Hint: render\.page: study',
        ),
        (
            "example",
            {"draw": {"figures": "castronovo2016"}},
            r'draw\.figures: "castronovo2016" draws verdict, which reports/study\.qmd shows, from .*published, which '
            r"this study has not\. Hint: draw\.figures: study",
        ),
        (
            "jordan2020",
            {"render": {"page": "study"}},
            r'render\.page: "jordan2020" has no scores, which reports/study\.qmd shows\. Hint: draw\.figures: study;',
        ),
    ],
)
def test_a_page_and_the_figures_of_a_study_go_together(config, tmp_path, study, settings, message):
    """What the shipped file of jordan2020 says of both keys is not at fault."""
    overlay = tmp_path / "mine.yaml"
    overlay.write_text(yaml.safe_dump({"studies": {study: settings}}))
    sources = [*SHIPPED, overlay]
    given = read_configuration(sources)
    checked = validate_configuration(given, sources, ROOT / "reports")
    with pytest.raises(InputError, match=rf"mine\.yaml: studies\.{study}\.{message}"):
        plan(checked, lambda path, others: where_given(path, given, sources, others))


def test_each_way_that_the_hint_names_makes_a_page_and_its_figures_go_together(config):
    config["studies"] = {"example": config["studies"]["example"]}

    def mistake(figures, page):
        config["studies"]["example"] |= {"draw": {"figures": figures}, "render": {"page": page}}
        try:
            plan(config)
        except InputError as error:
            return error
        return None

    pages = [
        page.stem for page in (ROOT / "reports").glob("*.qmd") if page.stem not in ("index", "how_many_runs", "trust")
    ]
    told = {(figures, page): mistake(figures, page) for figures in STUDY_SETS for page in pages}
    assert told["study", "study"] is None
    told = {pair: error for pair, error in told.items() if error}
    assert len(told) > len(STUDY_SETS)
    for (figures, page), error in told.items():
        for way in error.hint.split("; or "):
            keys, name = re.fullmatch(
                r"(draw\.figures|render\.page|draw\.figures and render\.page): (\w+)", way
            ).groups()
            assert mistake(name if "draw" in keys else figures, name if "page" in keys else page) is None


def test_a_score_table_shows_its_own_names_but_for_the_titles_that_it_gives(config):
    """An algorithm of a score table that is called like one of ours need not be ours."""
    drawn = {job.study: job.settings for job in plan(config) if job.stage == "draw"}
    assert drawn["example"]["algorithm_titles"]["sarsa"] == "Sarsa(λ)"
    config["studies"]["example"]["collect"]["titles"] = {"q": "Quick"}
    drawn = {job.study: job.settings for job in plan(config) if job.stage == "draw"}
    assert drawn["example"]["algorithm_titles"] == {"q": "Quick"}
    assert drawn["jordan2020"]["algorithm_titles"]["q"] == "Q(λ)"


@pytest.mark.parametrize(
    ("settings", "count"),
    [
        ({"method": "dkw"}, 0),
        ({"method": "bootstrap", "replicates": 1000}, 1000),
        ({"replicates": 50_000, "analyses": {"lifts": {"datasets": 300}, "ranks": {"replicates": 20}}}, 300),
        ({"replicates": 50_000, "analyses": {"lifts": {"datasets": 300}, "ranks": {}}}, 300),
        ({"replicates": 50_000, "analyses": {"ranks": {}}}, 50_000),
        ({"replicates": 10, "analyses": {"coverage": {"datasets": 200, "replicates": 100}}}, 200),
    ],
)
def test_resamples_are_those_of_the_largest_analysis(settings, count):
    assert resamples(settings) == count


def key(job):
    """What of a job's spec decides where the store keeps its results."""
    return content_text(specification(job))


@pytest.mark.parametrize(
    "changes",
    [
        {"setting": ("environment", "cart_pole")},
        {"function": "surefoot.papers.jordan2020.scores:table_1"},
        {"kind": "figure"},
        {"optional": ()},
    ],
)
def test_all_that_the_catalogue_says_of_a_drawing_is_in_its_key(config, monkeypatch, changes):
    def drawn():
        return next(job for job in plan(config) if (job.stage, job.study) == ("draw", "jordan2020"))

    before = key(drawn())
    drawings = CATALOGUE["jordan2020"]
    monkeypatch.setitem(drawings, "table_acrobot", drawings["table_acrobot"]._replace(**changes))
    assert key(drawn()) != before


def test_the_title_of_a_drawing_in_lists_is_not_in_its_key(config, monkeypatch):
    drawings = CATALOGUE["study"]
    before = [key(job) for job in plan(config) if job.stage == "draw"]
    monkeypatch.setitem(drawings, "scores", drawings["scores"]._replace(title="Another"))
    assert [key(job) for job in plan(config) if job.stage == "draw"] == before


def test_sets_of_scores_name_what_makes_them_and_the_tables_that_are_kept_for_them(config):
    config["studies"]["agarwal2021"]["collect"]["download"] = True
    jobs = {(job.stage, job.part): job for job in plan(config) if job.study == "agarwal2021"}
    sets = jobs["normalize", "procgen_and_dm_control"]
    assert {"procgen_score_ranges", "dm_control_means"} <= set(sets.inputs)
    assert {"procgen_score_ranges", "dm_control_means"}.isdisjoint(jobs["normalize", "atari100k"].inputs)
    code = set(reached_modules(sets.module))
    assert {"surefoot.scales.score_sets", "surefoot.statistics.run_order"} <= code
    assert "atari_games" in jobs["collect", "curves"].inputs
    assert all(Path(path).is_file() for path in sets.inputs.values() if not path.startswith("results/"))


def test_the_versions_of_all_libraries_that_the_code_imports_are_in_the_spec(config):
    """Those of its plain imports; what these bring along is pinned by them."""
    known, missing = packages_distributions(), {}
    for job in plan(config):
        versions = {name.lower().replace("_", "-") for name in specification(job)["versions"]}
        assert "python" in versions
        for reached in {found for module in specification(job)["code"] for found in reached_modules(module)}:
            for name in imported_libraries(reached):
                if not {title.lower().replace("_", "-") for title in known[name]} & versions:
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
