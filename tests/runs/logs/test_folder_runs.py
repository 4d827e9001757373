"""Reading a folder as one table: what it needs, options that are not known or without effect, names that only paths
tell, and files of other formats."""

import sys

import pytest
from support.read_folders import BY_FOLDERS, read_folder, told
from support.terminal import Terminal
from support.write_logs import write_evaluations, write_json, write_monitor, write_text

import surefoot
from surefoot.cli.commands import main
from surefoot.cli.reading import ask_about_names
from surefoot.errors import InputError


def test_folders_without_runs(tmp_path):
    assert "no such folder. Hint: give the folder of the runs" in told(tmp_path / "nowhere")
    assert "no runs of a known format among its 0 files. Hint: the formats are acme, " in told(tmp_path)
    for number in range(3):
        write_text(tmp_path / f"model{number}.zip", "x")
    write_text(tmp_path / "readme", "x")
    assert "among its 4 files (3 .zip, 1 readme)" in told(tmp_path)
    assert "no runs of the format cleanrl" in told(tmp_path, format="cleanrl")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"format": "cleanr"}, 'format: unknown format "cleanr". Hint: did you mean "cleanrl"?'),
        ({"invalid_scores": "floor"}, "invalid_scores: 'floor' is not allowed"),
        ({"pattern": "{algo}/{seed}"}, 'pattern: "{algo}" is not known. Hint: did you mean "algorithm"?'),
        ({"pattern": "{}/{}"}, 'pattern: "{}/{}" names nothing. Hint: use one such as "{environment}__'),
        ({"pattern": "{seed"}, 'pattern: "{seed" is not a pattern'),
        ({"pattern": "{seed}/{run}"}, "names the run twice"),
        ({"names_from": {"algo": "x"}}, 'names_from: "algo" does not identify runs'),
    ],
)
def test_options_that_are_not_known(tmp_path, options, said):
    assert said in told(tmp_path, **options)


def test_a_folder_of_one_run_goes_by_its_own_name(tmp_path):
    write_monitor(tmp_path / "ppo" / "monitor.csv", [(1, 10, 1.0)])
    found = read_folder(tmp_path / "ppo", algorithm="ppo").table
    assert found[["algorithm", "environment", "run"]].values.tolist() == [["ppo", "CartPole-v1", "ppo"]]


@pytest.fixture
def runs(tmp_path):
    for algorithm in ("ppo", "sac"):
        for run in (1, 2):
            folder = tmp_path / "runs" / algorithm / "Hopper-v4" / str(run)
            write_evaluations(folder / "evaluations.npz", [10, 20], [[1.0], [2.0]])
            write_json(folder / "config.json", {"agent": {"name": algorithm}, "seed": run})
    return tmp_path / "runs"


@pytest.fixture
def table(tmp_path):
    write_text(
        tmp_path / "scores.csv", "agent,task,seed,final_return\nppo,Ant,1,2\nppo,Ant,2,3\nsac,Ant,1,4\nsac,Ant,2,5\n"
    )
    return tmp_path / "scores.csv"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"algorithm": "mine"}, 'the algorithm is given twice, by --algorithm mine and by --pattern "'),
        ({"names_from": {"seed": "seed"}}, 'the run is given twice, by --pattern "'),
        ({"environment": ["a", "b"], "pattern": "{algorithm}/{}/{seed}"}, "environment: 2 environments are named"),
        ({"wide": "tasks"}, "wide: it is for tables, but the runs have the format stable_baselines3_evaluations"),
        ({"metric": ["results", "succeses"]}, "no scores under succeses"),
        ({"files": ["evaluations.npz", "eval.csv"]}, "files: no file matches eval.csv among ppo/Hopper-v4/1/"),
        (
            {"pattern": "{environment}/{seed}", "names_from": {"algorithm": "agent.nam"}},
            'no configuration of a run has a name under "agent.nam"',
        ),
        (
            {"continued": "join"},
            "continued: no log has steps that restart, and no log begins where another one ends. ",
        ),
        ({"continued": "separate"}, "continued: no log has steps that restart"),
        (
            {"step": "wall_time"},
            'no column "wall_time" among timesteps. Hint: use --step with timesteps; or use --files',
        ),
    ],
)
def test_an_option_without_effect_is_an_error(runs, options, said):
    assert said in told(runs, **{"pattern": BY_FOLDERS, **options})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"metric": "final_retun"}, 'no scores under final_retun. Hint: did you mean "final_return"?'),
        ({"names_from": {"algorithm": "method"}}, 'no column "method" (algorithm)'),
        ({"environment": ["Ant", "Hopper"]}, "environment: 2 environments are named"),
        ({"algorithm": "mine"}, "the algorithm should be 'mine', but its column has ppo, sac"),
        ({"step": "step"}, 'no column "step"'),
        ({"score_kind": "absolute"}, "nothing in these files states the kind of their scores"),
        ({"continued": "join"}, "continued: no log has steps that restart"),
        ({"hyperparameters": ["lr"]}, 'no hyperparameter "lr"'),
    ],
)
def test_an_option_without_effect_on_a_table_is_an_error(table, options, said):
    assert said in told(table, **options)


def test_names_that_only_paths_tell_are_asked_about(runs, capsys, monkeypatch):
    for path in runs.rglob("config.json"):
        path.unlink()
    table = read_folder(runs).table
    assert table.attrs["guessed_pattern"] == BY_FOLDERS
    assert main(["report", str(runs), "-o", str(runs.parent / "report")]) == 2
    out, err = capsys.readouterr()
    assert "names that were read from the paths alone:" in out and "Hopper-v4" in out
    assert "only the paths indicate" in err and f'--pattern "{BY_FOLDERS}"; or use --yes' in err
    assert not (runs.parent / "report").exists()
    monkeypatch.setattr(sys, "stdin", Terminal("y\n\n"))
    ask_about_names(table)
    with pytest.raises(InputError, match="are wrong"):
        ask_about_names(table)
    ask_about_names(read_folder(runs, pattern=BY_FOLDERS).table)


def test_files_of_other_formats_are_said_to_be_of_these(runs):
    for run in (1, 2):
        write_monitor(runs / "ppo" / "Hopper-v4" / str(run) / "monitor.csv", [(7.0, 10, 1.0)])
        write_text(runs / "ppo" / "Hopper-v4" / str(run) / "loss.csv", "step,loss\n1,2\n")
    table = read_folder(runs, pattern=BY_FOLDERS, format="stable_baselines3_evaluations").table
    account = surefoot.reading_account(table)
    outcomes = dict(
        zip(account["file"], account[["outcome", "reason"]].itertuples(index=False, name=None), strict=True)
    )
    why = "(--format stable_baselines3_evaluations)"
    assert outcomes["ppo/Hopper-v4/1/monitor.csv"] == (
        "not asked for",
        f"of the format stable_baselines3_monitor {why}",
    )
    assert outcomes["ppo/Hopper-v4/1/config.json"] == ("other file", "configuration")
    assert outcomes["ppo/Hopper-v4/1/loss.csv"][0] in ("second record", "not asked for")
