"""Names and titles come out as they are, whatever markup they hold and wherever they stand; their quotation marks and
minus signs are set as all others of a page."""

import html
from pathlib import Path

import pytest
from elements import Elements

from surefoot.reporting.document import Document
from surefoot.reporting.inline import embedded_value
from surefoot.reporting.pandoc import to_html
from surefoot.reporting.typography import with_typography

MARKUP = [
    *("<b>x</b>", "$y$", "*z*", "`code`", "[l](u)", "@fig-x", "a--b...", 'it\'s "so"', "&lt; &", "{{< video >}}"),
    *(
        "a.b[c][d]",
        "{.x}",
        "::: x",
        "\\alpha",
        "~~a~~ x^2^ H~2~O",
        "![i](j)",
        "<!-- c -->",
        "^[note]",
        "http://x.y/a_b",
    ),
]
PAGE = f"""\
---
title: "Of *{{called}}*"
description: "All {{called}}"
---

```{{python}}
#| tags: [parameters]
#| include: false
called = "x"
```

```{{python}}
#| include: false
names = {MARKUP!r}
```

"""


def test_a_plain_text_comes_out_as_it_is(site):
    paragraphs = [
        f"`{{python}} names[{number}]`\n\n**`{{python}} names[{number}]`** and `{{python}} names[{number}]`\n"
        for number in range(len(MARKUP))
    ]
    page = Elements(site.render(PAGE + "\n".join(paragraphs), called=" ".join(MARKUP)))
    names = [html.unescape(with_typography(html.escape(name))) for name in MARKUP]
    assert [name for name, printed in zip(MARKUP, names, strict=True) if name != printed] == ['it\'s "so"']
    title = " ".join(names)
    assert [element.text for element in page.by_tag("h1")] == [f"Of {title}"]
    assert page.by_tag("title")[0].text == f"Of {title} \N{EN DASH} Tracks"
    assert page.by_class("description")[0].text == f"All {title}"
    assert page.by_tag("em")[0].text == title
    shown = [element.text for element in page.by_tag("p") if element.around[-1] == "main."][1:]
    assert shown == [text for name in names for text in (name, f"{name} and {name}")]


@pytest.mark.parametrize("name", ["1. a", "- a", "# a", "(i) a", "> a", "a:", "| a", "---", "+ a", "A.  a", "% a"])
def test_a_plain_text_begins_no_block(name):
    markdown = f"Text.\n\n{embedded_value(name)} has the score.\n\nText.\n"
    made = to_html(Path("page.qmd"), Document(markdown, list(range(1, 7)), []), {"title": "x", "site": "y"})
    assert f"<p>{html.escape(' '.join(name.split()))} has the score.</p>" in made


def test_numbers_stand_in_formulas(site):
    page = Elements(site.render("---\ntitle: x\n---\n\nIt is $x = `{python} '-1024.5'`$, `{python} -0.5`.\n"))
    assert page.by_tag("math")[0].text.startswith("x=\N{MINUS SIGN}1024.5")
    assert page.by_tag("p")[-2].text.endswith(", \N{MINUS SIGN}0.5.")
