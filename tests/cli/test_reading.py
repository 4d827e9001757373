"""`surefoot read` and `surefoot.read_runs`."""

import warnings

import pandas as pd
import pytest
from support.write_logs import write_evaluations, write_text, write_zoo

import surefoot
from surefoot.cli.commands import main
from surefoot.errors import Remark


@pytest.fixture
def runs(tmp_path):
    for algorithm in ("ppo", "a2c"):
        for counter in (1, 2, 3)[: 3 if algorithm == "ppo" else 2]:
            write_zoo(tmp_path / "runs", algorithm, "CartPole-v1", counter, counter)
    return tmp_path / "runs"


def test_the_command_says_what_was_found_and_writes_the_table(runs, tmp_path, capsys):
    path = tmp_path / "new" / "scores.parquet"
    assert main(["read", str(runs), "-o", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "format zoo, kind eval" and lines[1] == "environments: CartPole-v1" and lines[-1] == str(path)
    assert [line.split()[:4] for line in lines[2:5]] == [
        ["algorithm", "environments", "runs", "runs_of_each"],
        ["a2c", "1", "2", "2"],
        ["ppo", "1", "3", "3"],
    ]
    assert all(len(line) <= 80 for line in lines[2:5])
    assert any(line.startswith("remark: scores of the kind train are not used for 5 runs") for line in lines)
    with pytest.warns(UserWarning, match="are not used"):
        table = surefoot.read_runs(runs)
    pd.testing.assert_frame_equal(pd.read_parquet(path), table)
    assert [file.name for file in path.parent.iterdir()] == ["scores.parquet"]


def test_a_file_that_has_changed_is_read_anew(tmp_path):
    """Its columns too, which are looked at several times while a folder is read."""
    table = pd.DataFrame({"algorithm": ["a", "b"], "environment": "x", "run": 0, "step": 1, "score": [1.0, 2.0]})
    table.to_csv(tmp_path / "runs.csv", index=False)
    assert list(surefoot.read_runs(tmp_path)["score"]) == [1.0, 2.0]
    changed = table.rename(columns={"algorithm": "method", "score": "return"}).assign(**{"return": [3.0, 4.0]})
    changed.to_csv(tmp_path / "runs.csv", index=False)
    assert list(surefoot.read_runs(tmp_path)["score"]) == [3.0, 4.0]


def test_a_file_that_is_there_is_never_written_over(runs, tmp_path, capsys):
    (tmp_path / "scores.csv").write_text("precious")
    assert main(["read", str(runs), "-o", str(tmp_path / "scores.csv")]) == 2
    said = capsys.readouterr().err
    assert "scores.csv already exists. Hint: choose another name, or move the file away first" in said
    assert (tmp_path / "scores.csv").read_text() == "precious"
    assert main(["read", str(runs), "-o", str(tmp_path / "scores.xlsx")]) == 2
    assert "is neither Parquet nor CSV. Hint: use a name that ends in .parquet or .csv" in capsys.readouterr().err


def test_options_of_the_command_are_those_of_the_function(runs, tmp_path, capsys):
    out = str(tmp_path / "train.csv")
    assert main(["read", str(runs), "--score-kind", "train", "--format", "zoo", "--metric", "l", "-o", out]) == 0
    assert set(pd.read_csv(out)["score"]) == {5.0, 10.0}
    assert main(["read", str(runs), "--name-from", "algorithm"]) == 2
    assert '--name-from: "algorithm" has no key' in capsys.readouterr().err
    write_text(tmp_path / "d.json", '{"ours": [[1, 2], [3, 4]]}')
    assert main(["read", str(tmp_path / "d.json"), "--environment", "maze,chain"]) == 0
    assert "environments: chain, maze" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["runs.csv", "runs.tsv", "runs.json", "log.jsonl"])
def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path, name):
    rows = [("a", "x", 0, 1, 1.5), ("a", "x", 0, 2, 2.5), ("b", "x", 0, 1, 3.5), ("b", "x", 0, 2, 4.5)]
    table = pd.DataFrame(rows, columns=["algo", "env", "seed", "step", "return"])
    options = {} if name.endswith("sv") else {"orient": "records", "lines": name.endswith("l")}
    text = table.to_json(**options) if options else table.to_csv(index=False, sep="\t" if "tsv" in name else ",")
    (tmp_path / name).write_text("\ufeff" + text, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Remark)
        read = surefoot.read_runs(tmp_path / name)
    assert read["score"].tolist() == table["return"].tolist()


def test_control_characters_of_names_do_not_reach_the_terminal(tmp_path, capsys):
    """In paths they are escaped, and in names that files state refused."""
    write_evaluations(tmp_path / "p\x1b[31mpo" / "Ant" / "1" / "evaluations.npz", [1], [[1.0]])
    assert main(["read", str(tmp_path), "--pattern", "{algorithm}/{environment}/{seed}"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out and "p\\x1b[31mpo " in out
    write_text(tmp_path / "runs.csv", "algorithm,environment,run,score\np\x1b[31mpo,Ant,1,2\n")
    assert main(["read", str(tmp_path / "runs.csv")]) == 2
    error = capsys.readouterr().err
    assert "\x1b" not in error and "the algorithm 'p\\x1b[31mpo' has a character that cannot be printed" in error


def test_runs_that_are_missing_are_counted(tmp_path, capsys):
    rows = "".join(f"{name},{task},{run},1\n" for name, task in ("ax", "ay", "bx") for run in (0, 1, 2))
    write_text(tmp_path / "runs.csv", f"algorithm,environment,run,score\n{rows}")
    assert main(["read", str(tmp_path / "runs.csv")]) == 0
    assert " 0 to 3 runs (seeds) of each algorithm in each of 2 environments" in capsys.readouterr().out
