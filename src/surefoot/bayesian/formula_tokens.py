"""Formulas over Q-values as texts of tokens in reverse Polish notation (Castronovo et al. 2016, section 4.4).

Light on purpose: planning checks the formulas of a configuration with it.
"""

from surefoot.errors import HintedError, shortened

TOKENS = ("MAX", "MIN", "MUL", "ADD", "DIV", "SUB", "OPP", "INV", "SQRT", "LN", "ABS", "X2", "X1", "X0")
"""In the order in which formulas of equal length are enumerated. A token's code is its place."""

BINARY_TOKENS, UNARY_TOKENS = TOKENS[:6], TOKENS[6:11]
MAX, MIN, MUL, ADD, DIV, SUB, OPP, INV, SQRT, LN, ABS, X2, X1, X0 = range(len(TOKENS))
FEATURES = 3


def token_codes(formula: str) -> list[int]:
    """Codes of a formula's tokens, checked. Raises ValueError."""
    where, depth, codes = f'formula "{shortened(formula)}"', 0, []
    for token in formula.split():
        if token not in TOKENS:
            raise HintedError(where, f'"{shortened(token)}" is not a token', f"one of {', '.join(reversed(TOKENS))}")
        needed = 2 if token in BINARY_TOKENS else 1 if token in UNARY_TOKENS else 0
        if depth < needed:
            raise HintedError(where, f"{token} lacks an operand", 'reverse Polish, as in "X0 X2 DIV"')
        depth += 1 - needed
        codes.append(TOKENS.index(token))
    if depth != 1:
        raise HintedError(where, f"{depth} values are left, not one", 'reverse Polish, as in "X0 X2 DIV"')
    return codes
