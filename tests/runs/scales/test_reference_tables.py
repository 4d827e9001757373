"""Tables of reference scores by name, and the many spellings of their environments."""

from typing import get_args

import pandas as pd
import pytest
from gymnasium.envs.registration import registry

import surefoot
from surefoot.cli.report_choices import chosen_scale
from surefoot.runs.scales.reference_tables import (
    ReferenceName,
    read_reference_table,
    reference_of,
    reference_tables,
)
from surefoot.runs.scales.reference_tables import (
    rows_meant as meant,
)

OTHER_GAMES = ("Adventure", "AirRaid", "Atlantis2", "Carnival", "Et", "Galaxian", "Pacman", "Pitfall2", "VideoChess")
"""Games of ale-py that have no scores of human players; some are called nearly as others that have."""


def runs_of(*environments, scores=(1.0, 3.0)):
    rows = [(a, e, run, score + (a == "b")) for a in "ab" for e in environments for run, score in enumerate(scores)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


@pytest.mark.parametrize(
    ("table", "number", "forms"),
    [
        (
            "atari_human",
            57,
            "{0} ALE/{0}-v5 {0}-v4 {0}NoFrameskip-v4 {0}Deterministic-v0 {0}-ramNoFrameskip-v4 gymnasium:ALE/{0}-v5 "
            "atari_{0}",
        ),
        ("dm_control", 49, "{1}-{2} {1}_{2} dm_control/{1}-{2}-v0 dmc_{1}_{2} dm_control:{1}-{2} DMC-{1}-{2}"),
        ("procgen_easy", 16, "{0} procgen:procgen-{0}-v0 procgen-{0}-v0 procgen_{0} {0}-v0"),
        ("procgen_hard", 16, "{0} procgen:procgen-{0}-v0 procgen-{0}-v0 procgen_{0} {0}-v0"),
        ("metaworld", 50, "{0}-v3 {0}-v2 {0} Meta-World/{0}-v3 metaworld_{0} {0}-v2-goal-observable mw-{0}"),
    ],
)
def test_environments_are_recognized_in_each_form_and_no_others(table, number, forms):
    """The Atari games are the 57 of ale-py 0.12.1 that have scores of human players."""
    rows = read_reference_table(table).index
    others = {"atari_human": OTHER_GAMES, "dm_control": ("lqr-lqr_2_1", "lqr-lqr_6_2")}.get(table, ())
    assert len(rows) == number
    for form in forms.split():
        names = {form.format(row, *row.split("-")): row for row in rows}
        assert meant(names, table) == names
        assert meant([form.format(row, *row.split("-")) for row in others], table) == {}
        if table == "atari_human":
            lower = {name.lower(): row for name, row in names.items()}
            assert meant(lower, table) == lower


def test_other_ways_to_write_atari_games():
    written = {
        "montezuma_revenge": "MontezumaRevenge",
        "Montezuma's Revenge": "MontezumaRevenge",
        "atari_ms_pacman": "MsPacman",
        "atari100k_up_n_down": "UpNDown",
        "Q*bert": "Qbert",
        "river_raid": "Riverraid",
        "james_bond": "Jamesbond",
        "H.E.R.O.": "Hero",
        "Yars' Revenge": "YarsRevenge",
    }
    assert meant(written, "atari_human") == written


def test_procgen_is_recognized_in_its_mode():
    assert meant(["CoinrunEasy-v0", "CoinrunHard-v0"], "procgen_easy") == {"CoinrunEasy-v0": "coinrun"}
    assert meant(["CoinrunEasy-v0", "CoinrunHard-v0"], "procgen_hard") == {"CoinrunHard-v0": "coinrun"}


def test_d4rl_data_sets_differ_from_those_of_minari():
    written = {
        "halfcheetah-medium-v2": "halfcheetah-medium-v2",
        "halfcheetah_medium_replay-v0": "halfcheetah-medium-replay-v0",
        "d4rl:walker2d-expert-v1": "walker2d-expert-v1",
        "antmaze-umaze-diverse-v2": "antmaze-umaze-diverse-v2",
    }
    assert meant(written, "d4rl") == written
    without = meant(["hopper-medium", "maze2d-umaze"], "d4rl")
    assert {name.rsplit("-v", 1)[0] for name in without.values()} == {"hopper-medium", "maze2d-umaze"}
    assert meant(["D4RL/pen/human-v2", "mujoco/halfcheetah/medium-v0", "hopper-medium-v9", "hopper"], "d4rl") == {}


def test_no_environment_of_gymnasium_is_taken_for_another():
    names = [name for name in registry if not name.startswith("ALE/")]
    assert len(names) > 30
    assert {table: meant(names, table) for table in reference_tables()} == {table: {} for table in reference_tables()}


def test_each_row_of_a_table_means_itself_and_has_a_scale():
    assert list(reference_tables()) == list(get_args(ReferenceName))
    for name in reference_tables():
        known = read_reference_table(name)
        rows = list(known.index)
        assert meant(rows, name) == {row: row for row in rows}
        assert (known["one"] > known["zero"]).all()


@pytest.mark.parametrize(
    ("scores", "table"),
    [
        ({"ALE/Pong-v5": (-20.0, 15.0), "boxing": (1.0, 80.0)}, "atari_human"),
        ({"cheetah_run": (300.0, 900.0), "walker-walk": (500.0, 950.0)}, "dm_control"),
        ({"cheetah_run": (0.3, 0.9), "walker-walk": (0.5, 0.95)}, None),  # divided by 1,000 already
        ({"cheetah_run": (300.0, 1900.0), "walker-walk": (500.0, 950.0)}, None),  # impossible
        ({"coinrun": (5.0, 9.0), "starpilot": (5.0, 30.0)}, None),  # easy or hard?
        ({"Alien": (0.3, 1.1), "Asterix": (0.2, 0.9)}, None),  # human-normalized already
        ({"Hopper-v4": (300.0, 900.0), "Ant-v4": (500.0, 950.0)}, None),
    ],
)
def test_known_reference_scores_are_the_default(scores, table):
    runs = pd.concat([runs_of(name, scores=both) for name, both in scores.items()], ignore_index=True)
    assert reference_of(runs) == table
    expected = {"kind": "min_max"} if table is None else {"kind": "reference_scores", "reference_table": table}
    assert chosen_scale(None, runs) == expected
    assert chosen_scale(None, runs, lower=True) == {"kind": "min_max"}
    pd.testing.assert_frame_equal(surefoot.normalize_scores(runs), surefoot.normalize_scores(runs, table or "min_max"))


def test_scores_of_0_and_1_stay_as_they_are():
    runs = pd.concat([runs_of("maze", scores=(0.0, 1.0)), runs_of("pole", scores=(1.0, 1.0))], ignore_index=True)
    runs["score"] = runs["score"].clip(upper=1.0)
    assert chosen_scale(None, runs) == {"kind": "none"} == chosen_scale(None, runs, lower=True)
    assert surefoot.normalize_scores(runs)["score"].tolist() == runs["score"].tolist()
