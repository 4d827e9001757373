"""Mountain car, cart-pole, acrobot and pinball: against plain Python, and their limits; trajectories of pinball."""

import math

import numpy as np
import pytest
from scipy import stats
from support.driving import ENVIRONMENTS, MAPS_TESTED, close, drive, new_stream, started

from surefoot.simulation.environments.pinball import MAPS

SMALLEST_P = 1e-6
"""A correct program fails a test of a distribution with at most this probability."""
PINBALL_PARAMETERS = 5
"""Those before the polygons."""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("empty", (0.8097434181766, 0.2063435041865, 0.8475641454558, -0.8265858760466)),
        ("box", (0.0702679051639, 0.9275160762163, -0.8475641454558, 0.8265858760466)),
        ("medium", (0.9320560761441, 0.9206842965357, 1.0532503806908, -0.5406226287502)),
        ("single", (0.2897658226647, 0.7187977945342, -0.8475641454558, 0.8265858760466)),
    ],
)
def test_pinball_along_known_trajectories(name, expected):
    actions = [1] * 5 + [0] * 5 + [4] * 30
    _, state, total, terminal = drive(f"pinball_{name}", lambda steps, state: actions[steps], 40)
    close(state, *expected)
    assert (total, terminal) == (-80.0, False)


@pytest.mark.parametrize(
    ("name", "x"), [("box", 0.8972191825), ("medium", 0.8810001139), ("single", 0.5725040843), ("empty", None)]
)
def test_pinball_into_the_hole_or_not(name, x):
    actions = 12 * ([1] * 3 + [0] * 3 + [4] * 20)
    steps, state, total, terminal = drive(f"pinball_{name}", lambda steps, state: actions[steps], 312)
    if name == "empty":
        assert (steps, total, terminal) == (61, 9868.0, True)
    else:
        assert (steps, terminal) == (312, False)
        assert state[0] == pytest.approx(x, abs=6e-11)


def random_state(name, generator):
    """States beyond the usual ones too: fast, far, and for pinball beside an edge of an obstacle."""
    low, high = (np.array(limits) for limits in ENVIRONMENTS[name][0][1:3])
    state = generator.uniform(1.5 * low, 1.5 * high)
    if name.startswith("pinball"):
        state = generator.uniform(low, high)
        corners = MAPS[name.removeprefix("pinball_")][generator.integers(len(MAPS[name.removeprefix("pinball_")]))]
        side = generator.integers(len(corners))
        share = generator.uniform(-0.1, 1.1)
        on_edge = (1 - share) * np.array(corners[side - 1]) + share * np.array(corners[side])
        state[:2] = on_edge + generator.normal(scale=0.02, size=2)
    return state


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_single_steps_as_in_plain_python(name):
    environment, plain_step = ENVIRONMENTS[name]
    generator = np.random.default_rng(8)
    ours, theirs = new_stream(), new_stream()
    ends = bounces = 0
    count = 250 if name.startswith("pinball") else 800
    for _ in range(count):
        parameters, _ = started(environment)
        environment.perturb(parameters, new_stream(generator.integers(10**6)))
        state = random_state(name, generator)
        action = int(generator.integers(environment.actions))
        steps = 0
        if name != "mountain_car":  # Its limit is a plain number; those of others are sums of floating-point numbers.
            steps = {"cart_pole": 997, "acrobot": 1998}.get(name, 998) + int(generator.integers(4))
            steps = steps if generator.random() < 0.1 else 0
        drawn = tuple(parameters[:PINBALL_PARAMETERS])
        expected, reward, terminal = plain_step(drawn, tuple(state), action, steps, theirs)
        before = state.copy()
        got = environment.step(parameters, state, action, steps, ours)
        assert got == (reward, terminal)
        assert (ours == theirs).all()  # and no random number more or less than the definition needs
        np.testing.assert_allclose(state, expected, rtol=1e-11, atol=1e-13)
        ends += terminal
        bounces += (state[2:] * before[2:] < 0).any()
    assert 5 < ends < count - 5
    if name.startswith("pinball"):
        assert bounces > 50


@pytest.mark.parametrize(
    ("name", "policy", "steps", "total"),
    [
        ("mountain_car", lambda steps, state: 1, 5000, -5000.0),
        ("acrobot", lambda steps, state: 1, 2001, -200.0),
        ("pinball_empty", lambda steps, state: (1, 3)[steps % 2], 1001, -5001.0),
        ("pinball_empty", lambda steps, state: 4, 1001, -1001.0),
        ("cart_pole", lambda steps, state: int(state[2] + 0.3 * state[3] + 0.05 * state[0] > 0), 1000, 1000.0),
    ],
)
def test_limits(name, policy, steps, total):
    """Acrobot's last step is free; the ball's action 1001 ends at its first sub-step and costs 1."""
    taken, _, sum_of_rewards, terminal = drive(name, policy, 6000)
    assert (taken, terminal) == (steps, True)
    assert sum_of_rewards == pytest.approx(total, abs=1e-9)


def test_the_ranges_that_features_are_scaled_with():
    pi = math.pi
    expected = {
        "mountain_car": ((-1.2, 0.5), (-0.07, 0.07)),
        "cart_pole": ((-2.4, 2.4), (-10, 10), (-pi / 12, pi / 12), (-pi, pi)),
        "acrobot": ((-pi, pi), (-pi, pi), (-4 * pi, 4 * pi), (-9 * pi, 9 * pi)),
        **{f"pinball_{name}": ((0, 1), (0, 1), (-2, 2), (-2, 2)) for name in MAPS_TESTED},
    }
    for name, (environment, _) in ENVIRONMENTS.items():
        assert tuple(zip(environment.low, environment.high, strict=True)) == expected[name]


UNIFORM = stats.uniform


@pytest.mark.parametrize(
    ("name", "laws"),
    [
        ("mountain_car", [UNIFORM(0.0008, 0.0004)]),
        ("cart_pole", [UNIFORM(0.025, 0.225), UNIFORM(0.1, 0.9), UNIFORM(0.1, 4.9), UNIFORM(8, 2)]),
        ("acrobot", [*[UNIFORM(0.8, 0.4)] * 4, UNIFORM(8, 2)]),
        (
            "pinball_box",
            [UNIFORM(0.036, 0.008), UNIFORM(0.018, 0.004), UNIFORM(0, 0.25), None, UNIFORM(0.1, 0.2)],
        ),
    ],
)
def test_perturbations(name, laws):
    """Kolmogorov-Smirnov tests and rank correlations at 1e-6; the drag is 1 - LU(0.001, 0.1)."""
    environment, _ = ENVIRONMENTS[name]
    rows = []
    for trial in range(3_000):
        parameters = np.array(environment.parameters)
        environment.perturb(parameters, new_stream(trial))
        rows.append(parameters[: len(laws)])
        assert (parameters[len(laws) :] == environment.parameters[len(laws) :]).all()
    columns = np.transpose(rows)
    for column, law in zip(columns, laws, strict=True):
        values, law = (column, law) if law else (1.0 - column, stats.loguniform(0.001, 0.1))  # noqa: PLW2901
        assert stats.kstest(values, law.cdf).pvalue > SMALLEST_P
    for one in range(len(columns)):
        for other in range(one):
            assert stats.spearmanr(columns[one], columns[other]).pvalue > SMALLEST_P
