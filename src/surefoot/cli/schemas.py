"""The schemas that are made of the code: a test holds the files to them."""

import argparse

from surefoot.build.canonical import canonical_json
from surefoot.build.project import check_checkout
from surefoot.build.whole_files import write_whole
from surefoot.configuration.schema import SCHEMA_PATH, schema


def schemas(options: argparse.Namespace) -> int:
    """Write the schema of the configuration."""
    check_checkout("surefoot schemas")
    write_whole(SCHEMA_PATH, canonical_json(schema()))
    print(SCHEMA_PATH)
    return 0
