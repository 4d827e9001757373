"""The commands: what each is for, with examples, in the order in which `surefoot --help` shows them."""

from typing import NamedTuple

from surefoot.build.errors import InputError, near


class Command(NamedTuple):
    """A command.

    name : as it is typed; also that of its function
    module : of `surefoot.cli`, which has the function
    says : what it does, without a full stop
    examples : command lines, the simplest first
    reports : whether it needs the packages of the extra `report`
    clones : whether it is about the workflow of the folder in which it is typed, where there is one
    """

    name: str
    module: str
    says: str
    examples: tuple[str, ...] = ()
    reports: bool = True
    clones: bool = True


SHOWN = {
    "From a folder of runs to a page": (
        Command(
            "report",
            "reporting",
            "make a page of a folder of runs",
            (
                "surefoot report runs/",
                'surefoot report runs/ --pattern "{environment}__{algorithm}__{seed}"',
                "surefoot report runs/ --rule auc -o my-report",
            ),
            clones=False,
        ),
        Command(
            "read",
            "reading",
            "make one table of a folder of runs",
            (
                "surefoot read runs/",
                "surefoot read runs/ -o scores.parquet",
                "surefoot read runs/ --format tensorboard --kind eval -o scores.csv",
            ),
            reports=False,
            clones=False,
        ),
    ),
    "From a study to a paper": (
        Command(
            "export",
            "exporting",
            "write figures, tables and methods",
            (
                "surefoot export mine --venue iclr",
                "surefoot export runs --directory surefoot-report --venue icml_column -o paper",
            ),
            clones=False,
        ),
    ),
    "Studies: what is asked of which runs": (
        Command(
            "run",
            "running",
            "make pages, figures and tables",
            (
                "surefoot run example",
                "surefoot run mine --configfile mine.yaml",
                "surefoot run figure_5 --dry-run",
                "surefoot run --cores 4",
            ),
        ),
        Command(
            "plan",
            "planning",
            "say what a run will take",
            (
                "surefoot plan",
                "surefoot plan mine --configfile mine.yaml",
                "surefoot plan jordan2020 --configfile config/overlays/paper.yaml",
            ),
        ),
        Command(
            "check",
            "housekeeping",
            "verify files and published numbers",
            ("surefoot check", "surefoot check --directory surefoot-report"),
        ),
        Command(
            "why",
            "housekeeping",
            "say why results are out of date",
            ("surefoot why", "surefoot why --directory surefoot-report"),
        ),
        Command(
            "prune",
            "pruning",
            "delete what is no longer used",
            ("surefoot prune --dry-run", "surefoot prune --days 7"),
        ),
    ),
}
"""By the titles of their groups."""
HIDDEN = (
    Command("job", "jobs", "run a job of the workflow, which starts this itself", reports=False, clones=False),
    Command("record", "record", "keep the rows of a large run in reports/records"),
    Command("record_trust", "trust_record", "keep the failure rates of a large run in reports/records/trust"),
    Command("schemas", "schemas", "write the schema and the reference, which are made of the code", reports=False),
)
"""What the workflow starts, and those who work on Surefoot."""
EXIT_STATUSES = {
    0: "all went well",
    1: "something failed, or a check found something",
    2: "the command line or the input is wrong; nothing was run",
    130: "interrupted",
}
"""What a command ends with."""


def shown_commands() -> list[Command]:
    """The commands that people use."""
    return [command for group in SHOWN.values() for command in group]


def command_named(name: str) -> Command:
    """The command of a name.

    Raises
    ------
    InputError
        with the nearest name
    """
    shown = [command.name for command in shown_commands()]
    for command in (*shown_commands(), *HIDDEN):
        if command.name == name:
            return command
    close = near(name, shown)
    hint = f"did you mean `surefoot {close[0]}`?" if close else f"the commands are {', '.join(shown)}"
    what = f"there is no option {name} here" if name.startswith("-") else f'there is no command "{name}"'
    raise InputError("command line", what, hint)


def overview() -> str:
    """What `surefoot --help` shows."""
    lines = [
        "Surefoot tells you how good reinforcement-learning algorithms are, and how sure",
        "you can be.",
        "",
        "usage: surefoot COMMAND ...",
    ]
    names = max(len(command.name) for command in shown_commands())
    texts = max(len(command.says) for command in shown_commands())
    for title, group in SHOWN.items():
        lines += ["", title]
        lines += [f"  {each.name:{names}}  {each.says:{texts}}  {each.examples[0]}" for each in group]
    lines += [
        "",
        "`surefoot COMMAND --help` shows the options of a command, with more examples.",
        "`surefoot --version` prints the version.",
    ]
    lines += ["", "Exit status"]
    lines += [f"  {status:<{names}}  {meaning}" for status, meaning in EXIT_STATUSES.items()]
    return "\n".join(lines)
