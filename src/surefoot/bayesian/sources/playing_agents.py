"""Settings of the agents of a source of plays, with their parameters."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from surefoot.bayesian import registry
from surefoot.bayesian.registry import Parameter
from surefoot.runs.sections import (
    EACH_ONCE,
    NAME_HINT,
    NAME_PATTERN,
    UNIQUE,
    DescribedSection,
    SomeNames,
    Text,
)
from surefoot.runs.setting_errors import SettingError, check_known, within

SeveralMdps = Annotated[int, Field(ge=2, le=1_000_000)]
"""Type of a number of MDPs."""
_TYPES: dict[str, tuple[Any, str, float]] = {
    "name": (str, "a string", 0.0),
    "whole": (int, "a whole number", 10_000_000),
    "real": (int | float, "a number", 1e100),
}
"""For each kind of parameter: the type of its values, its name in hints, and the largest allowed value of a parameter
without its own limit. Larger values cause endless loops, memory errors, or infinite values. The limits are not in the
registry, since the fingerprint of every score includes the registry.
"""


class PlayingAgent(DescribedSection):
    """An algorithm with values of its parameters; every combination is an agent."""

    agent: str
    """Name of the algorithm."""
    file: Text | None = None
    """For a user-defined algorithm, the Python file with its functions prepare and play."""
    parameters: dict[
        str, Annotated[tuple[int | float | str, ...], EACH_ONCE, Field(min_length=1, json_schema_extra=UNIQUE)]
    ] = {}
    """Values of each parameter; every combination is an agent."""
    environments: SomeNames | None = None
    """Environments in which the agents of this entry play. Default: all."""
    mdps: SeveralMdps | None = None
    """Number of MDPs on which the agents of this entry play. Default: the number of the source."""
    variants: SomeNames | None = None
    """Variants of the algorithm, if it has any. Default: the variants of the source. In addition, sboss has the variant
    half_copied, which is as_published with zeros where the program reads uninitialized memory.
    """

    @model_validator(mode="after")
    def _is_defined(self) -> "PlayingAgent":
        agent = registry.AGENTS.get(self.agent) if self.file is None else None
        if agent is not None:
            self._check_parameters(agent.parameters)
        elif self.file is not None and not re.fullmatch(NAME_PATTERN, self.agent):
            raise SettingError(["agent"], f"{self.agent!r} is not a valid name for an agent", NAME_HINT)
        elif self.agent in registry.AGENTS:
            raise SettingError(["agent"], f'"{self.agent}" is the name of a built-in agent', "choose another name")
        variants = agent.variants if agent is not None else ()
        if self.variants and not variants:
            raise SettingError(["variants"], f"{self.agent} has no variants", "leave the key out")
        for position, variant in enumerate(self.variants or ()):
            check_known(variant, variants, ["variants", position], f'{self.agent} has no variant "{variant}"')
        return self

    def _check_parameters(self, parameters: Mapping[str, Parameter]) -> None:
        """Check that an agent of the package has values for exactly its parameters, within their limits."""
        for name in self.parameters:
            check_known(name, parameters, ["parameters", name], f'{self.agent} has no parameter "{name}"')
        for name, parameter in parameters.items():
            if name not in self.parameters:
                hint = f"{name}: {_allowed(parameter)}"
                raise SettingError([], f"{self.agent} needs its parameter {name}", hint)
            for position, value in enumerate(self.parameters[name]):
                with within("parameters", name, position):
                    _check_value(name, parameter, value)
                    if self.agent == "formula":
                        _check_formula(str(value))


def _allowed(parameter: Parameter) -> str:
    """Describe the allowed values of a parameter."""
    kind, noun, largest = _TYPES[parameter.kind]
    return noun if kind is str else f"{noun} from {parameter.low:g} to {min(parameter.high, largest):.8g}"


def _check_value(name: str, parameter: Parameter, value: Any) -> None:
    kind, _, largest = _TYPES[parameter.kind]
    if isinstance(value, kind) and (kind is str or parameter.low <= value <= min(parameter.high, largest)):
        return
    raise SettingError([], f"{value!r} is not a value of {name}", f"use {_allowed(parameter)}")


def _check_formula(formula: str) -> None:
    """Check the syntax of a formula, and that it has no extra spaces.

    A formula with extra spaces would be a different agent, with different random numbers, than the same formula without
    them.
    """
    from surefoot.bayesian.formulas import encode

    encode(formula)
    plain = " ".join(formula.split())
    if formula != plain:
        raise SettingError([], f"{formula!r} has extra spaces", f'write "{plain}"')
