"""Values changed in the text of a YAML file, whose comments and other lines stay as they are."""

from collections.abc import Sequence
from typing import Any

import yaml


def with_value(text: str, keys: Sequence[str], value: object) -> str:
    """The text with a value at a key of nested mappings, replaced where it is, else added.

    Parameters
    ----------
    text : YAML
    keys : from the outermost mapping to the value; all mappings on the way are there and are not empty
    value : a number, a text, a truth value or None

    Raises
    ------
    KeyError
        where a mapping on the way is missing
    """
    *above, last = keys
    mapping: Any = yaml.compose(text, yaml.SafeLoader)
    for key in above:
        mapping = _entries(mapping)[key]
    written = str(yaml.safe_dump(value)).removesuffix("...\n").strip()
    found = _entries(mapping).get(last)
    if found is not None:
        return f"{text[: found.start_mark.index]}{written}{text[found.end_mark.index :]}"
    mark = mapping.value[-1][0].start_mark
    end = ", " if mapping.flow_style else f"\n{' ' * mark.column}"
    return f"{text[: mark.index]}{last}: {written}{end}{text[mark.index :]}"


def _entries(mapping: Any) -> dict[str, Any]:
    return {key.value: value for key, value in mapping.value}
