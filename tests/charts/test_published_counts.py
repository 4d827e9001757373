"""The home page's counts of published numbers: those of the record that its figures show, and which run they are of."""

import re
from pathlib import Path

import pandas as pd
import pytest

from surefoot.charts import published_counts
from surefoot.charts.published_counts import LARGE, RECORDED, SMALL, published_item, table_verdicts
from surefoot.statistics.reproduction.comparison import STANDARD_ERRORS
from surefoot.statistics.reproduction.verdicts import VERDICTS, verdict_counts

ROOT = Path(__file__).parents[2]
STUDIES = [["castronovo2016", "Bayesian"], ["example", "Example"]]


def settings(*recorded, studies=STUDIES):
    return {"studies": studies, "recorded_studies": list(recorded)}


def of_study(table, study="castronovo2016"):
    return table.assign(study=study)


@pytest.fixture
def tables():
    published = pd.read_csv(ROOT / "config/published/castronovo2016.csv")
    record = pd.read_csv(ROOT / "reports/records/castronovo2016.csv", dtype={"reason": str, "configuration": str})
    small = record.head(10).assign(verdict=["reproduced"] * 2 + ["not testable"] * 7 + ["differs"])
    return {"all_published": of_study(published), "all_records": of_study(record), "all_runs": of_study(small)}


def test_the_counts_are_first_those_of_the_record_then_those_of_this_run(tables):
    _, table = table_verdicts(tables, settings())
    assert table[["study", "run"]].to_numpy().tolist() == [
        ["castronovo2016", LARGE],
        ["castronovo2016", SMALL],
        ["example", ""],
    ]
    large, small, none = table.to_dict("records")
    assert {verdict: large[verdict] for verdict in VERDICTS} == verdict_counts(tables["all_records"]["verdict"])
    assert (large["published"], large["not_judged"]) == (72, 0)
    assert [small[verdict] for verdict in VERDICTS] == [2, 0, 7, 1]
    assert (small["published"], small["not_judged"]) == (72, 62)
    assert all(pd.isna(none[name]) for name in ("published", *VERDICTS, "not_judged"))


def test_what_this_run_draws_from_a_record_of_published_scores_is_no_run(tables):
    del tables["all_records"]
    _, table = table_verdicts(tables, settings("castronovo2016"))
    assert table["run"].tolist() == [RECORDED, ""]


def test_the_sum_over_studies_says_whose_verdicts_it_counts(tables):
    other = pd.DataFrame({"item": ["a", "b"], "verdict": ["explained", "differs"]})
    tables["all_published"] = pd.concat([tables["all_published"], of_study(other, "other")])
    tables["all_runs"] = pd.concat([tables["all_runs"], of_study(other.head(1), "other")])
    row = published_item(tables, settings("other", studies=[*STUDIES, ["other", "Other"]]))
    counts = verdict_counts(tables["all_records"]["verdict"])
    assert row["value"] == 74
    assert row["text"] == (
        f"Of the 74 published numbers of 2 studies, 72 are judged by the large runs ({counts['reproduced']} "
        f"reproduced, {counts['not testable']} not testable), 1 is judged from recorded analyses of published scores "
        "(1 explained) and 10 are judged by the small run made here (2 reproduced, 7 not testable, 1 differs). Each "
        "study's page says which numbers are not judged, and why."
    )
    nothing = published_item({}, settings())
    assert nothing["value"] == 0


def carded(tables, *recorded, studies=STUDIES):
    cards = [[name, f"{name} label", f"Claim of {name}." * (name != "example"), "Why?"] for name, _ in studies]
    _, table = published_counts.cards(tables, settings(*recorded, studies=studies) | {"cards": cards})
    return table.set_index("study")


def test_a_card_says_what_became_of_the_claim_with_the_counts_of_the_record(tables):
    counts = verdict_counts(tables["all_records"]["verdict"])
    row = carded(tables).loc["castronovo2016"]
    assert row["numbers"] == f"{counts['reproduced']} of 72 numbers reproduced, none differs"
    assert (row["claim"], row["standing"]) == ("Claim of castronovo2016.", "Reproduced as far as testable")
    tables["all_sentences"] = pd.DataFrame(
        {"study": ["castronovo2016"], "item": ["claim_verdict"], "text": ["not settled"]}
    )
    assert carded(tables).loc["castronovo2016", "standing"] == "Not settled"


def test_a_card_without_published_numbers_has_its_question_and_no_verdict(tables):
    row = carded(tables).loc["example"]
    assert (row["claim"], row["standing"], row["numbers"]) == ("Why?", "", "")


@pytest.mark.parametrize(
    ("verdicts", "standing", "numbers"),
    [
        (["reproduced", "explained"], "Reproduced", "1 of 2 numbers reproduced, none differs"),
        (["reproduced", "reproduced"], "Reproduced", "All 2 numbers reproduced"),
        (["not testable"], "Not settled", "None of 1 number reproduced, none differs"),
        (["reproduced", "differs"], "Partly reproduced", "1 of 2 numbers reproduced, 1 differs"),
    ],
)
def test_without_a_verdict_on_the_claim_the_counts_decide(verdicts, standing, numbers):
    rows = pd.DataFrame({"item": list("ab")[: len(verdicts)], "verdict": verdicts})
    row = carded({"all_published": of_study(rows), "all_runs": of_study(rows)}).loc["castronovo2016"]
    assert (row["standing"], row["numbers"]) == (standing, numbers)


def test_the_number_of_standard_errors_is_known_in_one_place():
    definitions = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "src").rglob("*.py"))
        if re.search(r"^\w*STANDARD_ERRORS\b.*=\s*\d", path.read_text(), re.MULTILINE)
    ]
    assert definitions == ["src/surefoot/statistics/reproduction/verdicts.py"]
    word = {3: "three", 4: "four", 5: "five"}[int(STANDARD_ERRORS)]
    for page in ("README.md", "reports/index.qmd"):
        assert f"{word} standard errors" in " ".join((ROOT / page).read_text().split())
    assert 'said("standard_errors")' in (ROOT / "reports/castronovo2016.qmd").read_text()


def test_a_card_without_published_numbers_says_what_the_scores_answer(tables):
    said = {"study": ["example"], "item": ["headline"], "text": ["A scores highest, above all others"]}
    row = carded(tables | {"all_sentences": pd.DataFrame(said)}).loc["example"]
    assert (row["claim"], row["standing"], row["numbers"]) == ("Why?", "A scores highest, above all others", "")
