"""Environments in plain Python, written directly from the formulas, with the same random numbers."""

import math

import numpy as np

from surefoot.streams import below, uniform


def chain_step(length, slip, position, action, steps, stream):
    """Take a step (Jordan et al. 2020, Appendix F); `slip` is None for the deterministic chain."""
    executed = {0: -1, 1: 1}[action]
    if slip is not None:
        u = uniform(stream)
        if u < slip / 2:
            executed = 0
        elif u < slip:
            executed = -executed
    position = min(max(position + executed, 0), length - 1)
    terminal = position == length - 1 or steps + 1 == 20 * length
    return position, (0.0 if terminal else -1.0), terminal


def gridworld_step(size, slip, state, action, steps, stream):
    """Take a step (Jordan et al. 2020, Appendix F); `slip` is None for the deterministic gridworld."""
    y, x = divmod(state, size)
    moves = [(0, -1), (0, 1), (-1, 0), (1, 0)]
    dx, dy = moves[action]
    if slip is not None:
        u = uniform(stream)
        if 1 - slip <= u < 1 - slip / 2:
            dx, dy = 0, 0
        elif 1 - slip / 2 <= u < 1 - slip / 4:
            dx, dy = moves[(action + 1) % 4]
        elif u >= 1 - slip / 4:
            dx, dy = moves[(action - 1) % 4]
    x = min(max(x + dx, 0), size - 1)
    y = min(max(y + dy, 0), size - 1)
    terminal = (x == size - 1 and y == size - 1) or steps + 1 == 20 * size**2
    return y * size + x, -1.0, terminal


def mountain_car_step(parameters, state, action, steps, stream):
    (force,) = parameters
    x, v = state
    v = float(np.clip(v + force * (-1, 0, 1)[action] - 0.0025 * math.cos(3 * x), -0.07, 0.07))
    x += v
    if x < -1.2:
        x, v = -1.2, 0.0
    return (x, v), -1.0, x >= 0.5 or steps + 1 == 5000


def cart_pole_step(parameters, state, action, steps, stream):
    m, l, M, g = parameters  # noqa: E741, N806
    x, xd, th, thd = state
    F, mu_c, mu_p, h = (-10, 10)[action], 5e-4, 2e-6, 0.02  # noqa: N806
    sgn = np.sign(xd)
    thdd = g * math.sin(th) + math.cos(th) * (mu_c * sgn - F - m * l * thd**2 * math.sin(th)) / (m + M)
    thdd = (thdd - mu_p * thd / (m * l)) / (l * (4 / 3 - m * math.cos(th) ** 2 / (m + M)))
    xdd = (F + m * l * (thd**2 * math.sin(th) - thdd * math.cos(th)) - mu_c * sgn) / (m + M)
    x, xd, th, thd = x + h * xd, xd + h * xdd, th + h * thd, thd + h * thdd
    th = (th + math.pi) % (2 * math.pi) - math.pi
    seconds = sum(h for _ in range(steps + 1)) if steps > 990 else 0.0
    return (x, xd, th, thd), 1.0, abs(th) > math.pi / 15 or abs(x) >= 2.4 or seconds >= 20 - 1e-8


def acrobot_derivatives(parameters, state, torque):
    m1, l1, m2, l2, g = parameters
    th1, th2, w1, w2 = state
    lc1, lc2, I1, I2 = l1 / 2, l2 / 2, 1.0, 1.0  # noqa: N806
    d1 = m1 * lc1**2 + m2 * (l1**2 + lc2**2 + 2 * l1 * lc2 * math.cos(th2)) + I1 + I2
    d2 = m2 * (lc2**2 + l1 * lc2 * math.cos(th2)) + I2
    phi2 = m2 * lc2 * g * math.cos(th1 + th2 - math.pi / 2)
    phi1 = -m2 * l1 * lc2 * w2**2 * math.sin(th2) - 2 * m2 * l1 * lc2 * w2 * w1 * math.sin(th2)
    phi1 += (m1 * lc1 + m2 * l1) * g * math.cos(th1 - math.pi / 2) + phi2
    a2 = torque + d2 / d1 * phi1 - m2 * l1 * lc2 * w1**2 * math.sin(th2) - phi2
    a2 /= m2 * lc2**2 + I2 - d2**2 / d1
    return np.array([w1, w2, -(d2 * a2 + phi1) / d1, a2])


def acrobot_substep(parameters, state, torque, last_stage=0.5):
    """Take a Runge-Kutta step; its fourth stage uses the fraction `last_stage` of a step, 1 in the classical method."""
    h = 0.02
    k1 = acrobot_derivatives(parameters, state, torque)
    k2 = acrobot_derivatives(parameters, state + h / 2 * k1, torque)
    k3 = acrobot_derivatives(parameters, state + h / 2 * k2, torque)
    k4 = acrobot_derivatives(parameters, state + last_stage * h * k3, torque)
    return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def acrobot_step(parameters, state, action, steps, stream):
    state = np.array(state)
    for _ in range(10):
        state = acrobot_substep(parameters, state, (-1, 0, 1)[action])
    state[:2] = (state[:2] + math.pi) % (2 * math.pi) - math.pi
    limits = np.array([4 * math.pi, 9 * math.pi])
    state[2:] = np.clip(state[2:], -limits, limits)
    seconds = sum(0.2 for _ in range(steps + 1)) if steps > 1990 else 0.0
    l1, l2 = parameters[1], parameters[3]
    terminal = -l1 * math.cos(state[0]) - l2 * math.cos(state[0] + state[1]) > l1 or seconds >= 400
    return tuple(state), 0.0 if terminal else -0.1, bool(terminal)


def angle_between(a, b):
    angle = math.atan2(a[0], a[1]) - math.atan2(b[0], b[1])
    return angle + 2 * math.pi if angle < 0 else angle


def pinball_collision(corners, ball, velocity, r):
    """Return the velocity after a collision with a polygon; None if there is no collision."""
    hit = []
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        dx, dy = x2 - x1, y2 - y1
        s = min(max(((ball[0] - x1) * dx + (ball[1] - y1) * dy) / (dx * dx + dy * dy), 0.0), 1.0)
        to_edge = x1 + s * dx - ball[0], y1 + s * dy - ball[1]
        if to_edge[0] ** 2 + to_edge[1] ** 2 <= r**2:
            alpha = angle_between(to_edge, velocity)
            alpha = 2 * math.pi - alpha if alpha > math.pi else alpha
            if alpha <= math.pi / 1.99:
                hit.append((dx, dy))
    if len(hit) != 1:
        return (-velocity[0], -velocity[1]) if hit else None
    dx, dy = hit[0]
    o = (-dx, -dy) if dx < 0 else (dx, dy)
    th = angle_between(velocity, o) - math.pi
    th = th + 2 * math.pi if th < 0 else th
    th += angle_between((-1.0, 0.0), o)
    speed = math.hypot(*velocity)
    return speed * math.cos(th), speed * math.sin(th)


def pinball_step(polygons, parameters, state, action, steps, stream):
    """Take a step, testing every edge of every polygon at every sub-step and accumulating rounding errors of time."""
    R, r, p, D, impulse = map(float, parameters)  # noqa: N806
    x, y, *velocity = map(float, state)
    if uniform(stream) < p:
        action = below(stream, 5)
    if action < 4:
        pushes = [(1, 0), (0, -1), (-1, 0), (0, 1)][action]
        velocity = [min(max(v + impulse * push, -2.0), 2.0) for v, push in zip(velocity, pushes, strict=True)]
    seconds = sum(0.05 for _ in range(20 * steps)) if steps > 990 else 0.0
    for i in range(1, 21):
        x, y = x + velocity[0] * r * 0.05, y + velocity[1] * r * 0.05
        proposals = [pinball_collision(corners, (x, y), velocity, r) for corners in polygons]
        proposals = [proposal for proposal in proposals if proposal is not None]
        if len(proposals) == 1:
            velocity = proposals[0]
            if i == 19:
                x, y = x + velocity[0] * r * 0.05, y + velocity[1] * r * 0.05
        elif len(proposals) > 1:
            velocity = [-v for v in velocity]
        seconds += 0.05
        if math.hypot(x - 0.9, y - 0.2) < R:
            return (x, y, *velocity), 10_000.0, True
        if seconds > 1000:
            return (x, y, *velocity), -1.0, True
    x, y = [0.95 if q > 1 else 0.05 if q < 0 else q for q in (x, y)]
    return (x, y, *[v * D for v in velocity]), -1.0 if action == 4 else -5.0, False
