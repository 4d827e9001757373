"""Pages through the embedded renderer: each construct of the written subset, and every error at its line."""

import re

import pytest
from support.html_elements import Elements
from support.small_site import EVERYTHING

import surefoot
from surefoot.reporting.page_source import PageError


@pytest.fixture(scope="module")
def rendered(make_site):
    """The page with all of it, rendered once."""
    return make_site().render(EVERYTHING, study="demo")


@pytest.fixture(scope="module")
def everything(rendered):
    """The elements of that page."""
    return Elements(rendered)


def test_head_and_title(everything):
    (title,) = everything.by_tag("title")
    assert title.text == "All of demo \N{EN DASH} Tracks"
    (heading,) = everything.by_tag("h1")
    assert heading.text == "All of demo"
    assert everything.by_class("subtitle")[0].text == "What is in it?"
    assert everything.by_class("description")[0].text == "One line \N{EN DASH} and no more."
    (meta,) = [element for element in everything.by_tag("meta") if element.attributes.get("name") == "description"]
    assert meta.attributes["content"] == "One line \N{EN DASH} and no more."


def test_navigation_footer_and_contents(everything):
    links = [element for element in everything.by_tag("a") if "nav." in element.around]
    assert [(link.attributes["href"], link.text, link.attributes.get("aria-current")) for link in links] == [
        ("index.html", "Tracks", None),
        ("index.html", "Home", None),
        ("page.html", "Page", "page"),
    ]
    contents = [element.text for element in everything.by_tag("a") if "nav.contents" in element.around]
    assert contents == ["More of it", "Links"]
    assert [element.text for element in everything.by_tag("footer")] == [
        f"Tracks {surefoot.__version__}. Made of tables."
    ]


def test_references_and_captions_have_the_same_numbers(everything):
    texts = [element.text for element in everything.by_tag("figcaption")]
    assert texts[0].startswith("Figure 1: Bars of ")
    assert texts[0].endswith("in Table 1.")
    assert texts[1:] == ["Figure 2: The same, of 3 algorithms.", "Table 1: Scores"]
    assert [element.text for element in everything.by_tag("caption")] == ["Table 2: Written by hand"]
    (lead,) = everything.by_class("lead")
    assert lead.text == (
        "Sarsa has 0.61, not *a_b* [x]. "
        "See Figure 1, Table 1 and Figure 1, Figure 2, number 2, Table 2, and More of it.1"
    )
    targets = [e.attributes["href"] for e in everything.by_tag("a") if "div.lead" in e.around]
    assert targets == [
        *("#fig-bars", "#tbl-scores", "#fig-bars", "#fig-again", "#fig-again", "#tbl-plain", "#sec-more", "#fn1")
    ]
    for name in ("fig-bars", "fig-again", "tbl-scores"):
        assert everything.by_id(name).tag == "figure"


def test_figures_and_tables(everything):
    pictures = everything.by_tag("svg")
    alternatives = [picture.attributes["aria-label"] for picture in pictures]
    assert alternatives == ["Bars: sarsa 0.6, q 0.5, <ac> 0.3", "Again"]
    assert all("div.chart" in picture.around for picture in pictures)
    assert [element.text for element in everything.by_tag("td")] == ["0.612", "0.500", "1"]
    names = [element.text for element in everything.by_tag("th") if element.attributes.get("scope") == "row"]
    assert names == ["sarsa", "q", "a"]
    assert everything.by_id("tbl-scores").text.startswith("Table 1: Scores ")
    for element in everything.by_tag("table"):
        assert any(outer.split()[0] == "div.scroll" for outer in element.around)


def test_callouts_footnotes_and_equations(everything):
    (note,) = everything.by_tag("aside")
    assert (note.attributes["class"], note.text) == ("callout callout-note", "What this is A note.")
    (warning,) = (element for element in everything.by_class("callout") if element.tag == "details")
    assert (warning.attributes["class"], warning.text) == ("callout callout-warning", "Mind A warning.")
    assert [element.text for element in everything.by_class("callout-title")] == ["What this is", "Mind"]
    assert everything.by_id("fn1").text.startswith("The note.")
    displayed = [element for element in everything.by_tag("math") if element.attributes["display"] == "block"]
    assert len(displayed) == 1
    assert not any(element.tag in ("h2", "h3") and element.text == "Mind" for element in everything.all)


def test_cells_show_code_and_output_as_asked(everything):
    code = [element.text for element in everything.by_tag("pre")]
    assert code == ["printed <b>", "7", 'shown = "`{python} not_run`"']
    assert "strong words" in [element.text for element in everything.by_tag("p")]
    (main,) = everything.by_tag("main")
    assert "never shown" not in main.text
    assert "comment" not in main.text


def test_links_lead_to_pages_of_the_site(everything):
    links = [element.attributes["href"] for element in everything.by_tag("a") if element.around[-1] == "p."]
    assert [link for link in links if not link.startswith(("#", "data:"))] == [
        "index.html",
        "index.html#sec-start",
        "mine.html",
        "https://example.org/a?b=1",
    ]


def test_the_script_of_charts_is_there_once_if_needed(everything, site):
    (_, script) = [element.text for element in everything.by_tag("script") if "type" not in element.attributes]
    assert "div.chart" in script and "sortable" in script
    assert len(script) < 60_000  # no library of charts
    plain = Elements(site.render("---\ntitle: x\n---\nText.\n"))
    assert not any("div.chart" in script.text for script in plain.by_tag("script"))
    assert plain.by_tag("nav")[1:] == []


def test_the_same_inputs_give_the_same_bytes(rendered, site):
    assert site.render(EVERYTHING, study="demo").read_bytes() == rendered.read_bytes()


def test_a_drawing_stands_in_the_page_and_says_what_it_shows(site):
    (site.reports / "images").mkdir()
    (site.reports / "images" / "two_states.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><circle/></svg>')
    drawing = '![](images/two_states.svg){fig-alt="a < b"}'
    html = site.render(f"---\ntitle: x\n---\n::: {{#fig-a}}\n\n{drawing}\n\nCaption.\n:::\n").read_text()
    figure = re.search('<figure id="fig-a".*?</figure>', html, re.DOTALL)[0]
    assert (
        re.search(r'<svg role="img" aria-label="a &lt; b"[^>]*><circle/></svg>', figure) and "Figure\u00a01:" in figure
    )


@pytest.mark.parametrize(
    ("body", "line", "what", "hint"),
    [
        ("a\n\nsee @fig-bar\n\n::: {#fig-bars}\nx\n\ncap\n:::\n", 3, "unresolved reference @fig-bar", '"@fig-bars"'),
        ("## A {#sec-a}\n\n[see @sec-a]\n", 3, "within the brackets", "outside"),
        ("::: {#fig-a}\nx\n\nc\n:::\n\n::: {#fig-a}\nx\n\nc\n:::\n", 1, '"fig-a" names two things', "another name"),
        ("\n::: {#fig-a}\ncap\n:::\n", 2, "fig-a has no caption", "paragraph"),
        ("note\n\n::: {.note}\nx\n:::\n", 3, 'unknown block "note"', "callouts"),
        ("a\n\n[x]{.mark}\n", 3, 'unknown span "mark"', "no spans"),
        ("[x](pge.qmd)\n", 1, 'there is no page "pge.qmd"', '"page.qmd"'),
        ("a\n[x](#sec-b)\n\n## B {#sec-bb}\n", 2, "the link #sec-b leads nowhere", '"#sec-bb"'),
        ("[x](../results/draw/a.csv)\n", 1, 'a link to "../results/draw/a.csv"', "pages of the site"),
        ("a\n\n![c](x.png)\n", 3, 'an image, "x.png"', "page.figure"),
        ("a\n\n![](images/missing.svg)\n", 3, 'an image, "images/missing.svg"', "beside the page"),
        ("a <b>bold</b>\n", 1, 'raw code, "<b>"', "Markdown"),
        ("a\n\n$\\frobnicate{x$\n", 3, "TeX math", "correct"),
        ("a\n```{r}\n```\n", 2, '"{r}" is not a supported cell', "{python}"),
        ("- a\n\n  ```{python}\n  ```\n", 3, "is not a supported cell", "first column"),
        ("```{python}\nx = 1\n", 1, "is not closed", "first one"),
        ("```{python}\n#| lable: fig-a\n```\n", 1, 'unknown key "lable"', '"label"'),
        ("```{python}\n#| label: plot\n```\n", 1, "neither fig-", "fig-scores"),
        ("```{python}\n#| label: tbl-a\n#| fig-cap: x\n```\n", 1, "no caption", "tbl-cap"),
    ],
)
def test_errors_of_the_text_name_line_and_hint(site, body, line, what, hint):
    with pytest.raises(PageError) as error:
        site.render(f"---\ntitle: x\n---\n{body}")
    message = str(error.value)
    assert f"page.qmd:{line + 3}: " in message
    assert what in message
    assert re.search(rf"Hint: .*{re.escape(hint)}", message)
    assert not (site.results / "render").exists()


MARKUP = [
    *("<b>x</b>", "$y$", "*z*", "`code`", "[l](u)", "@fig-x", "a--b...", 'its "so"', "&lt; &", "{{< video >}}"),
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
    *("1. a", "- a", "# a", "(i) a", "> a", "a:", "| a", "---", "+ a", "A.  a", "% a"),
]


def test_names_come_out_as_they_are_whatever_markup_they_hold(site):
    head = '---\ntitle: "Of *{called}*"\n---\n\n```{python}\n#| tags: [parameters]\ncalled = "x"\n```\n\n'
    head += f"```{{python}}\n#| include: false\nnames = {MARKUP!r}\n```\n\n"
    places = range(len(MARKUP))
    body = "\n".join(
        f"`{{python}} names[{n}]`\n\n**`{{python}} names[{n}]`** and `{{python}} names[{n}]`\n" for n in places
    )
    page = Elements(site.render(head + body, called=" ".join(MARKUP)))
    names = [" ".join(name.split()) for name in MARKUP]
    assert [element.text for element in page.by_tag("h1")] == [f"Of {' '.join(names)}"]
    assert page.by_tag("em")[0].text == " ".join(names)
    shown = [element.text for element in page.by_tag("p") if element.around[-1] == "main."]
    assert shown == [text for name in names for text in (name, f"{name} and {name}")]


def test_numbers_stand_in_formulas_and_have_minus_signs(site):
    page = Elements(site.render("---\ntitle: x\n---\n\nIt is $x = `{python} '-1024.5'`$, `{python} -0.5`.\n"))
    assert page.by_tag("math")[0].text.startswith("x=\N{MINUS SIGN}1024.5")
    assert page.by_tag("p")[-2].text.endswith(", \N{MINUS SIGN}0.5.")
