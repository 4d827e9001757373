"""Tables, logs and configurations that no one means, thought up one by one: nonsense is refused in one sentence, or
accepted with a remark; what is odd but right is read. Never a traceback, a signal, more than 2 GB or more than 60 s.

Beside the random damage of `test_fuzzing`. All inputs are tried in one process of its own, with limits.
"""

import os
import sys
from pathlib import Path

from support.hostile_inputs import counts_of, try_all

HEADER = "algorithm,environment,run,score"
ROWS = "a,t,0,1\na,t,1,2\nb,t,0,3\nb,t,1,5\n"
TABLE = f"{HEADER}\n{ROWS}"
CURVES = "algorithm,environment,run,step,score\n" + "".join(
    f"{name},t,{run},{step},{step + run}\n" for name in "ab" for run in (0, 1) for step in (10, 20, 30)
)
BAD_SCORES = (
    "9" * 400,
    *("", " ", "1 2", "1 +- 0.2", "1 day", "[1]", "1j", "<b>1</b>", "=cmd|' /C calc'!A0", "-nan(ind)", "nan"),
    *("NA", "None", "inf", "-Infinity", "1e999", "one", "1,5", "1.5.2", "0x1F", "50%", "1e", "-", "--1"),
    *("1±0.2", "True", "2024-01-01", "12:30", "2024-01-01T00:00:00Z", "#DIV/0!", "½", "∞", "1'000", "1.234,5"),
    *("~1", "?", "N.A.", "1#INF", "\u2212", "1\xa05", "\u200b", "\u0663\u066b\u0665"),
)
"""What is no finite number in a cell of scores."""
ODD_SCORES = ("1e5", " 7 ", "+3", "-0", "1E-300", "1e300", ".5", "5.", "0007", "1.7976931348623157e308")
"""What is a number, though an odd one; the largest is beyond what can be computed with, and refused or remarked."""
BAD_STEPS = ("", "nan", "inf", "-10", "ten", "2024-01-01", "1e999", "[1]", "True")
BAD_EPISODES = ("-1", "0", "1.5", "", "nan", "inf", "five", "1e999", "-0.0")


def _tables():
    """(name, content, what becomes of it): `refused`, `read`, or `either`."""
    for number, value in enumerate(BAD_SCORES):
        quoted = value.replace('"', '""')
        yield f"bad_score_{number}", f'{TABLE}a,t,2,"{quoted}"\n', "refused"
    for number, value in enumerate(ODD_SCORES):
        yield f"odd_score_{number}", f"{TABLE}a,t,2,{value}\n", "read" if "e30" not in value else "either"
    for number, value in enumerate(BAD_STEPS):
        yield f"bad_step_{number}", f"{CURVES}a,t,0,{value},1\n", "refused"
    for number, value in enumerate(BAD_EPISODES):
        rows = "".join(f"{row},5\n" for row in ROWS.splitlines())
        yield f"bad_episodes_{number}", f"{HEADER},episodes\n{rows}a,t,2,1,{value}\n", "refused"
    for column in range(3):
        fields = ["a", "t", "9", "1"]
        fields[column] = ""
        yield f"no_name_{column}", f"{TABLE}{','.join(fields)}\n", "refused"
    names = HEADER.split(",")
    for name in names:
        rest = [other for other in names if other != name]
        yield f"lacks_{name}", TABLE.replace(HEADER, ",".join(rest)), "refused"
        yield f"twice_{name}", TABLE.replace(HEADER, f"{HEADER},{name}").replace("\n", ",1\n")[:-2] + "\n", "refused"
        yield f"misspelt_{name}", TABLE.replace(name, f"{name}x", 1), "refused"
    yield "empty", "", "refused"
    yield "blank", "\n \n\t\n", "refused"
    yield "header_alone", f"{HEADER}\n", "refused"
    yield "comment_alone", "# nothing\n", "refused"
    yield "same_run_twice", f"{TABLE}a,t,0,7\n", "either"  # in logs, episodes of a run, whose mean is taken
    yield "same_run_written_otherwise", f"{TABLE}a,t,00,7\n", "either"
    yield "long_row", f"{TABLE}a,t,2,1,9,9\n", "refused"
    yield "short_row", f"{TABLE}a,t,2\n", "refused"
    yield "ragged", f"{HEADER}\na\na,t\na,t,1\n", "refused"
    yield "semicolons", TABLE.replace(",", ";"), "read"
    yield "tabs", TABLE.replace(",", "\t"), "read"
    yield "bars", TABLE.replace(",", "|"), "read"
    yield "crlf", TABLE.replace("\n", "\r\n"), "read"
    yield "cr", TABLE.replace("\n", "\r"), "read"
    yield "bom", "\ufeff" + TABLE, "read"
    yield "bom_in_the_middle", TABLE.replace("b,t,0", "\ufeffb,t,0"), "either"
    yield "quotes", TABLE.replace("a,t", '"a","t"'), "read"
    yield "open_quote", TABLE + '"a,t,2,1\n', "refused"
    yield "line_in_a_name", TABLE.replace("a,t", '"a\nx",t'), "refused"
    yield "no_end_of_line", TABLE.rstrip(), "read"
    yield "nul", TABLE.replace("a,t,0", "a\0,t,0"), "refused"
    yield "utf_16", TABLE.encode("utf-16"), "refused"
    yield "utf_16_without_mark", TABLE.encode("utf-16-le"), "refused"
    yield "utf_32", TABLE.encode("utf-32"), "refused"
    yield "latin_1", TABLE.replace("a,", "é,").encode("latin-1"), "refused"
    yield "lone_surrogate", TABLE.replace("a,", "\ud800,").encode("utf-8", "surrogatepass"), "refused"
    yield "overlong", TABLE.encode() + b"\xc0\xaf,t,0,1\n", "refused"
    yield "cut_letter", TABLE.encode() + "é".encode()[:1], "refused"
    yield "escapes", TABLE.replace("a,", "\x1b[31ma,"), "refused"
    yield "direction", TABLE.replace("a,", "\u202ea,"), "refused"
    yield "blank_name", TABLE.replace("a,", " ,"), "refused"
    yield "one_name_in_two_forms", TABLE.replace("a,", "caf\u00e9,").replace("b,", "cafe\u0301,"), "refused"
    yield "formulas", TABLE.replace("a,", "=1+1,"), "read"
    yield "long_name", TABLE.replace("a,", "a" * 100_000 + ","), "either"
    yield "long_field", f'{TABLE}a,t,2,"{"1" * 300_000}"\n', "refused"
    yield "a_million_columns", ",".join([HEADER, *(f"x{number}" for number in range(1_000_000))]) + "\n", "refused"
    yield "a_million_commas", f"{HEADER}\n{',' * 1_000_000}\n", "refused"
    yield "runs_as_large_numbers", TABLE.replace(",0,", f",{10**40},"), "read"
    yield "runs_as_fractions", TABLE.replace(",0,", ",0.5,"), "either"
    yield (
        "one_algorithm",
        TABLE.replace("b,", "a,").replace("a,t,0,3", "a,t,2,3").replace("a,t,1,5", "a,t,3,5"),
        "either",
    )
    yield "seconds", "\n".join([HEADER, *(f"{n},t,{r},{1_700_000_000 + r}" for n in "ab" for r in (0, 1))]), "remarked"
    yield (
        "milliseconds",
        "\n".join([HEADER, *(f"{n},t,{r},{1_700_000_000_000 + r}" for n in "ab" for r in (0, 1))]),
        "remarked",
    )
    yield "step_twice", f"{CURVES}a,t,0,30,9\n", "either"
    yield "steps_backwards", "\n".join([CURVES.split("\n")[0], *reversed(CURVES.strip().split("\n")[1:])]), "read"
    yield "random_bytes", bytes(range(256)) * 50, "refused"
    yield "zeros", bytes(100_000), "refused"
    yield "image", b"\x89PNG\r\n\x1a\n" + bytes(1000), "refused"
    yield "html", "<html><body>404</body></html>", "refused"
    yield "zip", b"PK\x03\x04" + bytes(200), "refused"


JSON = (
    *("", "[", "{}", "[]", "null", "1", '"text"', "[[1]]", "NaN", "{{", "[{}]", '[{"a": 1}, 2]', "[" * 100_000),
    *('{"a": ' * 100_000, '[{"algorithm": {"x": 1}, "environment": [1], "run": null, "score": []}]'),
    '{"a": [1], "b": [1, 2]}',
    f'[{{"algorithm": "a", "environment": "t", "run": 0, "score": 1{"0" * 5000}}}]',
    '[{"algorithm": "a", "environment": "t", "run": 0, "score": true}]',
    '[{"algorithm": "\\ud800", "environment": "t", "run": 0, "score": "x"}]',
)
"""Files that are called scores.json; none is a table of runs."""

RUNS = "{runs: {kind: score_table, file: FILE}}"
STUDY = f"studies:\n  mine:\n    title: Mine\n    sources: {RUNS}\n    questions: {{aggregate_metrics: {{}}}}\n"
VALUES = (
    *("~", "[]", "{}", "-1", "0", "1.5", ".inf", ".nan", "1e999", f"1{'0' * 400}", "true", "2024-01-01", "12:30:45"),
    *('""', "[1, [2]]", "{a: {b: c}}", "!!python/object/apply:os.system [ls]", "!!binary aGk=", "&a [*a]", "*none"),
    *('"\\0"', '"\\ud800"', "../../etc/passwd", "/dev/zero", "{{x}}", "<script>", "'" + "x" * 5000 + "'"),
)
PLACES = (
    *("studies: %s", "studies: {mine: %s}", "studies: {mine: {title: %s}}", "studies: {mine: {title: x, sources: %s}}"),
    *("studies: {mine: {title: x, sources: {runs: %s}}}", "studies: {mine: {title: x, sources: {runs: {kind: %s}}}}"),
    "studies: {mine: {title: x, sources: {runs: {kind: score_table, file: %s}}}}",
    "studies: {mine: {title: x, sources: RUNS, questions: {aggregate_metrics: %s}}}",
    "studies: {mine: {title: x, sources: RUNS, questions: {aggregate_metrics: {metrics: %s}}}}",
    "studies: {mine: {title: x, sources: RUNS, questions: {performance_profiles: {thresholds: %s}}}}",
    "studies: {mine: {title: x, sources: RUNS, n_resamples: %s}}",
    "studies: {mine: {title: x, sources: RUNS, confidence_level: %s}}",
    *("%s: {}", "store: %s", "shipped_studies: %s", "{studies: {}, %s}"),
)
CONFIGURATIONS = (
    *("", "- a", "text", "1", "null", "---\n---\n", "a: 1\na: 2", "studies:\n\t- x", "studies: {mine: {title: [}}"),
    *("%YAML 9", "studies: &s {mine: *s}", "[" * 100_000, "{a: " * 100_000, "? [a]\n: b", "<<: 1", "<<: [{a: 1}]"),
    *("studies: {<<: *x}", "studies: {mine: {}, mine: {}}", "studies: {1: {}}", "studies: {'a b': {title: x}}"),
    "a0: &a0 [1, 1]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)),
)


def inputs(folder):
    """(name, what should become of it, function that reads it and returns remarks)."""
    from surefoot.runs.logs.folder_runs import read_runs
    from surefoot.runs.sources.learning_curves import read as read_curves
    from surefoot.runs.sources.score_tables import read
    from surefoot.runs.sources.tables import LearningCurves, ScoreTable
    from surefoot.workflow.configuration.configuration_files import read_yaml
    from surefoot.workflow.configuration.validation import validate_configuration

    def written(name, content):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        return path

    def of_logs(path):
        return lambda: read_runs(path).attrs["remarks"]

    def of_source(path, curves):
        if curves:
            settings = LearningCurves(kind="learning_curves", file=str(path))
            return lambda: read_curves(settings, {"file": path})["runs"].attrs.get("remarks")
        settings = ScoreTable(kind="score_table", file=str(path))
        return lambda: read(settings, {"file": path}).attrs.get("remarks")

    for name, content, becomes in _tables():
        path = written(f"{name}/scores.csv", content)
        yield f"logs {name}", becomes, of_logs(path)
        curves = isinstance(content, str) and ",step,score" in content
        ignored = name.startswith("bad_episodes")  # a column that a table of scores does not read
        yield f"source {name}", "either" if ignored else becomes, of_source(path, curves)
    for number, content in enumerate(JSON):
        path = written(f"json_{number}/scores.json", content)
        yield f"logs json_{number}", "refused", of_logs(path.parent)
        yield f"source json_{number}", "refused", of_source(path, False)
        for name in ("result.json", "metrics.json"):
            other = written(f"{name}_{number}/a/t/0/{name}", content)
            yield f"logs {name}_{number}", "refused", of_logs(other.parent)
    logs = ("scores.csv", "evaluations.npz", "progress.csv", "0.monitor.csv", "scores.pkl", "events.out.tfevents.1.x")
    for name in logs:
        place = folder / "folders" / name
        (place / name).mkdir(parents=True)
        yield f"logs folder {name}", "refused", of_logs(place)
        os.mkfifo(folder / "folders" / f"pipe_{name}")
        yield f"logs pipe {name}", "refused", of_logs(folder / "folders" / f"pipe_{name}")
        (folder / "links" / name).mkdir(parents=True)
        (folder / "links" / name / name).symlink_to(folder / "links" / name / name)
        (folder / "links" / name / "up").symlink_to(folder / "links" / name)
        yield f"logs links {name}", "refused", of_logs(folder / "links" / name)
        for kind, content in (
            ("empty", b""),
            ("zeros", bytes(5_000)),
            ("noise", bytes(range(256)) * 20),
            ("text", b"no\n"),
        ):
            path = written(f"content/{kind}/{name}/a/t/0/{name}", content)
            yield f"logs {kind} {name}", "refused", of_logs(path.parent)
    table = written("whole/scores.csv", TABLE)

    def configured(path):
        def skip_checks():
            content = read_yaml(path)
            if isinstance(content, dict):
                validate_configuration(content, [path])

        return skip_checks

    yield "configuration whole", "read", configured(written("whole/c.yaml", STUDY.replace("FILE", str(table))))
    # A third of the values in each place, another one in the next.
    chosen = [(place, value) for first, place in enumerate(PLACES) for value in VALUES[first % 3 :: 3]]
    texts = [place.replace("RUNS", RUNS) % value for place, value in chosen] + list(CONFIGURATIONS)
    for number, text in enumerate(texts):
        content = text.replace("FILE", str(table))
        yield f"configuration {text[:300]!r}", "either", configured(written(f"c/{number}.yaml", content))
    for number, content in enumerate(
        (STUDY.encode("utf-16"), STUDY.encode("latin-1") + b"# \xe9", b"\0", bytes(range(256)))
    ):
        yield f"configuration bytes {number}", "refused", configured(written(f"c/bytes_{number}.yaml", content))


def test_nonsense_is_refused_in_one_sentence_or_remarked(tmp_path):
    counts = counts_of(__file__, tmp_path)
    tables = sum(count for key, count in counts.items() if not key.startswith("configuration"))
    assert tables > 150 and sum(counts.values()) - tables > 80


if __name__ == "__main__":
    FOLDER = Path(sys.argv[1])
    try_all(inputs(FOLDER), FOLDER)
