"""What the page says of the questions of Appendices A and B, of section 3 and of Definition 2."""

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from surefoot.charts.sentences import item
from surefoot.questions.alpha_rank import show as alpha_rank
from surefoot.questions.best_of_candidates import show as best_of_candidates
from surefoot.questions.exploits import show as exploits
from surefoot.questions.run_percentiles import show as run_percentiles
from surefoot.questions.tuning import show as tuning
from surefoot.result_tables import Tables


def asked_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows of `exploit_items` and `tuning_items`; `alpha_rank`, `tuning`, `run_percentiles` and `policy_percentile`."""
    return [
        *exploits.exploit_items(tables, settings),
        item("alpha_rank", _finding(alpha_rank, tables, settings)),
        item("tuning", _finding(best_of_candidates, tables, settings)),
        *tuning.tuning_items(tables, settings),
        item("run_percentiles", _finding(run_percentiles, tables, settings)),
        item("policy_percentile", exploits.policy_sentence(tables, settings)),
    ]


def _finding(shown: ModuleType, tables: Tables, settings: Mapping[str, Any]) -> str:
    return shown.finding(tables[shown.TABLE], settings) if shown.TABLE in tables else shown.NOT_ASKED
