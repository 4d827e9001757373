"""The scale that a report is asked for."""

from support.jobs import written

from surefoot.cli.commands import main


def test_a_scale_by_name(atari, capsys):
    command = ["report", str(atari / "runs.csv"), "-o", str(atari / "page")]
    assert main([*command, "--scale", "atari"]) == 2
    assert 'unknown scale "atari". Hint: did you mean "atari_human"?' in capsys.readouterr().err
    assert main([*command, "--scale", "dm_control"]) == 2
    missing = "dm_control has no scores for ALE/Pong-v5, BoxingNoFrameskip-v4"
    hint = "use another scale, such as --scale atari_human"
    assert f"surefoot: command line: --scale: {missing}. Hint: {hint}\n" in capsys.readouterr().err
    assert not (atari / "page").exists(), "no study is written that cannot be made"
    assert main([*command, "--scale", "atari_human"]) == 0
    assert written(atari)["scales"] == {"runs": {"kind": "reference_scores", "reference_table": "atari_human"}}
    grid = written(atari)["questions"]["performance_profiles"]["thresholds"]
    assert grid["from"] == 0 and (52 - 0.1) / 12 < grid["to"] < 4.5, "52 points of Boxing, of 0.1 and 12.1"
    capsys.readouterr()
    assert main([*command, "--scale", "min_max"]) == 2
    assert "study.yaml has scale: atari_human. Hint: use -o " in capsys.readouterr().err
