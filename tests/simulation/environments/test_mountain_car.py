"""Mountain car has the same physics as that of gymnasium, and each difference has a reason."""

import numpy as np
import pytest
from gymnasium.envs.classic_control.mountain_car import MountainCarEnv
from support.driving import close, drive
from support.gymnasium_peers import STREAM, ours, theirs

from surefoot.simulation.environments import mountain_car


@pytest.fixture
def car():
    peer = MountainCarEnv()
    peer.reset(seed=0)
    assert (peer.force, peer.gravity) == (*mountain_car.environment().parameters, mountain_car.GRAVITY)
    return peer


def test_the_car_drives_alike(car):
    """Whole episodes of random actions, up to the goal, with the force of each trial."""
    environment = mountain_car.environment()
    generator = np.random.default_rng(3)
    for force in (0.001, 0.0008, 0.0012):
        car.force = force
        state = np.array([-0.5, 0.0])
        for steps in range(4_000):
            action = int(generator.integers(3)) if steps % 5 == 0 else (2 if state[1] >= 0 else 0)
            after, reward, terminal = ours(environment, state, action, parameters=[force])
            expected, peer_reward, terminated = theirs(car, state, action)
            np.testing.assert_allclose(after, expected, rtol=0, atol=1e-15)
            assert (reward, terminal) == (peer_reward, terminated) == (-1.0, terminated)
            state = after
            if terminal:
                break
        assert terminal


def test_the_car_differs_in_start_limit_and_right_wall(car):
    environment = mountain_car.environment()
    state = np.empty(2)
    environment.reset(np.array(environment.parameters), state, STREAM)
    assert tuple(state) == (-0.5, 0.0)
    starts = {float(car.reset(seed=seed)[0][0]) for seed in range(20)}
    assert len(starts) == 20  # Theirs is random, on [-0.6, -0.4].
    assert all(-0.6 <= start <= -0.4 for start in starts)

    assert ours(environment, [-0.5, 0.0], 1, mountain_car.STEP_LIMIT - 1)[2]  # Ours ends an episode itself.
    assert not theirs(car, [-0.5, 0.0], 1)[2]

    beyond = [0.56, 0.07]  # Past the goal already; theirs stops at 0.6, ours is not stopped on that side.
    assert ours(environment, beyond, 2)[0][0] == pytest.approx(0.63)
    assert theirs(car, beyond, 2)[0][0] == 0.6


def test_mountain_car_along_known_trajectories():
    """Positions, velocities and episode lengths computed with an independent program, as in all tests of this kind."""
    _, state, _, _ = drive("mountain_car", lambda steps, state: 2, 20)
    close(state, -0.367287648602732, 0.009535864306450)
    steps, _, total, terminal = drive("mountain_car", lambda steps, state: 2 if state[1] >= 0 else 0, 5000)
    assert (steps, total, terminal) == (124, -124.0, True)
