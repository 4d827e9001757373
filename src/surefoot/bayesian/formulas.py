"""Small formulas of Q-values, and the sets of formulas that OPPS-DS searches (Castronovo et al. 2016, section 4.4).

A formula is a string of tokens in reverse Polish notation, such as ``X0 X2 DIV`` for Q0 / Q2. X0, X1 and X2 are the
Q-values of three mean MDPs: of the prior, of a belief that states do not change, and of a uniform belief. Domain errors
are the logarithm of a number that is not positive, the root of a negative number, and division by exactly 0.

Planning checks the formulas of a configuration with `encode`, so nothing compiled is imported at the top.
"""

import functools
from collections.abc import Callable, Iterator

import numpy as np

from surefoot.errors import HintedError, shortened

TOKENS = ("MAX", "MIN", "MUL", "ADD", "DIV", "SUB", "OPP", "INV", "SQRT", "LN", "ABS", "X2", "X1", "X0")
"""Tokens, in the order in which formulas of equal length are enumerated. The code of a token is its index."""

BINARY_TOKENS = TOKENS[:6]
UNARY_TOKENS = TOKENS[6:11]
MAX, MIN, MUL, ADD, DIV, SUB, OPP, INV, SQRT, LN, ABS, X2, X1, X0 = range(len(TOKENS))
FEATURES = 3

LARGEST_LENGTH = 6
"""Length of the formulas in the largest enumerated set."""

POINTS = 1000
"""Number of points at which formulas are compared. Two formulas that rank the points equally are the same strategy."""

_Known = dict[str, np.ndarray]


def encode(formula: str) -> np.ndarray:
    """Encode the tokens of a formula as int64[tokens].

    Raises
    ------
    HintedError
        If the formula is not valid.
    """
    where = f'formula "{shortened(formula)}"'
    depth = 0
    codes = []
    for token in formula.split():
        if token not in TOKENS:
            raise HintedError(where, f'"{shortened(token)}" is not a token', f"use {', '.join(reversed(TOKENS))}")
        needed = 2 if token in BINARY_TOKENS else 1 if token in UNARY_TOKENS else 0
        if depth < needed:
            raise HintedError(where, f"{token} lacks an operand", 'use reverse Polish notation, as in "X0 X2 DIV"')
        depth += 1 - needed
        codes.append(TOKENS.index(token))
    if depth != 1:
        raise HintedError(where, f"{depth} values are left, not one", 'use reverse Polish notation, as in "X0 X2 DIV"')
    return np.array(codes, dtype=np.int64)


@functools.cache
def formula_set(length: int) -> tuple[str, ...]:
    """Enumerate strategies with at most `length` tokens, with one formula for each strategy.

    Formulas are the same strategy if they rank a fixed set of random points (Q0, Q1, Q2) equally; the first of the
    shortest ones represents them. Formulas with a domain error at one of the points are left out. With five tokens or
    more, the number of strategies depends on the choice of points.
    """
    if not 1 <= length <= LARGEST_LENGTH:
        raise HintedError("formulas", f"got {length} tokens", f"use 1 to {LARGEST_LENGTH}")
    points = _points()
    levels: list[_Known] = []
    seen: set[bytes] = set()
    kept: dict[bytes, str] = {}
    for size in range(1, length + 1):
        level: _Known = {}
        with np.errstate(all="ignore"):
            longer = {formula: values for formula, values in _longer(levels, size, points) if np.isfinite(values).all()}
        for formula in sorted(longer, key=lambda text: [TOKENS.index(token) for token in text.split()]):
            values = longer[formula]
            # If two formulas have the same values, only the first is extended.
            if (signature := values.tobytes()) in seen:
                continue
            seen.add(signature)
            level[formula] = values
            kept.setdefault(np.argsort(values, kind="stable").tobytes(), formula)
        levels.append(level)
    return tuple(kept.values())


def _points() -> np.ndarray:
    """Draw the points at which formulas are compared: float64[FEATURES, POINTS], uniform in [-100, 100)."""
    from surefoot.streams import start_stream, stream_key, uniform

    stream = np.empty(4, np.uint64)
    start_stream(stream_key(0, "formulas", "points"), 0, stream)
    return np.array([[200.0 * uniform(stream) - 100.0 for _ in range(FEATURES)] for _ in range(POINTS)]).T.copy()


def _longer(levels: list[_Known], size: int, points: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield each formula with `size` tokens, made from shorter ones, and its values at the points.

    Domain errors become inf or NaN.
    """
    if size == 1:
        yield from (("X2", points[2]), ("X1", points[1]), ("X0", points[0]))
        return
    for inner, a in levels[size - 2].items():
        for token, apply in _UNARY.items():
            yield f"{inner} {token}", apply(a)
    for left in range(1, size - 1):
        for first, a in levels[left - 1].items():
            for second, b in levels[size - 2 - left].items():
                for token, combine in _BINARY.items():
                    yield f"{first} {second} {token}", combine(a, b)


_UNARY: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "OPP": np.negative,
    "INV": np.reciprocal,
    "SQRT": np.sqrt,
    "LN": np.log,
    "ABS": np.abs,
}
_BINARY: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "SUB": np.subtract,
    "DIV": np.divide,
    "ADD": np.add,
    "MUL": np.multiply,
    "MIN": np.minimum,
    "MAX": np.maximum,
}
