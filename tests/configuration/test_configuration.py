"""Configuration: the shipped one passes, every kind of mistake is one sentence with file, key and hint."""

import copy
import re
from pathlib import Path

import pytest
import yaml

from surefoot.build.errors import InputError
from surefoot.configuration.validation import SCHEMA_PATH, read_configuration, validate_configuration, where_given
from surefoot.simulation.registry import ALGORITHMS, Algorithm

ROOT = Path(__file__).parents[2]
SHIPPED = [ROOT / "config" / "config.yaml", *sorted((ROOT / "config" / "studies").glob("*.yaml"))]


def schema_objects(schema):
    """Every part of the schema that describes a mapping or a key."""
    if isinstance(schema, dict):
        yield schema
        for part in schema.values():
            yield from schema_objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from schema_objects(part)


def test_schema_is_strict_and_describes_every_key():
    schema = yaml.safe_load(SCHEMA_PATH.read_text())
    for part in schema_objects(schema):
        if part.get("type") == "object":
            assert "additionalProperties" in part
            assert part["additionalProperties"] is not True
        for name, key in part.get("properties", {}).items() if isinstance(part.get("properties"), dict) else ():
            described = schema["$defs"][key["$ref"].rsplit("/", 1)[1]] if "$ref" in key else key
            assert described.get("description") or name in ("studies",), name
    assert all("description" in part for name, part in schema["$defs"].items() if name != "study")


def test_shipped_configuration_is_valid_and_gets_its_defaults():
    config = validate_configuration(read_configuration(SHIPPED), SHIPPED, ROOT / "reports")
    study = config["studies"]["jordan2020"]
    assert study["estimate"]["confidence"] == 0.95
    assert study["collect"] == {
        "columns": {"algorithm": "algorithm", "environment": "environment", "run": "run", "score": "score"},
        "invalid_scores": "error",
        "missing_cells": "error",
        "duplicate_runs": "error",
        "axes": "checked",
        "titles": {},
        "published": {},
        "folder": None,
        "download": False,
        "address": "https://raw.githubusercontent.com",
        "studies": [],
    }


def test_later_files_win_at_depth(tmp_path):
    over = tmp_path / "over.yaml"
    over.write_text("studies: {jordan2020: {simulate: {trials: 5}}}")
    config = read_configuration([*SHIPPED, over])
    assert config["studies"]["jordan2020"]["simulate"]["trials"] == 5
    assert config["studies"]["jordan2020"]["simulate"]["algorithms"][0] == "ac"


def changed(*path, to):
    config = read_configuration(SHIPPED)
    config = copy.deepcopy(config)
    place = config
    for key in path[:-1]:
        place = place.setdefault(key, {})
    place[path[-1]] = to
    return config


JORDAN = ("studies", "jordan2020")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            changed(*JORDAN, "trails", to=1),
            'studies.jordan2020.trails: unknown key. Hint: did you mean "simulate.trials"?',
        ),
        (
            changed(*JORDAN, "simulate", "trails", to=1),
            'studies.jordan2020.simulate.trails: unknown key. Hint: did you mean "trials"?',
        ),
        (
            changed(*JORDAN, "simulate", "trials", to="many"),
            "studies.jordan2020.simulate.trials: 'many' has the wrong type. Hint: it must be a whole number",
        ),
        (
            changed(*JORDAN, "simulate", "trials", to=0),
            "studies.jordan2020.simulate.trials: 0 is too small. Hint: at least 2",
        ),
        (
            changed(*JORDAN, "simulate", "trials", to=-5),
            "studies.jordan2020.simulate.trials: -5 is too small. Hint: at least 2",
        ),
        (
            changed(*JORDAN, "simulate", "algorithms", to=["sarsa", "sarza_parl2"]),
            'studies.jordan2020.simulate.algorithms.1: unknown name "sarza_parl2". Hint: did you mean "sarsa_parl2"?',
        ),
        (
            changed(*JORDAN, "simulate", "algorithms", to=["sarsa"]),
            "studies.jordan2020.simulate.algorithms: ['sarsa'] has too few entries. Hint: at least 2 of them",
        ),
        (
            changed(*JORDAN, "simulate", "environments", to=["chain_10"]),
            'studies.jordan2020.simulate.environments.0: unknown name "chain_10". Hint: did you mean',
        ),
        (
            changed(*JORDAN, "estimate", "methods", to=["pbp", "boostrap"]),
            "studies.jordan2020.estimate.methods.1: 'boostrap' is not allowed. Hint: ",
        ),
        (
            changed(*JORDAN, "estimate", "confidence", to=1.0),
            "studies.jordan2020.estimate.confidence: 1.0 is too large. Hint: less than 1",
        ),
        (
            changed(*JORDAN, "estimate", "subsamples", "environment", to="acrobat"),
            'studies.jordan2020.estimate.subsamples.environment: "acrobat" is not simulated in this study. Hint: one',
        ),
        (
            changed(*JORDAN, "estimate", "subsamples", "sizes", to=[0]),
            "studies.jordan2020.estimate.subsamples.sizes.0: 0 is too small. Hint: at least 1",
        ),
        (
            changed(*JORDAN, "estimate", "subsamples", to={"algorithm": "ac", "sizes": [50]}),
            'studies.jordan2020.estimate.subsamples: key "environment" is missing. Hint: Name of the environment.',
        ),
        (
            changed(*JORDAN, "seed", to=None),
            "studies.jordan2020.seed: null has the wrong type. Hint: it must be a whole number",
        ),
        (
            changed(*JORDAN, "collect", "file", to="x.csv"),
            "studies.jordan2020: simulate and collect.file are given. Hint: a study's runs come from one of",
        ),
        (
            changed(*JORDAN, "render", "page", to="jordan"),
            'studies.jordan2020.render.page: there is no page "jordan". Hint: did you mean "jordan2020"?',
        ),
        (
            changed(*JORDAN, "draw", "figures", to="jordan"),
            'studies.jordan2020.draw.figures: unknown set of figures "jordan". Hint: did you mean "jordan2020"?',
        ),
        (
            changed("studies", "Mine", to={"title": "x"}),
            "studies.Mine: 'Mine' is not a name for a study. Hint: small letters",
        ),
        (
            changed("studies", "check", to={"title": "x", "collect": {"file": "x.csv"}}),
            'studies.check: "check" names a target of the workflow. Hint: another name',
        ),
        (
            changed(*JORDAN, "simulate", "trials", to=2.0),
            "studies.jordan2020.simulate.trials: 2.0 has the wrong type. Hint: it must be a whole number",
        ),
        (
            changed(*JORDAN, "estimate", "confidence", to=float("nan")),
            "studies.jordan2020.estimate.confidence: nan has the wrong type. Hint: it must be a number",
        ),
        (
            changed(*JORDAN, "aggregate", "candidates", to=[1, 5000]),
            "studies.jordan2020.aggregate.candidates: the best of 5000 trials needs more than the 500 trials",
        ),
        (
            changed("studies", "example", "cover", to={"mine": {"sizes": [5], "pool": {"trials": 9}}}),
            "studies.example.cover.mine.pool: a pool is given, but nothing is simulated. Hint: the runs of the study",
        ),
        (
            changed("studies", "example", "cover", to={"mine": {"sizes": [5], "methods": ["pbp_known_bounds"]}}),
            "studies.example.cover.mine.methods: pbp_known_bounds has no bounds. Hint: give estimate.bounds",
        ),
        (changed("studies", to={}), "studies: nothing is given here. Hint:"),
        (changed("renderer", to="auto"), 'renderer: unknown key. Hint: did you mean "render"?'),
        (
            changed("studies", "mine", to={"title": "x"}),
            "studies.mine: no runs: none of simulate, bayesian, collect.file, collect.published. Hint: a study's",
        ),
    ],
)
def test_mistakes_are_one_sentence_with_a_hint(config, message):
    with pytest.raises(InputError) as caught:
        validate_configuration(config, SHIPPED, ROOT / "reports")
    text = str(caught.value)
    assert message in text
    assert "\n" not in text
    assert ". Hint: " in text


def test_quarto_must_be_there_where_it_is_asked_for(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match=r"render: there is no program quarto on the PATH\. Hint: install it"):
        validate_configuration(changed("render", to="quarto"), SHIPPED)


def test_a_study_can_be_left_out():
    config = validate_configuration(changed("studies", "example", to=None), SHIPPED)
    assert list(config["studies"]) == [name for name in read_configuration(SHIPPED)["studies"] if name != "example"]


def test_the_file_that_has_the_key_is_named(tmp_path):
    over = tmp_path / "over.yaml"
    over.write_text("studies: {jordan2020: {simulate: {trials: 0}}}")
    with pytest.raises(InputError, match=r"over\.yaml: studies\.jordan2020\.simulate\.trials: 0 is too small"):
        validate_configuration(read_configuration([*SHIPPED, over]), [*SHIPPED, over])
    with pytest.raises(InputError, match=r"^command line: studies\.jordan2020\.simulate\.trials: -1"):
        validate_configuration(changed(*JORDAN, "simulate", "trials", to=-1), SHIPPED)


def test_broken_yaml_and_missing_files_are_named(tmp_path):
    broken = tmp_path / "broken.yaml"
    broken.write_text("studies: [")
    with pytest.raises(InputError, match=r"broken\.yaml: not valid YAML"):
        read_configuration([broken])
    with pytest.raises(InputError, match=r"none\.yaml: no such configuration file"):
        read_configuration([tmp_path / "none.yaml"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed: 1\nstore: x\nseed: 2\n", "twice.yaml: seed: given twice, in lines 1 and 3. Hint: keep one"),
        ("studies:\n  a: {title: A, label: B,\n    title: C}\n", "studies.a.title: given twice, in lines 2 and 3."),
        ("studies: {a: {x: [{y: 1}, {z: 1, z: 1}]}}", "studies.a.x.1.z: given twice, in lines 1 and 1."),
    ],
)
def test_a_key_stands_once(tmp_path, text, message):
    path = tmp_path / "twice.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_configuration([path])
    assert message in str(caught.value)
    # Snakemake reads the files too, and takes the last: whoever read them, they are looked at.
    with pytest.raises(InputError) as caught:
        validate_configuration(read_configuration(SHIPPED), [*SHIPPED, path])
    assert message in str(caught.value)


def test_what_is_merged_in_may_be_overridden_and_an_alias_may_stand_often(tmp_path):
    path = tmp_path / "merged.yaml"
    path.write_text("a: &a {x: 1, y: 2}\nb: {<<: *a, x: 3}\nc: [*a, *a]\n")
    both = {"x": 1, "y": 2}
    assert read_configuration([path]) == {"a": both, "b": {"x": 3, "y": 2}, "c": [both, both]}


@pytest.mark.parametrize("path", [("cover",), ("cover", "as_published"), ("aggregate",), ("estimate",)])
def test_a_section_that_is_null_is_left_out(path):
    config = changed(*JORDAN, *path, to=None)
    study = validate_configuration(config, SHIPPED)["studies"]["jordan2020"]
    if path == ("cover",):
        assert study["cover"] == {}
    elif path == ("cover", "as_published"):
        assert set(study["cover"]) == {"corrected"}
    elif path == ("aggregate",):
        assert study["aggregate"]["analyses"] == []
    else:
        assert study["estimate"]["subsamples"] is None


def test_an_entry_that_is_null_is_left_out_and_a_value_is_not():
    config = changed(*JORDAN, "simulate", "trials_of", "ppo", to=None)
    assert "ppo" not in validate_configuration(config, SHIPPED)["studies"]["jordan2020"]["simulate"]["trials_of"]
    with pytest.raises(InputError, match=r"simulate.trials: null has the wrong type. Hint: it must be a whole number"):
        validate_configuration(changed(*JORDAN, "simulate", "trials", to=None), SHIPPED)
    with pytest.raises(InputError, match=r"cover: 3 has the wrong type. Hint: it must be a mapping"):
        validate_configuration(changed(*JORDAN, "cover", to=3), SHIPPED)


def test_numbers_of_trials_of_what_the_study_left_out_do_not_matter():
    """An overlay may ask for a single environment, although the shipped study has numbers of trials for others."""
    config = changed(*JORDAN, "simulate", "environments", to=["gridworld_5_stochastic"])
    study = config["studies"]["jordan2020"]
    study["estimate"]["subsamples"] = None
    study["aggregate"]["tuning"] = {"environments": ["gridworld_5_stochastic"]}
    assert validate_configuration(config, SHIPPED)
    study["simulate"]["trials_of"]["chain_11"] = 5
    with pytest.raises(InputError, match=r"trials_of.chain_11: neither algorithm nor environment"):
        validate_configuration(config, SHIPPED)


@pytest.mark.parametrize(
    ("path", "to", "message"),
    [
        (("tuning", "environments"), ["chain_9"], 'tuning.environments.0: "chain_9" is not simulated in this study'),
        (("tuning", "candidates"), 1000, "tuning.candidates: 1000 candidates are more than the 24 draws that are run"),
        (("random_policies", "policies"), 0, "random_policies.policies: 0 is too small. Hint: at least 1"),
        (("candidates",), [100_000], "aggregate.candidates: the best of 100000 trials needs more than the 500 trials"),
    ],
)
def test_what_cannot_be_tuned_is_told(path, to, message):
    with pytest.raises(InputError, match=re.escape(message)):
        validate_configuration(changed(*JORDAN, "aggregate", *path, to=to), SHIPPED)


@pytest.mark.parametrize(
    ("section", "message"),
    [
        (
            {"aggregate": {"tuning": {"hyperparameters": 5}}},
            "aggregate.tuning.hyperparameters: 10 candidates are more than the 5 draws",
        ),
        (
            {"aggregate": {"tuning": {"candidates": 90}}},
            "aggregate.tuning.candidates: 90 candidates are more than the 24",
        ),
        (
            {"cover": {"as_published": {"pool": {"trials": 5}}}},
            "cover.as_published.pool.trials: data sets of 100 trials are more than the 5 trials",
        ),
        ({"cover": {"as_published": {"sizes": [10]}}}, "cover.as_published.sizes: 3 numbers for 1 sizes"),
        ({"draw": {"figures": "nothing"}}, 'draw.figures: unknown set of figures "nothing"'),
    ],
)
def test_a_mistake_between_two_keys_is_told_of_the_one_that_was_given_last(tmp_path, section, message):
    mine = tmp_path / "mine.yaml"
    mine.write_text(yaml.safe_dump({"studies": {"jordan2020": section}}))
    base = tmp_path / "base.yaml"
    base.write_text("studies: {jordan2020: {cover: {as_published: {datasets: [3, 3, 3], sizes: [10, 30, 100]}}}}\n")
    sources = [*SHIPPED, base, mine]
    with pytest.raises(InputError, match=rf"mine\.yaml: studies\.jordan2020\.{re.escape(message)}"):
        validate_configuration(read_configuration(sources), sources)


def test_a_default_is_of_the_file_that_has_the_section_and_another_value_of_the_command_line(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("studies: {mine: {title: Mine, draw: {figures: study}}}\n")
    given = {"studies": {"mine": {"title": "Mine", "draw": {"figures": "other"}}}}
    assert where_given(["studies", "mine", "render", "page"], given, [mine]).endswith(
        "mine.yaml: studies.mine.render.page"
    )
    assert (
        where_given(["studies", "mine", "draw", "figures"], given, [mine]) == "command line: studies.mine.draw.figures"
    )
    both = ["studies", "mine", "title"], given, [mine], [["studies", "mine", "draw", "figures"]]
    assert where_given(*both) == "command line: studies.mine.draw.figures"


def test_a_score_table_has_neither_tuning_nor_random_policies():
    example = ("studies", "example", "aggregate")
    with pytest.raises(InputError, match="tuning needs further runs of the same hyperparameters"):
        validate_configuration(changed(*example, to={"analyses": ["tuning"]}), SHIPPED)
    with pytest.raises(InputError, match="random policies are asked for, and nothing is simulated"):
        validate_configuration(changed(*example, to={"random_policies": {"policies": 5, "episodes": 1}}), SHIPPED)
    with pytest.raises(InputError, match="names a target of the workflow"):
        validate_configuration(changed("studies", "figure_7", to={"title": "x", "collect": {"file": "x.csv"}}), SHIPPED)


def test_an_algorithm_without_a_definition_for_a_kind_of_environment_is_told(monkeypatch, tmp_path):
    """A definition of the user's that knows tables alone."""
    module = tmp_path / "tables_alone.py"
    module.write_text("def tabular(environment):\n    pass\n")
    monkeypatch.setitem(ALGORITHMS, "mine", Algorithm("Mine", str(module), {}))
    config = changed(*JORDAN, "simulate", "algorithms", to=["sarsa", "mine"])
    config["studies"]["jordan2020"] |= {"cover": None, "aggregate": None}
    config["studies"]["jordan2020"]["estimate"]["subsamples"] = None
    with pytest.raises(InputError, match=r'algorithms: "mine" has no definition for continuous environments'):
        validate_configuration(config, SHIPPED)
    config["studies"]["jordan2020"]["simulate"]["environments"] = ["gridworld_5_stochastic"]
    assert validate_configuration(config, SHIPPED)
