"""The source of a page: mistakes in its front matter and its parameters."""

import pytest

from surefoot.reporting.page_source import PageError


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("text\n", ":1: the front matter is missing"),
        ("---\ntitle: x\n", ":1: the front matter is missing or not closed"),
        ("---\ntitle: a: b\n---\n", ":2: invalid YAML"),
        ("---\ntitle: x\n---\n::: {.lead}\nx\n", ":1: pandoc: .*unclosed"),
        ("---\ntitle: x\nreads:\n  - draw/{studdy}\n---\n", ':4: unknown parameter "studdy"'),
        (
            "---\ntitle: x\n---\n```{python}\n#| tags: [parameters]\nstudy = open('x')\n```\n",
            ":4: a parameter cell may only contain",
        ),
    ],
)
def test_errors_of_the_page_as_a_whole(site, text, said):
    with pytest.raises(PageError, match=rf"page\.qmd{said}.* Hint: "):
        site.render(text, study="demo")
