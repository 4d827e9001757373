"""Names that are read from paths, and patterns of paths."""

import re
from itertools import product

import pytest
from support.read_folders import BY_FOLDERS, read_folder, told
from support.write_logs import write_evaluations, write_text

from surefoot.errors import InputError
from surefoot.runs.logs.naming import guess, matched, pairs_in_path, refuse_unnamed


@pytest.mark.parametrize(
    ("pattern", "place", "names"),
    [
        ("{environment}__{algorithm}__{seed}__{}", "Ant-v4__ppo__x__1__17", ("Ant-v4__ppo", "x", "1")),
        ("{environment}__{algorithm}__{seed}__{}", "a/b/Ant__ppo__1__17", ("Ant", "ppo", "1")),
        ("{environment}/{environment}__{algorithm}__{seed}__{}", "ALE/Pong__ppo__1__17", ("ALE/Pong", "ppo", "1")),
        ("{algorithm}/{environment}/s{seed}", "x/ppo/Ant/s3", ("Ant", "ppo", "3")),
        ("{algorithm}.{environment}[{seed}]", "ppo.Ant[3]", ("Ant", "ppo", "3")),
        ("{algorithm}-{environment}-{seed}", "my-ppo-Ant-v4-3", ("Ant-v4", "my-ppo", "3")),
        ("{algorithm}-{environment}-{seed}", "my-ppo-Ant-3", ("Ant", "my-ppo", "3")),
        ("{algorithm}.{environment}[{seed}]", "ppoxAnt[3]", None),
    ],
)
def test_patterns_match_the_ends_of_paths(pattern, place, names):
    found = matched(pattern, place)
    assert found == (names and dict(zip(("environment", "algorithm", "run"), names, strict=True)))


def crossed(pattern, algorithms=("my_a2c", "ppo"), environments=("Ant-v4", "Hopper-v4"), seeds=(0, 1)):
    return [
        pattern.format(a=algorithm, e=environment, s=seed, u=f"17000000{place}{seed}")
        for place, algorithm in enumerate(algorithms)
        for environment in environments
        for seed in seeds
    ]


@pytest.mark.parametrize(
    ("layout", "pattern"),
    [
        ("{a}/{e}_{s}", "{algorithm}/{environment}_{seed}"),
        ("logs/{e}/{a}/{s}", "{environment}/{algorithm}/{seed}"),
        ("{e}/{a}/seed_{s}", "{environment}/{algorithm}/seed_{seed}"),
        ("{a}_{e}_seed_{s}", "{algorithm}_{environment}_seed_{seed}"),
        ("{a}_{e}_seed{s}_1", "{algorithm}_{environment}_seed{seed}_{}"),
        ("{a}-{e}-{s}", "{algorithm}-{environment}-{seed}"),
        ("{e}__{a}__{s}__{u}", "{environment}__{algorithm}__{seed}__{}"),
        ("{a}/{a}_{e}_{s}", "{algorithm}_{environment}_{seed}"),
        ("ALE/{e}/{a}/{s}", "{environment}/{algorithm}/{seed}"),
        ("{a}/{e}/{s}/version_0", "{algorithm}/{environment}/{seed}/{}"),
    ],
)
def test_names_are_read_from_paths_that_show_them(layout, pattern):
    places = crossed(layout)
    found = guess(places, [{}] * len(places))
    assert found.pattern == pattern and found.certain
    wanted = [
        {"algorithm": algorithm, "environment": environment, "run": str(seed)}
        for algorithm in ("my_a2c", "ppo")
        for environment in ("Ant-v4", "Hopper-v4")
        for seed in (0, 1)
    ]
    assert list(found.names) == wanted == [matched(pattern, place) for place in places]


@pytest.mark.parametrize(
    ("places", "pattern"),
    [
        (["ppo__Ant__0", "ppo__Ant__1", "sac__Ant__0", "sac__Ant__1"], "{algorithm}__{environment}__{seed}"),
        (["Ant-v4__ppo__0", "Ant-v4__ppo__1"], "{environment}__{algorithm}__{seed}"),
        (
            [f"{name}/pick-place_1/s{seed}" for name in ("ppo", "sac") for seed in (3, 4)],
            "{algorithm}/{environment}/s{seed}",
        ),
        (["ppo/Ant-v4/1", "ppo/Ant-v4/2", "old/sac/Ant-v4/1", "old/sac/Ant-v4/2"], "{algorithm}/{environment}/{seed}"),
        ([f"ours-v{one}/Ant/{seed}" for one in (1, 2) for seed in (0, 1)], "{environment}/{algorithm}/{seed}"),
        (["ppo/Ant-v4/0/other", "ppo/Ant-v4/1/other"], "{algorithm}/{environment}/{seed}/{}"),
    ],
)
def test_a_pattern_is_suggested_for_ambiguous_paths(places, pattern):
    """Which is which is not shown: no part is named as environments are, or several may be the algorithm."""
    assert not guess(places, [{}] * len(places)).certain
    with pytest.raises(InputError) as caught:
        refuse_unnamed("runs", "algorithm", places, [{}] * len(places))
    assert re.search('--pattern "([^"]+)"', caught.value.hint)[1] == pattern
    found = [matched(pattern, place) for place in places]
    assert len({tuple(one.values()) for one in found}) == len(places), "it parts all runs"


@pytest.mark.parametrize(
    "places",
    [
        [f"{name}_{2026}_11_01_10_00_0{seed}_s-{seed}" for name in ("td3", "sac") for seed in (0, 1)],
        [f"{name}/2026-11-01_10-00-0{seed}" for name in ("td3", "sac") for seed in (0, 1)],
        [f"{name}/2026-11-0{seed}_10-00-0{seed}" for name in ("td3", "sac") for seed in (1, 2, 3)],
        ["ppo/Ant-v4", "sac/Ant-v4", "td3/Ant-v4"],
        [f"Ant-v4/try{k}/seed/{seed}" for k in (0, 1) for seed in (0, 1)],
    ],
)
def test_no_pattern_with_times_or_single_runs(places):
    """Each algorithm has two runs somewhere, and none is called by a time, a try or the word seed."""
    found = guess(places, [{}] * len(places))
    if found is not None:
        names = {value for one in found.names for key, value in one.items() if key != "run"}
        assert not any(re.search(r"2026|10-00|try|seed", name) for name in names), names
        assert len(names) < len(places)


def test_parts_that_no_name_may_be_are_not_taken_for_names():
    """Kinds of scores, and sizes of networks: without them runs are not told apart."""
    kinds = [f"ppo/Ant-v4/{seed}/{kind}" for seed in (0, 1) for kind in ("train", "eval")]
    assert guess(kinds, [{}] * len(kinds)) is None
    sizes = crossed("{a}/64/{e}/{s}") + crossed("{a}/128/{e}/{s}")
    assert guess(sizes, [{}] * len(sizes)) is None
    with pytest.raises(InputError) as caught:
        refuse_unnamed("runs", "algorithm", sizes, [{}] * len(sizes))
    assert "--pattern" in caught.value.hint and '--pattern "' not in caught.value.hint, "none that fits no path"


def test_paths_that_a_pattern_does_not_match_are_shown(tmp_path):
    for place in ("ppo/Ant/1", "ppo/Ant/2", "old"):
        write_evaluations(tmp_path / "runs" / place / "evaluations.npz", [1], [[1.0]])
    said = told(tmp_path / "runs", pattern=BY_FOLDERS)
    assert f"""the pattern "{BY_FOLDERS}" does not match 1 path, such as 'old'""" in said


def test_a_pattern_that_lacks_the_name_of_the_file_is_completed(tmp_path):
    for name in ("a", "b"):
        for seed in (1, 2):
            write_text(tmp_path / f"pong-{name}-{seed}" / "scores.csv", "step,eval_return\n1,2\n")
    said = told(tmp_path, pattern="{environment}-{algorithm}-{seed}")
    (pattern,) = re.findall('such as --pattern "([^"]+)"', said)
    assert set(read_folder(tmp_path, pattern=pattern).table["environment"]) == {"pong"}


def test_names_are_read_from_paths_of_one_surviving_run(tmp_path):
    """An algorithm has several runs, though one of them alone has scores."""
    for name in ("ppo", "sac"):
        write_text(tmp_path / name / "Ant-v4" / "1.csv", "step,return\n1,1.5\n2,2.5\n")
        write_text(tmp_path / name / "Ant-v4" / "2.csv", "step,return\n")
    table = read_folder(tmp_path).table
    assert table.attrs["unfinished"] == [["ppo", "Ant-v4", "2"], ["sac", "Ant-v4", "2"]]
    assert set(table["algorithm"]) == {"ppo", "sac"}


def test_a_hint_leaves_open_what_folders_name(tmp_path):
    """Folders that may be environments are not said to be algorithms, and both patterns read them."""
    for name in ("maze", "chain"):
        for seed in (1, 2):
            write_text(tmp_path / name / str(seed) / "progress.csv", "time/total_timesteps,eval/mean_reward\n1,2\n")
    said = told(tmp_path)
    patterns = re.findall('--pattern "([^"]+)" with --([a-z]+) NAME', said)
    assert [name for _, name in patterns] == ["environment", "algorithm"]
    for pattern, name in patterns:
        assert len(read_folder(tmp_path, pattern=pattern, **{name: "x"}).table) == 4


@pytest.mark.parametrize(
    ("place", "pairs"),
    [
        ("agent=ppo,env=Ant-v4,seed=1", {"agent": "ppo", "env": "Ant-v4", "seed": "1"}),
        ("agent=ppo/env=Ant-v4/seed=1", {"agent": "ppo", "env": "Ant-v4", "seed": "1"}),
        ("agent=sac_env=walker_walk_seed=1", {"agent": "sac", "env": "walker_walk", "seed": "1"}),
        ("agent=sac__task=Ant-v4-seed=1", {"agent": "sac", "task": "Ant-v4", "seed": "1"}),
        ("+seed=1,agent.name=sac,lr=0.1", {"seed": "1", "agent.name": "sac", "lr": "0.1"}),
        ("PPO_0_seed=0_2026-11-01_10-00-00", {"seed": "0"}),
        ("agent=sac_learning_rate=0.1_seed=2", {"seed": "2"}),
        ("agent=sac_num_env=8_seed=2", {"seed": "2"}),
        ("n_env=8,myseed=3", {"n_env": "8", "myseed": "3"}),
        ("agent=a/agent=b,lr=", {}),
        ("=/a==b/ppo/1", {}),
    ],
)
def test_paths_state_values_by_key(place, pairs):
    assert pairs_in_path(place) == pairs


@pytest.mark.parametrize("sign", "/,_")
def test_pairs_in_paths_name_runs_and_hyperparameters(tmp_path, sign):
    each = list(product(("ppo", "sac"), ("Ant-v4", "Hopper"), ("0.1", "0.2"), "12"))
    for names in each:
        path = "agent={}+env={}+lr={}+seed={}".replace("+", sign).format(*names)
        write_evaluations(tmp_path / path / "evaluations.npz", [1, 2], [[1.0], [2.0]])
    table = read_folder(tmp_path, hyperparameters=["lr"]).table
    found = table[["algorithm", "environment", "lr", "run"]].astype(str).drop_duplicates().to_numpy().tolist()
    assert sorted(map(tuple, found)) == sorted(each)
    assert "guessed_pattern" not in table.attrs


def test_an_environment_missing_from_paths_is_asked_for(tmp_path):
    for name in ("PPO_1", "PPO_2", "A2C_1", "A2C_2"):
        write_text(tmp_path / name / "progress.csv", "time/total_timesteps,eval/mean_reward\n1,2\n")
    assert told(tmp_path).endswith('such as --pattern "{algorithm}_{seed}" with --environment NAME')
    found = read_folder(tmp_path, environment="CartPole-v1")
    names = found.table[["algorithm", "environment", "run"]].values.tolist()
    assert names == [[name, "CartPole-v1", run] for name in ("A2C", "PPO") for run in (1, 2)]
    assert found.remarks == ('names are read from the paths, as with --pattern "{algorithm}_{seed}"',)
    again = read_folder(tmp_path, environment="CartPole-v1", pattern="{algorithm}_{seed}")
    assert again.table.equals(found.table)
