"""The configuration: read, checked against the schema and against what exists, defaults filled in.

Every error is an `InputError`: one sentence that names the file and the key, and a hint.
"""

import copy
import difflib
import functools
import json
import math
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import jsonschema

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.analysis_checks import check_analyses
from surefoot.configuration.play_checks import mistakes
from surefoot.configuration.run_checks import check_candidates, check_runs
from surefoot.configuration.yaml_files import read_yaml, short_path
from surefoot.errors import shown
from surefoot.figures.catalogue import STUDY_SETS
from surefoot.pipeline.analysis_jobs import is_analysed
from surefoot.pipeline.run_number_jobs import PART as RUN_NUMBERS
from surefoot.pipeline.run_number_jobs import check_run_numbers
from surefoot.pipeline.trust_jobs import check_subjects

RESERVED_NAMES = frozenset(
    [
        "aggregate",
        "aggregate_analysis",
        "all",
        "benchmark",
        "check",
        "collect",
        "compare",
        "cover",
        "draw",
        "estimate",
        "home",
        "how_many_runs",
        "index",
        "measure",
        "normalize",
        "prune",
        "prune_dry_run",
        "record",
        "render",
        "record_trust",
        "simulate",
        "trust",
        "why",
    ]
)
"""Targets, rules and pages that are not of a study: no study may have such a name."""

FIGURES_AND_TABLES = ("figure_", "table_")
"""How targets of figures and tables begin, and no study's."""

SCHEMA_PATH = Path(__file__).parents[3] / "workflow" / "schemas" / "config.schema.yaml"
ANALYSIS_SCHEMA_PATH = SCHEMA_PATH.with_name("analysis.schema.json")


def read_configuration(paths: Sequence[Path]) -> dict:
    """Configuration files merged in order: mappings at depth, everything else replaced by the later file."""
    merged: dict = {}
    for path in paths:
        merged = _merge(merged, read_yaml(Path(path)) or {})
    return merged


def validate_configuration(
    config: dict, sources: Sequence[Path], pages: Path | None = None, schema_path: Path = SCHEMA_PATH
) -> dict:
    """The configuration with its defaults, checked.

    Parameters
    ----------
    config : as read
    sources : the files it was read from, to name the right one in an error
    pages : folder of the pages, to check their names
    schema_path : the schema

    Raises
    ------
    InputError
    """
    for source in sources:
        if Path(source).is_file():  # Snakemake has read it before, and lets the last of two equal keys win
            _content(Path(source))
    schema = _whole_schema(schema_path)
    config = _without_null_sections(copy.deepcopy(dict(config)), schema, schema)
    # The errors that lie deepest are the most specific: they name the key that is wrong.
    errors = sorted(
        _validator(schema).iter_errors(config),
        key=lambda error: (-len(error.absolute_path), str(list(error.absolute_path))),
    )
    if errors:
        raise _schema_error(errors[0], schema, config, sources)
    given = copy.deepcopy(config)
    _fill_defaults(config, schema, schema)
    if config["render"] == "quarto" and shutil.which("quarto") is None:
        where = where_given(["render"], given, sources)
        raise InputError(where, "there is no program quarto on the PATH", "install it, or choose auto or embedded")
    for name in config["studies"]:
        _check_study(name, config, given, sources, pages)
    check_subjects(config, lambda *keys: where_given(["trust", *keys], given, sources))
    return config


def _whole_schema(path: Path) -> dict:
    """The schema, with that of analyses in its place: it is made of the models of the questions."""
    schema = read_yaml(path)
    schema["$defs"]["analysis"] = json.loads(ANALYSIS_SCHEMA_PATH.read_text(encoding="utf-8"))
    return schema


def _without_null_sections(value: object, schema: dict, root: dict) -> object:
    """The configuration without the sections and the named entries that are null: an overlay so leaves them out."""
    schema = _resolved(schema, root)
    if not isinstance(value, dict):
        return value
    known, other = schema.get("properties", {}), schema.get("additionalProperties")
    kept = {}
    for key, part in value.items():
        below = _resolved(known.get(key, other if isinstance(other, dict) else {}), root)
        named = key not in known and isinstance(other, dict)
        if part is not None or not (named or below.get("type") == "object"):
            kept[key] = _without_null_sections(part, below, root)
    return kept


def _validator(schema: dict) -> jsonschema.Draft202012Validator:
    """One that takes 2.0 for no integer, and neither infinity nor nan for a number."""
    kinds = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many(
        {
            "integer": lambda _, value: isinstance(value, int) and not isinstance(value, bool),
            "number": lambda _, value: (
                isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
            ),
        }
    )
    return jsonschema.validators.extend(jsonschema.Draft202012Validator, type_checker=kinds)(schema)


def _merge(base: dict, over: Mapping) -> dict:
    merged = dict(base)
    for key, value in over.items():
        if isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = _merge(merged[key], value)
        else:
            merged[key] = value
    return merged


def where_given(path: Sequence, given: Mapping, sources: Sequence[Path], others: Sequence[Sequence] = ()) -> str:
    """Who gives the key its value, the last of the files or the command line, and the key.

    Parameters
    ----------
    path : of the key; where no one gives it, the place is that of the section around it
    given : the configuration as read, without defaults
    sources : the files it was read from, the last winning
    others : paths of other keys, where a mistake lies between several: the one given last is named
    """
    asked = [keys for keys in (path, *others) if _at(given, keys) is not _ABSENT]
    around = list(path)
    while not asked and _at(given, around) is _ABSENT:
        around.pop()
    last = {tuple(keys): _last_source(keys, given, sources) for keys in asked or [around]}
    named = max(last, key=last.get)
    key = ".".join(str(part) for part in (named if asked else path))
    if last[named] == len(sources):
        return f"command line: {key}"
    file = short_path(Path(sources[last[named]]))
    return f"{file}: {key}" if key else file


def _last_source(path: Sequence, given: Mapping, sources: Sequence[Path]) -> int:
    """Position of the last file that gives the key this value; their number, where the command line gives it."""
    value = _at(given, path)
    for position, source in reversed(list(enumerate(sources))):
        found = _at(_content(Path(source)), path) if Path(source).is_file() else _ABSENT
        # As texts too: nan is not equal to itself.
        if found is not _ABSENT and (found == value or repr(found) == repr(value) or isinstance(value, Mapping)):
            return position
    return len(sources)


def _content(source: Path) -> object:
    state = source.stat()
    return _content_of(source, state.st_mtime_ns, state.st_size)


@functools.lru_cache(maxsize=64)
def _content_of(source: Path, time: int, size: int) -> object:
    """What a file says, read once for each version of it: every value that is checked asks where it stands."""
    return read_yaml(source)


_ABSENT = object()


def _at(content: object, path: Sequence) -> object:
    for part in path:
        keys = content if isinstance(content, Mapping) else range(len(content)) if isinstance(content, list) else ()
        if part not in keys:
            return _ABSENT
        content = content[part]
    return content


def _schema_error(
    error: jsonschema.ValidationError, root: dict, config: Mapping, sources: Sequence[Path]
) -> InputError:
    path, value, rule, schema = list(error.absolute_path), error.instance, error.validator, error.schema
    if rule == "additionalProperties":
        unknown = next(key for key in value if key not in schema["properties"])
        where = where_given([*path, unknown], config, sources)
        return InputError(where, "unknown key", _nearest_key(unknown, schema, root))
    where = where_given(path, config, sources)
    if rule == "required":
        missing = next(key for key in error.validator_value if key not in value)
        known = schema["properties"].get(missing, {})
        shown_first = [f"{missing}: {example}" for example in known.get("examples", [])]
        hint = "; ".join([*shown_first, known.get("description", "it has no default")])
        return InputError(where, f'key "{missing}" is missing', hint)
    if rule == "enum":
        allowed = [str(choice) for choice in error.validator_value]
        return InputError(where, f"{shown(value)} is not allowed", "allowed: " + ", ".join(allowed))
    if rule == "pattern" and "propertyNames" in map(str, error.absolute_schema_path):
        return InputError(
            where_given([*path, value], config, sources),
            f"{shown(value)} is not a name for {_NAMED.get(path[-1], 'this key')}",
            "small letters, digits and underscores, beginning with a letter",
        )
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    whats = {
        "type": f"{_written(value)} has the wrong type",
        "minimum": f"{shown(value)} is too small",
        "exclusiveMinimum": f"{shown(value)} is too small",
        "maximum": f"{shown(value)} is too large",
        "exclusiveMaximum": f"{shown(value)} is too large",
        "minItems": f"{shown(value)} has too few entries",
        "maxItems": f"{shown(value)} has too many entries",
        "minProperties": "nothing is given here",
        "minLength": "the text is empty",
        "uniqueItems": f"{shown(value)} names something twice",
        "pattern": f"{shown(value)} is not allowed",
    }
    hints = {
        "type": "it must be " + " or ".join(_KINDS.get(kind, kind) for kind in kinds),
        "minimum": f"at least {error.validator_value}",
        "exclusiveMinimum": f"more than {error.validator_value}",
        "maximum": f"at most {error.validator_value}",
        "exclusiveMaximum": f"less than {error.validator_value}",
        "minItems": f"at least {error.validator_value} of them",
        "maxItems": f"at most {error.validator_value} of them",
        "uniqueItems": "name each once",
    }
    hint = hints.get(rule, schema.get("description", "see workflow/schemas/config.schema.yaml"))
    return InputError(where, whats.get(rule, f"{_written(value)} is not allowed"), hint)


_NAMED = {
    "studies": "a study",
    "cover": "a study of coverage",
    "algorithms": "an algorithm",
    "environments": "an environment",
    "distributions": "a distribution",
    "scores": "a set of scores",
    "analyses": "an analysis",
}
"""What the mappings of the schema hold whose keys the user chooses."""

_KINDS = {
    "object": "a mapping (keys with values, indented below it)",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}
"""What a reader of YAML calls the types of the schema."""


def _written(value: object) -> str:
    """The value as a file has it, where Python writes it otherwise."""
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else shown(value)


def _nearest_key(unknown: str, schema: dict, root: dict) -> str:
    """The nearest key of this section, else of a section below it, which a misplaced key often belongs to."""
    below = {
        key: f"{section}.{key}"
        for section, part in schema["properties"].items()
        for key in _resolved(part, root).get("properties", {})
    }
    for candidates in ({key: key for key in schema["properties"]}, below):
        close = difflib.get_close_matches(unknown, candidates, n=1, cutoff=0.65)
        if close:
            return f'did you mean "{candidates[close[0]]}"?'
    return nearest(unknown, schema["properties"])


def _resolved(schema: dict, root: dict) -> dict:
    return root["$defs"][schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema


def _fill_defaults(value: object, schema: dict, root: dict) -> None:
    schema = _resolved(schema, root)
    if not isinstance(value, dict):
        return
    for key, part in schema.get("properties", {}).items():
        if key not in value and "default" in _resolved(part, root):
            value[key] = copy.deepcopy(_resolved(part, root)["default"])
        if key in value:
            _fill_defaults(value[key], part, root)
    other = schema.get("additionalProperties")
    if isinstance(other, dict):
        for key in value:
            if key not in schema.get("properties", {}):
                _fill_defaults(value[key], other, root)


def _check_study(name: str, config: dict, given: dict, sources: Sequence[Path], pages: Path | None) -> None:
    study = config["studies"][name]

    def locate(*keys: str | int, others: Sequence[Sequence] = ()) -> str:
        others = [["studies", name, *other] for other in others]
        return where_given(["studies", name, *keys], given, sources, others)

    sources_of_runs = {
        "simulate": study.get("simulate"),
        "bayesian": study.get("bayesian"),
        "collect.file": study["collect"].get("file"),
        "collect.published": study["collect"]["published"],
    }
    named = [key for key, there in sources_of_runs.items() if there]
    if len(named) != 1:
        what = f"{' and '.join(named)} are given" if named else f"no runs: none of {', '.join(sources_of_runs)}"
        raise InputError(locate(), what, "a study's runs come from one of the four")
    if "bayesian" in study:
        for at, what, hint in mistakes(study["bayesian"]):
            raise InputError(locate("bayesian", *at), what, hint)
    of_target = name.startswith(("draw_", *FIGURES_AND_TABLES)) or name.endswith(f"_{RUN_NUMBERS}")
    if name in RESERVED_NAMES or of_target:
        raise InputError(locate(), f'"{name}" names a target of the workflow', "another name")
    check_runs(study, locate)
    if is_analysed(study):
        check_analyses(study, locate)
    if study["how_many_runs"] is not None:
        check_run_numbers(study, locate)
    figures = study["draw"]["figures"]
    if figures not in STUDY_SETS:
        raise InputError(locate("draw", "figures"), f'unknown set of figures "{figures}"', nearest(figures, STUDY_SETS))
    page = study["render"]["page"]
    known_pages = sorted({found.stem for found in pages.glob("*.qmd")} - {"index", RUN_NUMBERS}) if pages else [page]
    if page not in known_pages:
        raise InputError(locate("render", "page"), f'there is no page "{page}"', nearest(page, known_pages))
    if _at(given, ["studies", name, "aggregate", "candidates"]) is not _ABSENT:
        check_candidates(study, locate)
