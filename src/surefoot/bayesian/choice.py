"""The choice of the best of several, where equals are chosen by chance (Castronovo et al. 2016, section 4)."""

from numba import njit

from surefoot.streams import below


@njit(inline="always")
def best(table, row, stream):
    """Place of the greatest number in a row of a table (float64[rows, n]), any of several by chance.

    A random number is drawn where several tie, and only there.
    """
    greatest = table[row, 0]
    for i in range(1, table.shape[1]):
        greatest = table[row, i] if table[row, i] > greatest else greatest
    ties = 0
    chosen = 0
    for i in range(table.shape[1]):
        tied = table[row, i] == greatest
        ties += tied
        chosen = i if tied else chosen
    if ties > 1:
        rank = below(stream, ties)
        chosen = -1
        while rank >= 0:
            chosen += 1
            rank -= table[row, chosen] == greatest
    return chosen
