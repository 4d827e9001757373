"""Splitting a page, and every error that its text alone shows, at its line."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import surefoot
from surefoot.reporting.source import (
    Cell,
    PageError,
    Prose,
    default_parameters,
    read_source,
    texts,
)

PAGE = """\
---
title: "A page"
reads:
  - draw/a
  - draw/b
---
First.

```{python}
#| label: fig-x
#| fig-cap: "A caption: with a colon"
x = 1
```
Between `{python} x` and
`{python} x + 1`.

````
```{python}
```
````

```python
{{< shown >}}
```
Last.
"""


def write(tmp_path, text):
    path = tmp_path / "page.qmd"
    path.write_text(text)
    return path


def test_pieces_stand_at_their_lines(tmp_path):
    source = read_source(write(tmp_path, PAGE))
    assert source.front_matter == {"title": "A page", "reads": ["draw/a", "draw/b"]}
    lines = PAGE.split("\n")
    for piece in source.pieces:
        first = piece.line if isinstance(piece, Cell) else piece.line - 1
        text = piece.code if isinstance(piece, Cell) else piece.text
        assert "\n".join(lines[first:]).startswith(text)
    cells = [piece for piece in source.pieces if isinstance(piece, Cell)]
    assert [(cell.line, cell.options) for cell in cells] == [
        (9, {"label": "fig-x", "fig-cap": "A caption: with a colon"})
    ]
    assert [piece.line for piece in source.pieces if isinstance(piece, Prose) and piece.literal] == [17, 22]


def test_front_matter_that_only_quarto_reads_is_passed_over(tmp_path):
    front = "title: x\nnavbar: false\ntoc-depth: 2\nformat:\n  html:\n    theme: cosmo\nreads: [draw/a]"
    assert reads(write(tmp_path, f"---\n{front}\n---\n"), {}) == ["draw/a"]


@pytest.mark.parametrize(
    ("text", "line", "what", "hint"),
    [
        ("text\n", 1, "no front matter", "begin"),
        ("---\ntitle: x\n", 1, "does not end", "---"),
        ("---\ntitle: a: b\n---\n", 2, "no YAML", "double quotes"),
        ("---\ntitle: x\n---\na\n```{r}\n```\n", 5, '"{r}" is not a cell', "{python}"),
        ("---\ntitle: x\n---\n- a\n\n  ```{python}\n  ```\n", 6, "is not a cell", "first column"),
        ("---\ntitle: x\n---\n```{python}\nx = 1\n", 4, "does not end", "first one"),
        ("---\ntitle: x\n---\n```{python}\n#| lable: fig-a\n```\n", 4, 'unknown key "lable"', '"label"'),
        ("---\ntitle: x\n---\n```{python}\n#| label: plot\n```\n", 4, "neither fig-", "fig-scores"),
        ("---\ntitle: x\n---\n```{python}\n#| label: tbl-a\n#| fig-cap: x\n```\n", 4, "no caption", "tbl-cap"),
    ],
)
def test_errors_name_line_and_hint(tmp_path, text, line, what, hint):
    path = write(tmp_path, text)
    with pytest.raises(PageError) as error:
        read_source(path)
    message = str(error.value)
    assert message.startswith(f"{path}:{line}: ")
    assert what in message
    assert re.search(rf"\. Hint: .*{re.escape(hint)}", message)
    assert "\n" not in message


WITH_PARAMETERS = """\
---
title: "The study {study}"
reads:
  - draw/{study}/figure_1
  - draw/paper/table_2
---

```{python}
#| tags: [parameters]
study = "mine"
trials = 10
```

{study}
"""


def title(path, parameters):
    return texts(read_source(path), parameters)["title"]


def reads(path, parameters):
    return texts(read_source(path), parameters)["reads"]


def test_parameters_are_put_into_reads_and_title(tmp_path):
    path = write(tmp_path, WITH_PARAMETERS)
    assert default_parameters(read_source(path)) == {"study": "mine", "trials": 10}
    for parameters, name in (({}, "mine"), ({"study": "yours"}, "yours")):
        assert reads(path, parameters) == [f"draw/{name}/figure_1", "draw/paper/table_2"]
        assert title(path, parameters) == f"The study {name}"


def test_a_page_without_a_cell_of_parameters_takes_the_given_ones(tmp_path):
    path = write(tmp_path, "---\ntitle: x\nreads: ['draw/{study}/a']\n---\n")
    assert reads(path, {"study": "yours"}) == ["draw/yours/a"]
    with pytest.raises(PageError, match=r':3: unknown parameter "study"'):
        reads(path, {})


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("draw/{study}", "draw/{studdy}", r':4: unknown parameter "studdy". Hint: did you mean "study"'),
        ('study = "mine"', "study = open('x')", ":8: a cell of parameters holds names with literal values only"),
    ],
)
def test_wrong_parameters_are_errors_at_their_line(tmp_path, old, new, error):
    with pytest.raises(PageError, match=error):
        reads(write(tmp_path, WITH_PARAMETERS.replace(old, new)), {})


def test_import_is_light():
    heavy = ["numpy", "pandas", "altair", "numba", "vl_convert", "pypandoc"]
    code = f"import sys, surefoot.reporting.page; print([name for name in {heavy} if name in sys.modules])"
    environment = os.environ | {"PYTHONPATH": str(Path(surefoot.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
