"""All that a folder of runs needs before it can be compared, in one message."""

import argparse
import re
import shlex
from collections.abc import Callable

from surefoot.build.errors import InputError

_MOST = 6
_OPTION = re.compile(r'(?<![\w-])--([a-z][a-z-]*) (?!one of )("[^"]*"|[\w./-]+)')


def with_all_problems(options: argparse.Namespace, attempt: Callable[[argparse.Namespace], object]) -> InputError:
    """What is wrong with a command: every problem that shows once the first option is taken that a hint names.

    Parameters
    ----------
    options : of the command, with its words; an attempt with these has failed
    attempt : what raises an InputError, whose hint names options such as ``--format table``
    """
    trial = argparse.Namespace(**vars(options))
    problems: list[InputError] = []
    added: list[str] = []  # what hints name, as it is typed
    while len(problems) < _MOST:
        try:
            attempt(trial)
            break
        except InputError as error:
            if any(error.what == problem.what for problem in problems):
                break
            if error.where == "pattern" and "--pattern" in added:  # which was a guess
                added[added.index("--pattern") + 1] = "PATTERN"
                break
            problems.append(error)
            found = [
                option
                for option in _OPTION.finditer(error.hint)
                if _lacks(options, _key(option)) and f"--{option[1]}" not in added
            ]
            if not found:
                break
            joined = [option for option in found[1:] if error.hint[: option.start()].endswith(" with ")]
            for option in [found[0], *joined]:
                value = option[2].strip('"')
                setattr(trial, _key(option), [value] if option[1] == "metric" else value)
                added += [f"--{option[1]}", value]
    if len(problems) == 1:
        return problems[0]
    told = "".join(f"\n  {number}. {problem.what}" for number, problem in enumerate(problems, 1))
    ways = "".join(f"\n  {number}. {problem.hint}" for number, problem in enumerate(problems, 1))
    command = shlex.join(["surefoot", "report", *options.words, *added])
    what = f"{len(problems)} things are to be decided first:{told}"
    return InputError(str(options.folder), what, f"one command decides all:\n  {command}\nor otherwise:{ways}")


def _key(option: re.Match[str]) -> str:
    return option[1].replace("-", "_")


def _lacks(options: argparse.Namespace, key: str) -> bool:
    """Whether there is such an option, and it was not given."""
    return getattr(options, key, "") in (None, "error", [])
