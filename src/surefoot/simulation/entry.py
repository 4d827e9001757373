"""What is known of an algorithm and of an environment beside their code."""

from typing import NamedTuple

PYTHON = "python"
"""The kind of environments that are any object of Python; see `protocol`."""


class Algorithm(NamedTuple):
    """A complete definition. `arguments` go to the module's `tabular` or `linear`; both decide the numbers."""

    title: str
    module: str
    arguments: dict[str, object]
    scaled: bool = False
    """Whether its step sizes are divided by the number of features, which tables do not have."""


class Environment(NamedTuple):
    """`arguments` go to the module's `environment`; they, the module and `episodes` decide the numbers."""

    title: str
    module: str
    arguments: dict[str, object]
    kind: str
    """"discrete", "continuous", or `PYTHON`."""
    episodes: int
    """Number of episodes of a trial."""
    returns: tuple[float, float]
    """The lowest and the highest return that an episode can have, or what bounds them."""
