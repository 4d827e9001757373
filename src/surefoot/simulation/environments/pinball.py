"""Pinball: drive a ball around obstacles into a hole (Jordan et al. 2020, section 6 and Appendix F).

The ball moves in straight lines between collisions, so most sub-steps of an action need no collision test: each test
also determines for how many sub-steps the ball cannot hit anything.

The obstacles of the four maps are polygons, with their corners in order.
"""

import math

from numba import njit

from surefoot.simulation.environments.perturbations import between, clipped
from surefoot.simulation.trial_protocol import PERTURB, RESET_CONTINUOUS, STEP_CONTINUOUS, ContinuousEnvironment
from surefoot.streams import below, uniform

_WALLS = (
    ((0, 0), (0, 0.01), (1, 0.01), (1, 0)),
    ((0, 0), (0.01, 0), (0.01, 1), (0, 1)),
    ((0, 1), (0, 0.99), (1, 0.99), (1, 1)),
    ((1, 1), (0.99, 1), (0.99, 0), (1, 0)),
)

_TWICE = ((0.334, 0.014), (0.278, 0.038), (0.368, 0.254), (0.7, 0.2), (0.764, 0.108), (0.526, 0.158))
"""A polygon that the medium map contains twice: a hit counts as two collisions and reverses the ball."""

_MEDIUM = (
    ((0.09, 0.228), (0.242, 0.076), (0.106, 0.03), (0.022, 0.178)),
    _TWICE,
    ((0.034, 0.852), (0.106, 0.708), (0.332, 0.674), (0.176, 0.618), (0.028, 0.718)),
    ((0.45, 0.392), (0.614, 0.258), (0.734, 0.438)),
    _TWICE,
    (
        (0.294, 0.584),
        (0.478, 0.626),
        (0.482, 0.574),
        (0.324, 0.434),
        (0.35, 0.39),
        (0.572, 0.52),
        (0.588, 0.722),
        (0.456, 0.668),
    ),
)

_SINGLE = (
    ((0.35, 0.4), (0.45, 0.55), (0.43, 0.65), (0.3, 0.7), (0.45, 0.7), (0.5, 0.6), (0.45, 0.35)),
    ((0.2, 0.6), (0.25, 0.55), (0.15, 0.5), (0.15, 0.45), (0.2, 0.3), (0.12, 0.27), (0.075, 0.35), (0.09, 0.55)),
    ((0.3, 0.8), (0.6, 0.75), (0.8, 0.8), (0.8, 0.9), (0.6, 0.85), (0.3, 0.9)),
    ((0.8, 0.7), (0.975, 0.65), (0.75, 0.5), (0.9, 0.3), (0.7, 0.35), (0.63, 0.65)),
    ((0.6, 0.25), (0.3, 0.07), (0.15, 0.175), (0.15, 0.2), (0.3, 0.175), (0.6, 0.3)),
    ((0.75, 0.025), (0.8, 0.24), (0.725, 0.27), (0.7, 0.025)),
)

_BOX = ((0.45, 0.45), (0.55, 0.45), (0.55, 0.55), (0.45, 0.55))

MAPS = {
    "empty": _WALLS,
    "box": (*_WALLS, _BOX),
    "medium": (*_WALLS, *_MEDIUM),
    "single": (*_WALLS, *_SINGLE),
}
"""Maps by name. The original programs have two single maps; this is the simple one, which the paper uses."""


HOLE_RADIUS, BALL_RADIUS, NOISE, DRAG, IMPULSE, POLYGONS = range(6)
"""Indices of the parameters. The number of polygons is followed by the polygons, and then by all of their edges."""

POLYGON_PARAMETERS = 6
"""Numbers per polygon: its box (smallest x, largest x, smallest y, largest y), and first and last index of its edges.
"""

EDGE_PARAMETERS = 5
"""Numbers per edge: its start (x, y), its end relative to the start (x, y), its length squared."""

X, Y, X_VELOCITY, Y_VELOCITY = range(4)
"""Indices of the state."""

FASTER_RIGHT, FASTER_DOWN, FASTER_LEFT, FASTER_UP, NOTHING = range(5)
ACTIONS = 5

START = (0.2, 0.9)
HOLE = (0.9, 0.2)
LARGEST_VELOCITY = 2.0
SUBSTEPS = 20
SECONDS_PER_SUBSTEP = 0.05
STEP_LIMIT = 1000
"""Number of complete actions in an episode. The next action ends after its first sub-step, because the times of all
sub-steps (0.05 seconds each) then add up to more than 1,000 seconds.
"""

ROUNDING = 1e-12
"""A distance far above the rounding error of distances, and far below the distance that the ball moves."""


@njit(PERTURB, cache=True)
def perturb(parameters, stream):
    """Draw radii U(0.9, 1.1) times the usual ones, noise U(0, 0.25), drag 1 - LU(0.001, 0.1), impulse U(0.1, 0.3).

    U is the uniform and LU the log-uniform distribution.
    """
    parameters[HOLE_RADIUS] = 0.04 * (1.0 + between(stream, -0.1, 0.1))
    parameters[BALL_RADIUS] = 0.02 * (1.0 + between(stream, -0.1, 0.1))
    parameters[NOISE] = between(stream, 0.0, 0.25)
    parameters[DRAG] = 1.0 - math.exp(between(stream, math.log(0.001), math.log(0.1)))
    parameters[IMPULSE] = between(stream, 0.1, 0.3)


@njit(RESET_CONTINUOUS, cache=True)
def reset(parameters, state, stream):
    """Start every episode at rest at `START`. The paper's configuration requests a random place, without effect."""
    state[X], state[Y] = START
    state[X_VELOCITY] = 0.0
    state[Y_VELOCITY] = 0.0


@njit(inline="always")
def _angle_between(ax, ay, bx, by):
    """Return the angle from b to a in [0, 2 pi), both measured from the y axis."""
    angle = math.atan2(ax, ay) - math.atan2(bx, by)
    return angle + 2.0 * math.pi if angle < 0.0 else angle


@njit(cache=True, error_model="numpy")
def _look(parameters, x, y, x_velocity, y_velocity, reach):
    """Return (number of polygons hit, sum of the resulting velocities (x, y), distance to obstacles) at a position.

    The distance is measured from the ball's centre to the nearest edge, but it is at least the ball's radius, and at
    most `reach`. A polygon with one edge hit bounces the ball, one with several edges hit reverses it.
    """
    radius = parameters[BALL_RADIUS]
    hits = 0
    x_sum = 0.0
    y_sum = 0.0
    first = POLYGONS + 1
    for polygon in range(first, first + POLYGON_PARAMETERS * int(parameters[POLYGONS]), POLYGON_PARAMETERS):
        x_gap = max(parameters[polygon] - x, x - parameters[polygon + 1])
        y_gap = max(parameters[polygon + 2] - y, y - parameters[polygon + 3])
        if max(x_gap, y_gap) > reach:
            continue
        edges_hit = 0
        edge_x = 0.0
        edge_y = 0.0
        for edge in range(int(parameters[polygon + 4]), int(parameters[polygon + 5]), EDGE_PARAMETERS):
            dx = parameters[edge + 2]
            dy = parameters[edge + 3]
            share = ((x - parameters[edge]) * dx + (y - parameters[edge + 1]) * dy) / parameters[edge + 4]
            share = min(max(share, 0.0), 1.0)
            away_x = parameters[edge] + share * dx - x
            away_y = parameters[edge + 1] + share * dy - y
            squared = away_x**2 + away_y**2
            if squared > reach**2:
                continue
            reach = max(radius, math.sqrt(squared))
            if squared <= radius**2:
                angle = _angle_between(away_x, away_y, x_velocity, y_velocity)
                angle = 2.0 * math.pi - angle if angle > math.pi else angle
                # A velocity that points away from the edge by 90.5 degrees or more is not a hit.
                if not angle > math.pi / 1.99:
                    edges_hit += 1
                    edge_x = dx
                    edge_y = dy
        if edges_hit == 1:
            if edge_x < 0.0:
                edge_x = -edge_x
                edge_y = -edge_y
            angle = _angle_between(x_velocity, y_velocity, edge_x, edge_y) - math.pi
            if angle < 0.0:
                angle += 2.0 * math.pi
            angle += _angle_between(-1.0, 0.0, edge_x, edge_y)
            speed = math.sqrt(x_velocity**2 + y_velocity**2)
            bounced_x = speed * math.cos(angle)
            bounced_y = speed * math.sin(angle)
        else:
            bounced_x = -x_velocity
            bounced_y = -y_velocity
        if edges_hit > 0:
            hits += 1
            x_sum += bounced_x
            y_sum += bounced_y
    return hits, x_sum, y_sum, reach


@njit(cache=True, error_model="numpy")
def _roll(parameters, state, last_action):
    """Simulate the sub-steps of an action, and return 1 in the hole, -1 at the limit, 0 otherwise.

    The last action of an episode has only one sub-step. A bounce in the next-to-last sub-step adds a move.
    """
    x = state[X]
    y = state[Y]
    x_velocity = state[X_VELOCITY]
    y_velocity = state[Y_VELOCITY]
    radius = parameters[BALL_RADIUS]
    hole = parameters[HOLE_RADIUS]
    x_move = x_velocity * radius * SECONDS_PER_SUBSTEP
    y_move = y_velocity * radius * SECONDS_PER_SUBSTEP
    move = math.sqrt(x_move**2 + y_move**2)
    _, _, _, nearest = _look(parameters, x, y, x_velocity, y_velocity, radius + SUBSTEPS * move + 2.0 * ROUNDING)
    substep = 0
    outcome = 0
    while substep < SUBSTEPS and outcome == 0:
        gap = min(nearest - radius, math.sqrt((x - HOLE[0]) ** 2 + (y - HOLE[1]) ** 2) - hole)
        free = 0 if last_action else SUBSTEPS - substep  # sub-steps that cannot close the gap
        if free * move > 0.0 and gap - free * move < ROUNDING:
            free = int(max(gap - ROUNDING, 0.0) / move)
        for _ in range(free):
            x += x_move
            y += y_move
        substep += free
        if substep == SUBSTEPS:
            break
        x += x_move
        y += y_move
        substep += 1
        reach = radius + (SUBSTEPS - substep) * move + 2.0 * ROUNDING
        hits, x_sum, y_sum, nearest = _look(parameters, x, y, x_velocity, y_velocity, reach)
        if hits > 0:
            x_velocity, y_velocity = (x_sum, y_sum) if hits == 1 else (-x_velocity, -y_velocity)
            x_move = x_velocity * radius * SECONDS_PER_SUBSTEP
            y_move = y_velocity * radius * SECONDS_PER_SUBSTEP
            if hits == 1 and substep == SUBSTEPS - 1:
                x += x_move
                y += y_move
                nearest = radius
        if math.sqrt((x - HOLE[0]) ** 2 + (y - HOLE[1]) ** 2) < hole:
            outcome = 1
        elif last_action:
            outcome = -1
    state[X] = x
    state[Y] = y
    state[X_VELOCITY] = x_velocity
    state[Y_VELOCITY] = y_velocity
    return outcome


@njit(STEP_CONTINUOUS, cache=True, error_model="numpy")
def step(parameters, state, action, steps, stream):
    """Apply the action, or noise instead; then simulate an impulse and twenty sub-steps with collisions.

    The reward is 10,000 in the hole and -1 at the limit, otherwise -1 for doing nothing and -5 for other actions (the
    action after noise).
    """
    if uniform(stream) < parameters[NOISE]:
        action = below(stream, ACTIONS)
    if action != NOTHING:  # otherwise not clipped, so a velocity may exceed its limit after a bounce
        impulse = parameters[IMPULSE]
        x_impulse = impulse * ((action == FASTER_RIGHT) - (action == FASTER_LEFT))
        y_impulse = impulse * ((action == FASTER_UP) - (action == FASTER_DOWN))
        state[X_VELOCITY] = clipped(state[X_VELOCITY] + x_impulse, LARGEST_VELOCITY)
        state[Y_VELOCITY] = clipped(state[Y_VELOCITY] + y_impulse, LARGEST_VELOCITY)
    outcome = _roll(parameters, state, steps >= STEP_LIMIT)
    if outcome != 0:
        return (10_000.0 if outcome > 0 else -1.0), True
    state[X_VELOCITY] *= parameters[DRAG]
    state[Y_VELOCITY] *= parameters[DRAG]
    for coordinate in (X, Y):  # put back into the field
        if state[coordinate] > 1.0:
            state[coordinate] = 0.95
        if state[coordinate] < 0.0:
            state[coordinate] = 0.05
    return (-1.0 if action == NOTHING else -5.0), False


def _flat(polygons: tuple[tuple[tuple[float, float], ...], ...]) -> tuple[float, ...]:
    """Convert polygons to parameters, in the layout defined above."""
    boxes = []
    edges = []
    first_edge = POLYGONS + 1 + POLYGON_PARAMETERS * len(polygons)
    for corners in polygons:
        begin = first_edge + len(edges)
        for (x, y), (next_x, next_y) in zip(corners, (*corners[1:], corners[0]), strict=True):
            edges += [x, y, next_x - x, next_y - y, (next_x - x) ** 2 + (next_y - y) ** 2]
        xs, ys = zip(*corners, strict=True)
        boxes += [min(xs), max(xs), min(ys), max(ys), begin, first_edge + len(edges)]
    return (float(len(polygons)), *map(float, boxes), *edges)


def environment(name: str) -> ContinuousEnvironment:
    """Return the environment with a map of `MAPS`, the usual radii and no noise, before perturbation."""
    return ContinuousEnvironment(
        actions=ACTIONS,
        low=(0.0, 0.0, -LARGEST_VELOCITY, -LARGEST_VELOCITY),
        high=(1.0, 1.0, LARGEST_VELOCITY, LARGEST_VELOCITY),
        parameters=(0.04, 0.02, 0.0, 0.995, 0.2, *_flat(MAPS[name])),
        perturb=perturb,
        reset=reset,
        step=step,
    )
