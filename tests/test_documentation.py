"""The README and the documentation: every command and every block of Python and YAML is run, planned or checked, all
pages render, every link leads somewhere, and what is generated is up to date."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from support.documentation import PAGES, block_with, blocks, commands, quoted_commands
from support.fork_server import run_module
from support.jobs import leave_out_pages
from support.paths import ROOT
from support.two_algorithms import ARRAYS

import surefoot
from surefoot.cli.commands import SHOWN, main, parsed
from surefoot.cli.reference import made_of_the_code
from surefoot.cli.running import snakemake_command
from surefoot.questions._framework.question_registry import questions
from surefoot.reporting.export.venues import VENUES
from surefoot.reporting.render import document_html
from surefoot.reporting.site import read_site
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.planning.plan import plan

FOLLOWED = {"extending"}
"""The page that tests/scenarios/extending follow to the letter, section by section."""
NOT_RUN = {
    "cd": "of what comes after it",
    "conda": "needs conda; tests/scenarios/installing/test_environments.py looks at environment.yml",
    "git": "makes a release",
    "source": "changes the shell",
    "pdflatex": "needs TeX; tests/cli/test_exporting.py compiles a paper where there is one",
    "bibtex": "the same",
    "ruff": "continuous integration runs it",
    "mypy": "the same",
    "snakefmt": "the same",
    "...": "is the end of another command",
}
"""Programs of commands that no test here runs, with the reason."""
NEED_MORE = {
    "--executor": "needs a plugin for a cluster",
    "--workflow-profile": "needs Slurm; tests/scenarios/running/test_slurm.py runs it on one",
}
"""Options of Snakemake with which a command cannot be planned here, with the reason."""
OTHER_YAML = {"large_runs": "a job of Kubernetes"}
MANY = [("ppo", "Hopper-v5"), ("sac", "Hopper-v5"), ("ppo", "Ant-v5"), ("sac", "Ant-v5")]


STUDIES = {"jordan2020", "agarwal2021", "recht2018", "castronovo2016", "adkins2024", "example"}
OWN = {"mine", "theirs", "runs"}
"""What the pages call a study of one's own, and what `surefoot report` calls its."""
NAMED_ALONE = [["read"], ["report"], ["export"]]
"""Commands that sentences name without what they take."""


def of_program(*names):
    """(page, words) of the commands of a program, which stand after its name; those in sentences too."""
    found = [*commands(), *quoted_commands(set(names))]
    return [(page, words[1:]) for page, words in found if Path(words[0]).name in names]


def test_every_command_is_of_a_program_that_is_looked_at():
    known = {"surefoot", "snakemake", "pip", "python", "python3", *NOT_RUN}
    assert {Path(words[0]).name for _, words in commands()} <= known
    assert {Path(words[0]).name for _, words in commands()} >= set(NOT_RUN)


@pytest.mark.parametrize(("page", "words"), of_program("surefoot"), ids=lambda value: " ".join(value)[:60])
def test_documented_options_of_surefoot_exist(page, words):
    if words[0] in ("run", "--help") or words in NAMED_ALONE:
        return  # Snakemake's options; see the test of plans
    assert words[0] in SHOWN or page in FOLLOWED | {"contributing"}
    options = parsed(words)
    if words[0] == "export":
        assert options.study in STUDIES | OWN and options.venue in VENUES


def environment():
    """Variables with which a process finds this package."""
    return os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONWARNINGS": "ignore", "NO_COLOR": "1"}


def prepare(folder):
    """Files that the pages take for granted: a score table and a configuration of one's own."""
    rng = np.random.default_rng(0)
    rows = [(name, task, run) for name in ("mine", "baseline") for task in ("maze", "pole") for run in range(5)]
    scores = pd.DataFrame(rows, columns=["algorithm", "environment", "run"]).assign(score=rng.normal(size=len(rows)))
    scores.to_csv(folder / "my_scores.csv", index=False)
    sweep = scores.assign(learning_rate=scores["run"] % 3, entropy=scores["run"] % 2)
    sweep.to_csv(folder / "sweep.csv", index=False)
    rows = [(name, task, run, step) for name, task in MANY for run in range(4) for step in range(0, 600, 100)]
    curves = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step"]).assign(score=rng.random(len(rows)))
    curves.to_parquet(folder / "curves.parquet", index=False)
    (folder / "runs").mkdir()
    curves.to_csv(folder / "runs" / "all.csv", index=False)


WORKFLOW = [
    *((page, ["snakemake", *words]) for page, words in of_program("snakemake") if not {*words} & {*NEED_MORE}),
    *((page, ["surefoot", *words]) for page, words in of_program("surefoot") if words[0] == "run" and len(words) > 1),
]
PLANNED = {
    tuple(word for word in words if word != "--dry-run"): page
    for page, words in WORKFLOW
    if page != "tutorial"  # which `test_the_tutorial` runs
}


def marks_of(words):
    """Marks of a command whose plan takes as long as those of all others together."""
    return [pytest.mark.long] if "config/overlays/paper.yaml" in words else []


@pytest.mark.workflow
@pytest.mark.parametrize(
    ("words", "page"),
    [pytest.param(words, page, marks=marks_of(words)) for words, page in PLANNED.items()],
    ids=lambda one: one if isinstance(one, str) else " ".join(one)[:60],
)
def test_commands_of_the_workflow_are_planned(words, page, tmp_path):
    """A dry run; in a folder with a study of one's own where the page has one."""
    prepare(tmp_path)
    if "mine.yaml" in words:
        text = block_with("file: my_scores.csv\n" if page == "own_runs" else "mine:", page, "yaml")
        if page == "own_runs":
            columns = {"algorithm": "agent", "score": "return"}
            pd.read_csv(tmp_path / "my_scores.csv").rename(columns=columns).to_csv(tmp_path / "my_scores.csv")
        (tmp_path / "mine.yaml").write_text(text)
    if words[0] == "snakemake":
        own = ["--snakefile", str(ROOT / "Snakefile"), "--workflow-profile", "none"]
        command = [sys.executable, "-m", "snakemake", *own, *words[1:], "--cores", "1", "--dry-run"]
    else:
        os.chdir(tmp_path)
        command = snakemake_command([*words[2:], "--dry-run"])
    done = run_module(command, tmp_path, environment())
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "block", [block for block in blocks("yaml") if block.page not in FOLLOWED], ids=lambda b: b.page
)
def test_blocks_of_yaml_are_configurations(block, tmp_path, monkeypatch):
    content = yaml.safe_load(block.text)
    if block.page in OTHER_YAML:
        assert "studies" not in content
        return
    prepare(tmp_path)
    if block.text.startswith(" "):
        content = yaml.safe_load(
            block.text.replace("reference_table: atari_human", "reference_scores: {maze: [0, 1], pole: [0, 1]}")
        )
        runs = {"kind": "score_table", "file": "my_scores.csv"}
        if "runs_curves" in block.text:
            runs = {"kind": "learning_curves", "file": "curves.parquet", "rule": "window"}
        study = {"title": "Mine", "sources": {"runs": runs}}
        content = {"studies": {"mine": study | {"questions": {"rank_probabilities": {}}} | content}}
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(content))
    sources = [tmp_path / "mine.yaml"]
    config = validate_configuration(read_configuration(sources), sources)
    assert [job for job in plan(config) if job.study == "mine"]


def run_block(text, names):
    """Names after a block of Python."""
    known = {"surefoot": surefoot, "np": np} | names
    exec(text, known)
    return known


def test_the_first_lines_of_the_readme_go_from_runs_to_a_chart(tmp_path, monkeypatch):
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    lines = [line for line in block_with("import surefoot", "README").splitlines() if line]
    assert len(lines) <= 4
    *before, shown = lines
    assert len(eval(shown, run_block("\n".join(before), {})).to_dict()) > 3


@pytest.fixture
def no_page(monkeypatch):
    """Reports make a study, and say where its page would be."""
    leave_out_pages(monkeypatch)


def test_the_blocks_on_notebooks_run(tmp_path, monkeypatch, no_page):
    monkeypatch.chdir(tmp_path)
    assert len(blocks("python", "library")) == 3
    scores = {"ours": ARRAYS["ours"], "baseline": ARRAYS["base"]}
    names = {"scores": scores, "pilot": {"ours": ARRAYS["ours"][:, :2]}, "thresholds": np.linspace(0, 2, 5)}
    names |= {"factors": [1.5, 2.0], "curves": {"ours": ARRAYS["ours"][:, :, None] * [1.0, 2.0]}}
    names |= {"times": dict(zip("ab", ARRAYS["ours"][:2], strict=True))}
    text = "".join(block_with(start, "library") for start in ("surefoot.aggregate_metrics(scores)", "page = surefoot"))
    run_block(text, names)
    asked = set(re.findall(r"surefoot\.(\w+)", text))
    assert len(asked) > 8 and asked <= set(dir(surefoot))
    run_block(
        block_with("scores = {", "library").replace("50_000", "500"),
        {"ours": ARRAYS["ours"], "baseline": ARRAYS["base"]},
    )


def test_the_blocks_on_charts_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks("python", "charts"):
        names = run_block(block.text, names)
    assert {path.suffix for path in tmp_path.iterdir()} == {".pdf", ".svg", ".png"}


ELSEWHERE = ("rollouts_sample_size", "minimum_detectable_difference", "published_scores")
"""Functions that are neither questions nor about logs; other pages show them."""


def test_the_block_on_logs_runs(tmp_path, monkeypatch, no_page):
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    text = block_with("curves = surefoot", "own_runs")
    names = run_block(text, {})
    assert len(names["scores"]) == 16 and {*surefoot.__all__} - {*questions(), *ELSEWHERE} <= set(
        re.findall(r"surefoot\.(\w+)", text)
    )


def tables():
    """The tables of docs/csv.md, by file name."""
    rng = np.random.default_rng(1)
    rows = [(name, task, run) for name in ("ppo", "sac") for task in ("Hopper-v4", "Walker2d-v4") for run in range(5)]
    keys = pd.DataFrame(rows, columns=["agent", "env", "seed"])
    scores = keys.assign(final_return=rng.normal(2000, 100, len(keys)).round(1))
    steps = pd.DataFrame({"step": range(1000, 11000, 1000)})
    wide = scores.pivot_table(index=["agent", "seed"], columns="env", values="final_return").reset_index()
    one_task = scores[scores["env"] == "Hopper-v4"].drop(columns="env").rename(columns={"final_return": "fitness"})
    curves = keys.merge(steps, how="cross").assign(**{"return": rng.random(200)})
    return {"scores.csv": scores, "curves.csv": curves, "wide.csv": wide, "one_task.csv": one_task}


def test_each_table_is_read_by_the_command_of_its_section(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, table in tables().items():
        table.to_csv(name, index=False)
    headers = {block.text.partition("\n")[0] for block in blocks("text", "csv")}
    assert headers == {",".join(tables()[name]) for name in ("scores.csv", "curves.csv", "wide.csv")}
    found = [words for page, words in of_program("surefoot") if page == "csv" and len(words) > 1]
    assert {words[1] for words in found} == {*tables()}
    for words in found:
        rule = words.index("--rule") if "--rule" in words else len(words)
        assert main(["read", *words[1:rule], *words[rule + 2 :]]) == 0
        assert f"account: {10 if words[1] == 'one_task.csv' else 20} runs" in capsys.readouterr().out
    run_block(block_with("read_runs", "csv"), {})


def test_the_benchmarks_of_the_page_are_those_that_there_are():
    text = (ROOT / "docs" / "published_results.md").read_text()
    standings = pd.read_csv(ROOT / "reports" / "records" / "leaderboards" / "standings.csv")
    listed = {}
    for names, algorithms in re.findall(r"^\| (`.*`) \| .* \| (.*) \|$", text, re.MULTILINE):
        listed |= {key: {*algorithms.split(", ")} for key in re.findall(r"`(\w+)`", names)}
    assert listed == {name: {*rows["algorithm"]} for name, rows in standings.groupby("benchmark")}


def test_the_tutorial_prints_what_it_says(tmp_path):
    """Of the example's logs, whose names stand in their paths alone."""
    (tmp_path / "make_logs.py").write_text(block_with("LEVELS", "tutorial"))
    subprocess.run([sys.executable, "make_logs.py", "5"], cwd=tmp_path, check=True)
    command = [sys.executable, "-m", "surefoot", "read", "runs/"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True)
    table = block_with("format stable", "tutorial", "text")
    lines = done.stdout.strip().splitlines()
    assert lines[:6] == table.splitlines()[:6]
    (pattern,) = re.findall(r"--pattern \"[^\"]+\"", done.stdout)
    assert f"`{pattern}`" in (ROOT / "docs" / "tutorial.md").read_text()


@pytest.mark.long
def test_the_tutorial(tmp_path):
    """Every command of it, and the sentences that it quotes from the pages."""
    (tmp_path / "make_logs.py").write_text(block_with("LEVELS", "tutorial"))
    page = tmp_path / "surefoot-report" / "results" / "render" / "runs.html"
    quotes = re.findall(r"^> (.*(?:\n> .*)*)", (ROOT / "docs" / "tutorial.md").read_text(), re.MULTILINE)
    first, second, methods = (" ".join(quote.replace("\n> ", " ").split()) for quote in quotes)
    said = []
    for page_of, words in commands():
        if page_of != "tutorial" or Path(words[0]).name in NOT_RUN:
            continue
        study = tmp_path / "surefoot-report" / "study.yaml"
        if words[1] == "run":
            written = study.read_text()
            replaced = re.search(r"^    scales:\n(?:      .*\n)+", written, re.MULTILINE)[0]
            assert (
                set(yaml.safe_load(replaced)["scales"]) == {"runs", "curves"} and replaced.count("kind: min_max") == 2
            )
            study.write_text(
                written.replace(replaced, f"{block_with('reference_scores', 'tutorial', 'yaml').rstrip()}\n")
            )
        program = [sys.executable, *(words[1:] if words[0] == "python" else ["-m", *words])]
        done = subprocess.run(program, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        if page.is_file() and words[1] in ("report", "run"):
            said.append(plain(page.read_text()))
            if len(said) == 1:
                for picture in (ROOT / "docs" / "images").glob("tutorial_*.svg"):
                    drawn = page.parents[1] / "draw" / "runs" / f"{picture.stem.removeprefix('tutorial_')}.html"
                    wide = re.search(r"<svg.*?</svg>", drawn.read_text(), re.DOTALL)[0]  # without that for phones
                    shown = re.sub(r' data-tooltip="[^"]*"', "", wide)
                    assert picture.read_text().strip() == shown.replace(
                        "<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1
                    )
    assert first in said[0] and "0.151 (\N{MINUS SIGN}0.057 to 0.360)" in said[0] and second in said[1]
    assert "With 0.809, it is ahead of td3 by 0.071 (" in said[2]
    written = " ".join((tmp_path / "paper" / "methods.tex").read_text().replace(r"\%", "%").split())
    assert all(sentence.strip() in written for sentence in methods.split("…"))
    assert len(re.sub(r"\\citep\{[^}]*\}", "", written).split()) <= 400
    exported = {path.stem for path in (tmp_path / "paper" / "figures").glob("*.pdf")}
    assert {"multiple_comparisons", "sample_efficiency", "aggregate_metrics", "performance_profiles"} <= exported


def plain(html):
    """The text of a page in one line."""
    return " ".join(re.sub(r"<[^>]*>", "", html).split())


class _Anchors(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.parts = [], set()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.parts.add(given.get("id"))
        if tag == "a" and "href" in given:
            self.links.append(given["href"])


@pytest.fixture(scope="module")
def rendered():
    """The pages of the documentation, by address: their HTML, links and the parts that can be linked to."""
    site = read_site(ROOT / "reports")
    found = {}
    for path in [*PAGES[1:], ROOT / "CHANGELOG.md"]:
        anchors = _Anchors()
        html = document_html(path, site)
        anchors.feed(html)
        found[f"docs-{path.stem}.html"] = (html, anchors.links, anchors.parts)
    return found


def test_every_link_of_the_documentation_leads_somewhere(rendered):
    for address, (_, links, parts) in rendered.items():
        for link in links:
            page, _, part = link.partition("#")
            if page.startswith("docs-"):
                assert page in rendered, (address, link)
                assert not part or part in rendered[page][2], (address, link)
            elif not page:
                assert part in parts | {"content"}, (address, link)
            elif not page.startswith("https://"):
                assert (ROOT / "reports" / page.replace(".html", ".qmd")).is_file(), (address, link)


def test_the_index_leads_to_every_page(rendered):
    assert {link.partition("#")[0] for link in rendered["docs-index.html"][1]} >= set(rendered) - {"docs-index.html"}


def test_links_of_the_readme_lead_to_files_and_sections(rendered):
    for link in re.findall(r"\]\(([^)]+)\)", PAGES[0].read_text()):
        path, _, part = link.partition("#")
        assert (ROOT / path).is_file(), link
        assert not part or part in rendered[f"docs-{Path(path).stem}.html"][2], link


def test_what_is_made_of_the_code_is_up_to_date():
    """`surefoot schemas` writes it."""
    assert [path.name for path, text in made_of_the_code().items() if path.read_text() != text] == []
