"""Plain sentences as Markdown, which pandoc reads back."""

import subprocess

import pypandoc
import pytest

from surefoot.reference import literal


@pytest.mark.parametrize(
    "text",
    [
        "--config store=mine, a - b -- c --- d",
        "{from: 0, to: 1} [a, b] <table>.csv | x * y ~ z ^ $n$ @name #1 back\\slash",
        "_private run_score trailing_ __init__",
    ],
)
def test_a_sentence_comes_out_as_it_is(text):
    command = [pypandoc.get_pandoc_path(), "--from=markdown", "--to=plain", "--wrap=none"]
    done = subprocess.run(command, input=literal(text), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == text


def test_code_stays_code():
    assert literal("the key `a_b*c` of\n  *all*") == "the key `a_b*c` of \\*all\\*"
