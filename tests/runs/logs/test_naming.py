"""Names that are read from paths, and patterns of paths."""

import re

import pytest

from surefoot.errors import InputError
from surefoot.runs.logs.naming import guess, matched, refuse_unnamed


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
