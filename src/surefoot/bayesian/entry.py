"""What is known of an agent and of a test distribution beside their code, and how parameters are written."""

from typing import NamedTuple

VARIANTS = ("as_published", "corrected")
"""Of an agent whose published scores were made by what the paper does not say."""


class Parameter(NamedTuple):
    """A parameter of an agent and the values that it may have: numbers low..high, or names."""

    kind: str
    """"real", "whole" or "name"."""
    low: float = 0.0
    high: float = float("inf")


class Agent(NamedTuple):
    """An agent. `parameters` and, where there are any, one of its `variants` go to the module's `prepare` by name."""

    title: str
    module: str
    parameters: dict[str, Parameter]
    variants: tuple[str, ...] = ()
    """Where what made the published scores is not what the paper says: the one, the other, and what else there is."""


class Experiment(NamedTuple):
    """A test distribution: `module` has a function `name` that returns it."""

    title: str
    module: str
    name: str


def parameters_text(parameters: dict[str, object]) -> str:
    """Parameters as they are in the run table, such as ``delta=7, epsilon=0.001``; 7 and 7.0 are the same.

    Sorted by name: the text is part of the keys of streams, which no order may change.
    """
    return ", ".join(
        f"{name}={value if isinstance(value, str) else f'{value:.12g}'}" for name, value in sorted(parameters.items())
    )
