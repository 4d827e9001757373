"""What the intervals of a data set cost, as measured: for estimates of time and for the size of jobs, no result."""

_SECONDS_OF_A_DATA_SET = 0.03
_SECONDS_OF_A_RUN = 5e-5
_SECONDS_OF_A_REPLICATED_RUN = 3e-7
"""Of 36 cells; of four algorithms in nine environments a data set of 10,000 runs took half a second by PBP and a second
by the bootstrap of 200 replicates, and one of 10 to 100 runs a thirtieth of a second by any method."""


def cost(methods: int, size: int, replicates: int) -> float:
    """Rough CPU seconds of the intervals of one data set.

    Parameters
    ----------
    methods : how many, each variant counted as one
    size : runs of each algorithm in each environment
    replicates : of each bootstrap
    """
    return methods * (_SECONDS_OF_A_DATA_SET + size * (_SECONDS_OF_A_RUN + _SECONDS_OF_A_REPLICATED_RUN * replicates))
