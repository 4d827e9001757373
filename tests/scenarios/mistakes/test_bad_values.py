"""Values that no one means: far too large, too deep, too long or of another kind. Each is one short sentence."""

import datetime
import json
import re
import resource
import time

import pandas as pd
import pytest
from support.one_study import write_runs

from surefoot.errors import InputError, nearest
from surefoot.runs.sources.score_tables import read
from surefoot.runs.sources.tables import ScoreTable
from surefoot.workflow.configuration.configuration_files import read_configuration, read_yaml
from surefoot.workflow.configuration.validation import validate_configuration


def records(score):
    return [
        {"algorithm": name, "environment": "maze", "run": run, "score": score(run)} for name in "ab" for run in range(3)
    ]


def read_score_table(path, **settings):
    return read(ScoreTable(file=str(path), **settings), {"file": path})


def told(path, **settings):
    with pytest.raises(InputError) as caught:
        read_score_table(path, **settings)
    assert len(str(caught.value)) < 2000
    return str(caught.value)


@pytest.mark.parametrize(
    ("column", "value", "found"),
    [
        ("score", lambda run: run > 0, "true and false instead of numbers, such as False"),
        ("score", lambda run: datetime.date(2020, 1, 1 + run), "dates instead of numbers, such as datetime."),
        ("score", lambda run: pd.NaT, "dates instead of numbers, such as NaT"),
        ("score", datetime.timedelta, "durations instead of numbers, such as Timedelta("),
        ("algorithm", lambda run: b"1", "bytes instead of names or numbers, such as b'1'"),
        ("score", lambda run: [run], "lists instead of numbers, such as array([0])"),
        ("algorithm", lambda run: run > 0, "true and false instead of names or numbers, such as False"),
    ],
)
def test_columns_take_numbers_and_texts_only(tmp_path, column, value, found):
    path = tmp_path / "runs.parquet"
    table = pd.DataFrame(records(float))
    table.assign(**{column: table["run"].map(value)}).to_parquet(path)
    assert f'the column "{column}" contains {found}' in told(path)


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
def test_names_with_braces_and_numbers_for_names_are_read(tmp_path, suffix):
    table = pd.DataFrame(records(float))
    table = table.assign(algorithm=table["algorithm"].map({"a": "ppo{lr=1}", "b": "{}"}), environment=7)
    read = read_score_table(write_runs(tmp_path / f"runs.{suffix}", table.astype({"algorithm": "category"})))
    assert read["algorithm"].unique().tolist() == ["ppo{lr=1}", "{}"]
    assert read["environment"].unique().tolist() == ["7"] and read["run"].tolist() == [0, 1, 2] * 2


def test_long_values_are_cut(tmp_path):
    path = tmp_path / "runs.json"
    path.write_text(json.dumps(records(lambda run: "x" * 1_000_000)))
    assert told(path).count("xxx...xxx") == 6
    assert nearest("x" * 1_000_000, ["mean", "median"]) == "use one of mean, median"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows.assign(score="x"), "scores that are not finite numbers (6): ayyy"),
        (lambda rows: pd.concat([rows, rows]), "duplicate runs (6): ayyy"),
        (lambda rows: rows.assign(environment=["s", "t", "t", "t", "t", "t"]), "cells without a run (1): byyy"),
        (lambda rows: rows.rename(columns={"score": "return"}), 'no column "score" for score'),
    ],
)
def test_long_names_are_cut(tmp_path, change, message):
    path, long = tmp_path / "runs.json", "y" * 9_999
    table = pd.DataFrame(records(float))
    change(table.assign(algorithm=table["algorithm"] + long)).to_json(path, orient="records")
    found = told(path)
    assert message in found and found.count("y") < 1600
    assert re.search(r'y \[\.\.\.\] y+" for run', told(path, columns={"run": long}))


def study(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        validate_configuration(read_configuration([path]), [path])
    assert len(str(caught.value)) < 1000
    return str(caught.value)


def test_a_bomb_of_aliases_is_a_short_sentence(tmp_path):
    parts = ["&a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    parts += [f"&a{depth} [{', '.join([f'*a{depth - 1}'] * 9)}]" for depth in range(1, 7)]
    told = study(tmp_path, f"studies: {{mine: {{title: [{', '.join(parts)}]}}}}\n")
    assert told.endswith(
        "mine.yaml: more than 1,000,000 values, including those repeated by aliases. Hint: use fewer aliases (*name) "
        "and merge keys (<<)"
    )


@pytest.mark.parametrize("width", [9, 60])
def test_a_bomb_of_merge_keys_takes_neither_time_nor_memory(tmp_path, width):
    """Each level merges the one below it many times: 9^30 pairs, if they were all taken."""
    levels = ["a0: &a0 {k0: 1, k1: 2}"]
    levels += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * width)}], k{n}: 3}}" for n in range(1, 30)]
    started = time.process_time()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "more than 1,000,000 values" in study(tmp_path, "\n".join(levels) + "\nstudies: {mine: {<<: *a29}}\n")
    assert time.process_time() - started < 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + 500_000


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("n_resamples: %s", "mine.n_resamples: %s is not allowed"),
        (
            "questions: {x: {kind: probability_of_improvement, decimals: %s}}",
            "questions.x.decimals: %s is not allowed. Hint: it must be less than or equal to 15",
        ),
    ],
)
def test_numbers_that_no_computer_can_count_to_are_one_sentence(tmp_path, section, message):
    number = 10**30
    text = "studies:\n  mine:\n    title: Mine\n    sources: {runs: {kind: score_table, file: x.csv}}\n    "
    assert message % number in study(tmp_path, f"{text}{section % number}\n")


@pytest.mark.parametrize("key", ["2020-01-01", "true", "1.5", "~", "x" * 101])
def test_keys_that_cannot_name_files_are_one_sentence(tmp_path, key):
    runs = "kind: score_table, file: x.csv"
    for text, message in (
        (f"{key}: {{title: x}}", "is not a valid name. Hint: use lower-case letters"),
        (f"mine: {{title: x, {key}: 1}}", "unknown key. Hint: "),
        (f"mine: {{title: x, sources: {{{key}: {{{runs}}}}}}}", "is not a valid name. Hint: use lower-case letters"),
        (f"mine: {{title: x, sources: {{runs: {{{runs}, {key}: 1}}}}}}", "unknown key. Hint: "),
    ):
        assert message in study(tmp_path, f"studies: {{{text}}}\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "mine.yaml: lists or mappings are nested too deeply. Hint: "),
        ("studies: {mine: {seed: 1%s}}" % ("0" * 5000), "mine.yaml: a value cannot be read: Exceeds the limit"),
        ("studies: {mine: {title: 2020-13-45}}", "mine.yaml: a value cannot be read: month must be in 1..12"),
    ],
)
def test_yaml_that_cannot_be_read_is_one_sentence(tmp_path, text, message):
    assert message in study(tmp_path, text)


@pytest.mark.parametrize(
    ("opened", "closed", "padding"),
    [("[", "]", 0), ("[", "]", 3_000), ("{a: ", "}", 0), ("[a: ", "]", 3_000), ("- ", "", 0)],
)
def test_yaml_is_nested_a_hundred_levels_at_most(tmp_path, opened, closed, padding):
    """A long comment has the reader follow the events, as deep files do, which would end the process else."""
    path, levels = tmp_path / "mine.yaml", 50 if opened == "[a: " else 100
    for times in (levels, levels + 1, 100_000):
        path.write_text(f"#{padding * '-'}\n{times * opened}1{times * closed}\n")
        if times == levels:
            assert read_yaml(path)
            continue
        with pytest.raises(InputError, match=r"mine.yaml: lists or mappings are nested too deeply\. Hint: "):
            read_yaml(path)
