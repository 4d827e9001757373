"""Acrobot has the same physics as that of gymnasium, and each difference has a reason."""

import math

import numpy as np
import pytest
from gymnasium.envs.classic_control.acrobot import AcrobotEnv
from support.driving import close, drive
from support.gymnasium_peers import ours, theirs
from support.plain_environments import acrobot_substep

from surefoot.simulation.environments import acrobot


@pytest.fixture
def links():
    """Gymnasium's acrobot with our length of a sub-step."""
    peer = AcrobotEnv()
    peer.reset(seed=0)
    peer.dt = acrobot.SECONDS_PER_SUBSTEP
    return peer


def set_parameters(peer, parameters):
    """Of ours; the centres of mass are in the middles. Gravity is 9.8 in theirs and cannot be changed."""
    assert parameters[acrobot.GRAVITY] == 9.8
    peer.LINK_MASS_1, peer.LINK_LENGTH_1, peer.LINK_MASS_2, peer.LINK_LENGTH_2 = map(float, parameters[:4])
    peer.LINK_COM_POS_1, peer.LINK_COM_POS_2 = parameters[1] / 2, parameters[3] / 2


def test_acrobot_is_theirs_but_for_the_fourth_stage(links):
    """Ten of their sub-steps, minus the classical method's, plus the one with the quirk, are one step of ours; theirs
    is a single one of 0.2 seconds."""
    environment = acrobot.environment()
    generator = np.random.default_rng(4)
    quirk = []
    for _ in range(100):
        parameters = np.append(generator.uniform(0.8, 1.2, 4), 9.8)
        set_parameters(links, parameters)
        state = generator.uniform([-2, -2, -4, -8], [2, 2, 4, 8])
        action = int(generator.integers(3))
        torque = (-1.0, 0.0, 1.0)[action]
        classical, faithful, peer_state = state, state, state
        for _ in range(acrobot.SUBSTEPS):
            classical = acrobot_substep(parameters, classical, torque, last_stage=1.0)
            faithful = acrobot_substep(parameters, faithful, torque)
            peer_state, _, _ = theirs(links, peer_state, action)
            peer_state[:2] = classical[:2] + np.remainder(peer_state[:2] - classical[:2] + 1, 2 * math.pi) - 1
        np.testing.assert_allclose(peer_state, classical, rtol=0, atol=1e-11)
        after, _, _ = ours(environment, state, action, parameters=parameters)
        turns = np.round((faithful[:2] - after[:2]) / (2 * math.pi)) * 2 * math.pi
        np.testing.assert_allclose(after[:2] + turns, faithful[:2], rtol=0, atol=1e-11)
        np.testing.assert_allclose(after[2:], faithful[2:], rtol=0, atol=1e-11)
        quirk.append(np.abs(faithful - classical).max())
    assert min(quirk) > 1e-5  # What the quirk does in 0.2 seconds is far above rounding,
    assert max(quirk) < 0.5  # and far below what the links do.


def test_acrobot_ends_at_the_same_height_with_links_of_one_metre(links):
    """Theirs asks for more than one metre, ours for more than the first link. Still states hardly move in a step."""
    environment = acrobot.environment()
    links.dt = 1e-9
    generator = np.random.default_rng(5)
    for _ in range(200):
        state = np.append(generator.uniform(-math.pi, math.pi, 2), [0.0, 0.0])
        after, reward, terminal = ours(environment, state, 1)
        _, peer_reward, terminated = theirs(links, after, 1)
        assert terminal == terminated
        assert (reward, peer_reward) == ((0.0, 0.0) if terminal else (-0.1, -1.0))  # A tenth of their price of a step.
    lengths = [1.0, 0.8, 1.0, 1.2, 9.8]  # Their height is that of links of one metre, whatever the lengths.
    set_parameters(links, np.array(lengths))
    after, _, terminal = ours(environment, [1.5, 1.5, 0.0, 0.0], 1, parameters=lengths)
    assert terminal
    assert not theirs(links, after, 1)[2]


def test_acrobot_clips_after_ten_sub_steps(links):
    """Theirs clips and wraps after each of its steps; both to the same limits."""
    fast = [0.0, 0.0, 12.5, 28.0]
    after, _, _ = ours(acrobot.environment(), fast, 2)
    limits = np.array([acrobot.LARGEST_FIRST_VELOCITY, acrobot.LARGEST_SECOND_VELOCITY])
    assert (limits == [links.MAX_VEL_1, links.MAX_VEL_2]).all()
    assert (np.abs(after[2:]) <= limits).all()
    assert (np.abs(after[:2]) <= math.pi).all()


def test_acrobot_along_known_trajectories():
    _, state, total, _ = drive("acrobot", lambda steps, state: 2, 10)
    close(state, 0.0353804782328946, 0.225956435832746, 0.152261811844278, -0.438749967560010)
    assert total == pytest.approx(-1.0)
    steps, _, total, terminal = drive("acrobot", lambda steps, state: 2 if state[3] >= 0 else 0, 2001)
    assert (steps, terminal) == (73, True)
    assert total == pytest.approx(-7.2)
