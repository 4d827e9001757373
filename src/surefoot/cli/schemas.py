"""The schemas that are made of the code: a test holds the files to them."""

import argparse

from surefoot.build.canonical import canonical_json
from surefoot.build.whole_files import write_whole
from surefoot.configuration.validation import ANALYSIS_SCHEMA_PATH
from surefoot.questions.registry import schema


def schemas(options: argparse.Namespace) -> int:
    """Write the schema of the questions of sets of scores."""
    write_whole(ANALYSIS_SCHEMA_PATH, canonical_json(schema()))
    print(ANALYSIS_SCHEMA_PATH)
    return 0
