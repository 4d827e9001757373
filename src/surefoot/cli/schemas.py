"""What is made of the code and kept beside it, the schema and the pages of the reference; tests compare."""

from pathlib import Path

from surefoot.build.files import canonical_json, write_whole
from surefoot.build.project import DOCS, check_checkout
from surefoot.configuration.schema import SCHEMA_PATH, schema
from surefoot.reference import commands_page, configuration_page, functions_pages


def schemas() -> int:
    """Write the schema of the configuration, and the pages of the reference; returns the exit status."""
    check_checkout("surefoot schemas")
    for path, text in made_of_the_code().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
        print(path)
    return 0


def made_of_the_code() -> dict[Path, str]:
    """The files by their paths, as they should be."""
    return {
        SCHEMA_PATH: canonical_json(schema()),
        DOCS / "commands.md": commands_page(),
        DOCS / "configuration.md": configuration_page(schema()),
        **{DOCS / f"{name}.md": text for name, text in functions_pages().items()},
    }
