"""What can be wrong with the algorithms and environments that a study simulates; found before any job runs."""

from collections.abc import Iterator, Mapping, Sequence

from surefoot.build.errors import nearest
from surefoot.configuration.own_files import Mistake, file_mistakes
from surefoot.simulation import registry

EXAMPLE = "see surefoot.simulation.protocol, and config/example_simulation.py"
FUNCTIONS = {"discrete": "tabular", "continuous": "linear"}
"""What an algorithm's module must define to learn in each kind of environment."""


def name_mistakes(section: Mapping, own: Mapping) -> Iterator[Mistake]:
    """Names in a section's lists that neither the package nor the study defines."""
    for kind, known in (("algorithms", registry.algorithms(own)), ("environments", registry.environments(own))):
        for position, chosen in enumerate(section.get(kind, [])):
            if chosen not in known:
                yield [kind, position], f'unknown name "{chosen}"', nearest(chosen, known)


def own_mistakes(own: Mapping, sections: Sequence[Mapping]) -> Iterator[Mistake]:
    """All mistakes of a study's own algorithms and environments.

    Parameters
    ----------
    own : the section simulate.own
    sections : all that is simulated, each with lists `algorithms` and `environments`
    """
    for kind, package in (("algorithms", registry.ALGORITHMS), ("environments", registry.ENVIRONMENTS)):
        for name in own[kind]:
            at = ["own", kind, name]
            if name in package:
                yield at, f'"{name}" is among the {kind} of the package', "another name"
            elif not any(name in section[kind] for section in sections):
                yield at, f'"{name}" is not simulated', f"name it among the {kind} too"
    for name, entry in own["environments"].items():
        at = ["own", "environments", name]
        yield from file_mistakes([*at, "file"], entry["file"], ("environment",), EXAMPLE)
        low, high = entry["returns"]
        if not low < high:
            yield [*at, "returns"], f"{entry['returns']} is no range", "the least return, then the greatest"
    worlds = registry.environments(own)
    for name, entry in own["algorithms"].items():
        played = {place for section in sections if name in section["algorithms"] for place in section["environments"]}
        kinds = {worlds[place].kind for place in played if place in worlds}
        functions = [FUNCTIONS[kind] for kind in sorted(kinds)]
        yield from file_mistakes(["own", "algorithms", name, "file"], entry["file"], functions, EXAMPLE)
