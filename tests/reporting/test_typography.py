"""Quotation marks, apostrophes and minus signs look the same wherever a text comes from; code stays as it is."""

import pytest

from surefoot.reporting.typography import with_typography


@pytest.mark.parametrize(
    ("html", "printed"),
    [
        ("<p>the paper's, the runs' and it&#x27;s</p>", "<p>the paper\u2019s, the runs\u2019 and it\u2019s</p>"),
        (
            "<p>&quot;so&quot;, ('so'), \"<em>so</em>\"</p>",
            "<p>\u201cso\u201d, (\u2018so\u2019), \u201c<em>so</em>\u201d</p>",
        ),
        ("<td>-0.5</td><td>(-1, -.5)</td>", "<td>\u22120.5</td><td>(\u22121, \u2212.5)</td>"),
        ("<p>run it with --cores -1 or --seed=-2</p>", "<p>run it with --cores -1 or --seed=-2</p>"),
        ("<p>run it with -j -1 or --cores\n-1</p>", "<p>run it with -j -1 or --cores\n-1</p>"),
        ("<p>from a-b -1 to (-2, -x -3)</p>", "<p>from a-b \u22121 to (\u22122, -x -3)</p>"),
        ("<p>--cores -1</p><p>-1 or -0.5</p>", "<p>--cores -1</p><p>\u22121 or \u22120.5</p>"),
        ("<p>95 % of 3 runs, 0.5 %, % </p>", "<p>95\u00a0% of 3 runs, 0.5\u00a0%, % </p>"),
        (
            "<p>3.2 µs to 15 ms, 2 s, 3 seeds, 4 ms.</p>",
            "<p>3.2\u00a0µs to 15\u00a0ms, 2\u00a0s, 3 seeds, 4\u00a0ms.</p>",
        ),
        ("<p>2026-11-21, 5-10, AC-s, DQN -s, a - b</p>", "<p>2026-11-21, 5-10, AC-s, DQN -s, a - b</p>"),
        ("<p><b>DQN</b>'s, <code>x</code>'s</p>", "<p><b>DQN</b>\u2019s, <code>x</code>\u2019s</p>"),
        ('<p>all</p><p>"so"</p>', "<p>all</p><p>\u201cso\u201d</p>"),
        ("<p>It\u2019s \u201cso\u201d, \u22121</p>", "<p>It\u2019s \u201cso\u201d, \u22121</p>"),
    ],
)
def test_texts_are_set_as_they_are_printed(html, printed):
    assert with_typography(html) == printed


def test_a_line_does_not_break_between_a_formula_and_the_mark_beside_it():
    formula = '<math display="inline"><mi>x</mi></math>'
    html = f"<p>{formula}, {formula} of ({formula}'s {formula}) and {formula}-quantiles</p>"
    kept = [f"{formula},", f"({formula}\u2019s", f"{formula})", f"{formula}-quantiles"]
    first, second, third, fourth = (f'<span class="formula">{part}</span>' for part in kept)
    assert with_typography(html) == f"<p>{first} {formula} of {second} {third} and {fourth}</p>"


@pytest.mark.parametrize(
    "html",
    [
        "<code>it's -1</code>",
        '<pre><code>"a" &quot;b&quot; -1</code></pre>',
        "<script>const x = '<p>' + \"it's\";</script>",
        "<style>p::before { content: '-1' }</style>",
        "<svg aria-label=\"it's\"><text>it's -1</text></svg>",
        "<math><mo>-</mo><mn>1</mn><mtext>it's</mtext></math>",
        "<!-- it's -->",
        '<a title="it\'s > -1" href=\'"-1"\'></a>',
    ],
)
def test_code_formulas_pictures_and_attributes_stay_as_they_are(html):
    assert with_typography(html) == html
