"""What questions ask of their study, as far as its configuration tells: of the tables that its sources make.

What one question alone asks is in the module `check_study` of its folder, with a function of that name.

    settings : of the question
    name : of the question in its study
    locate : the place of a key of the question, as errors name it; `others` are paths within the study
"""

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.models import Study
from surefoot.configuration.places import Locate
from surefoot.sources.settings import is_of_kind


def check_table(kind: str, key: str, table: str, takes: str, study: Study, locate: Locate) -> None:
    """Whether a source of the study makes the table that a key of a question names, of the kind that it takes.

    Raises
    ------
    InputError
    """
    tables = study.tables()
    if is_of_kind(tables.get(table), takes):
        return
    fitting = [one for one, found in tables.items() if is_of_kind(found, takes)]
    kinds = takes.replace("_", " ")
    what = f'{kind} needs a source of {kinds}, and "{table}" is not one'
    raise InputError(locate(key), what, nearest(table, fitting) if fitting else f"add a source of {kinds}")


def check_bounds(bounds: object, methods: tuple[str, ...], source: str, study: Study, locate: Locate) -> None:
    """Whether scores have known bounds where a method rests on them.

    Raises
    ------
    InputError
    """
    made = study.sources.get(source)
    if "pbp_known_bounds" in methods and not bounds and not (made is not None and made.known_bounds()):
        hint = "bounds: {environment: [least, greatest], ...}"
        raise InputError(locate("methods"), "pbp_known_bounds has no bounds", hint)
