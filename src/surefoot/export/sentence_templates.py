"""What a paper says of a question: the template that the docstring of its settings has, filled with these.

A template is the field `in a paper`, one or more sentences as Markdown::

    in a paper : We draw [{datasets} subsamples][ from the runs of {algorithms}] and report the {metrics}.

`{datasets}` stands for the setting in words. What stands in brackets says something by itself, so that it can be told
of another asking; it is left out where one of its settings says nothing.
"""

import re
from collections.abc import Iterator, Mapping

from surefoot.export.latex import from_markdown

_CLAUSE = re.compile(r"\[([^\[\]]*)\]")
_SETTING = re.compile(r"\{([a-z_]+)\}")


def settings_named(template: str) -> list[str]:
    """The names of the settings that a template tells, in its order."""
    return _SETTING.findall(template)


def filled(template: str, words: Mapping[str, str]) -> str:
    """The template as LaTeX.

    Parameters
    ----------
    words : LaTeX of each setting; empty, or left out, where it says nothing
    """
    return "".join(_told(text, words) for text, _ in _pieces(template, words))


def told_otherwise(template: str, words: Mapping[str, str], others: Mapping[str, str]) -> list[str]:
    """What a template says with some words that it does not say with others: the phrases in brackets, and settings
    that stand in none by themselves.

    Parameters
    ----------
    words, others : as of `filled`
    """
    found = []
    for text, is_clause in _pieces(template, words):
        unlike = [name for name in settings_named(text) if words.get(name) and words[name] != others.get(name)]
        if unlike and is_clause:
            phrase = _told(text, words).strip(" .,;")
            found.append(phrase[1:-1] if phrase.startswith("(") and phrase.endswith(")") else phrase)
        else:
            found += [words[name] for name in unlike]
    return found


def _pieces(template: str, words: Mapping[str, str]) -> Iterator[tuple[str, bool]]:
    """The parts of a template that are said, and whether each is one in brackets."""
    for place, text in enumerate(_CLAUSE.split(template)):
        is_clause = place % 2 == 1
        if not is_clause or all(words.get(name) for name in settings_named(text)):
            yield text, is_clause


def _told(text: str, words: Mapping[str, str]) -> str:
    parts = _SETTING.split(text)
    return "".join(words.get(part, "") if place % 2 else from_markdown(part) for place, part in enumerate(parts))
