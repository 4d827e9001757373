"""The pages of the functions: each entry has the call of a function and what its docstring says, as Markdown that
pandoc reads back."""

import inspect
import re
import subprocess
from collections import Counter

import pypandoc
import pytest

import surefoot
from surefoot.cli.reference import functions_list, functions_pages, literal


@pytest.fixture(scope="module")
def pages():
    return functions_pages()


def entry(pages, name):
    """The section of one function, wherever it is."""
    text = "\n".join(pages.values())
    (section,) = re.findall(rf"^## {name}\n\n(.*?)(?=^##? |\Z)", text, re.MULTILINE | re.DOTALL)
    return section


@pytest.mark.parametrize("name", surefoot.__all__)
def test_a_call_lists_every_argument_on_lines_that_fit(pages, name):
    call = entry(pages, name).split("```")[1].removeprefix("text\n")
    assert max(map(len, call.splitlines())) <= 80
    written = re.sub(r"\s+", "", call)
    for parameter in inspect.signature(getattr(surefoot, name)).parameters.values():
        shown = re.sub(r"\s+", "", str(parameter.replace(annotation=parameter.empty)))
        assert shown in written


@pytest.mark.parametrize("name", surefoot.__all__)
def test_every_argument_is_described_and_no_list_is_run_together(pages, name):
    text = entry(pages, name)
    lists = re.findall(r"^- ((?:`\*{0,2}\w+`(?:, )?)+)", text, re.MULTILINE)
    described = re.findall(r"\w+", " ".join(lists))
    assert set(inspect.signature(getattr(surefoot, name)).parameters) <= set(described)
    assert " : " not in text


def described_parameters(name):
    """The parameters in a docstring, each with its type and description."""
    section = re.split(r"\n(?:Parameters|Returns)\n-+\n", inspect.getdoc(getattr(surefoot, name)))[1]
    return dict(re.findall(r"^(\S+) : (.*?)(?=^\S|\Z)", section, re.MULTILINE | re.DOTALL))


def test_references_lead_to_equal_descriptions_on_the_page(pages):
    for text in pages.values():
        for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
            own = described_parameters(section.split("\n")[0])
            for names, function, anchor in re.findall(r"^- (.*): as for \[(\w+)\]\(#(\w+)\)$", section, re.MULTILINE):
                assert function == anchor and f"\n## {function}\n" in text.partition(f"## {section}")[0]
                for name in re.findall(r"`(\w+)`", names):
                    described = described_parameters(function)[name].partition("\n")[2]
                    assert own[name].partition("\n")[2].split() == described.split(), (name, function)


def test_a_page_describes_a_parameter_of_many_functions_once(pages):
    for text in pages.values():
        entries = [line for line in text.split("\n") if re.match(r"- `(?!runs`|\w+Error`)(?!.*: as for \[)", line)]
        assert max(Counter(entries).values()) == 1


def test_the_overview_leads_to_every_function(pages):
    links = re.findall(r"^- \[(\w+)\]\((\w+)\.md#(\w+)\): \S", functions_list(), re.MULTILINE)
    assert sorted(name for name, _, _ in links) == sorted(surefoot.__all__)
    assert all(name == anchor and f"\n## {name}\n" in pages[page] for name, page, anchor in links)


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
