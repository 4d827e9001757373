"""What the page of the numbers of runs says, of three questions."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.origin import record_date
from surefoot.charts.selection import numbers_of_analysis
from surefoot.charts.sentences import item
from surefoot.protocol.sentences import REMARK, unlike_remark
from surefoot.questions.false_alarm_rates import show as false_alarm_rates
from surefoot.questions.run_plans import show as run_plans
from surefoot.questions.sequential_comparison import show as sequential_comparison
from surefoot.result_tables import Tables


def verdict(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Sentences for the page: columns item, text, value."""
    plans = tables["numbers/run_plans"]
    looks, alarms = (numbers_of_analysis(tables, name) for name in ("sequential_comparison", "false_alarm_rates"))
    larger = numbers_of_analysis(tables, "recorded/false_alarm_rates")
    remark = unlike_remark(settings.get("protocol", {}), settings["algorithm_titles"])
    rows = [
        item("remark", remark),
        item("mark", REMARK if remark else ""),
        item("width", run_plans.width_sentence(plans, settings)),
        item("chance", run_plans.chance_sentence(plans, settings)),
        item("pilot", run_plans.pilot_sentence(plans, settings)),
        item("caption", run_plans.caption(settings)),
        item("no_lift", f"{50 * (1 - settings['confidence']):.3g} %"),
        item(
            "compared",
            "" if looks is None else sequential_comparison.finding(looks, settings),
            None if looks is None else len(looks),
        ),
        item("shared", run_plans.shared_sentence(plans, settings)),
        item("independence", "" if looks is None else sequential_comparison.independence_sentence(looks, settings)),
        item("alarms", "" if alarms is None else false_alarm_rates.finding(alarms, settings)),
        item("alarms_caption", "" if alarms is None else false_alarm_rates.caption(alarms, settings)),
        item("alarms_recorded", "" if larger is None else false_alarm_rates.finding(larger, settings)),
        item("alarms_recorded_caption", "" if larger is None else _recorded_caption(larger, tables, settings)),
    ]
    return None, pd.DataFrame(rows)


def _recorded_caption(alarms: pd.DataFrame, tables: Tables, settings: Mapping[str, Any]) -> str:
    """The same as of this run's alarms, after where they come from: the page's other numbers are of this run."""
    date = record_date(tables, settings.get("names", {}).get("false_alarm_rates", "false_alarm_rates"))
    rounds = int(alarms["round"].max())
    origin = f"From the record of a larger run ({date}; {rounds} runs), not computed in this run."
    return f"{origin} {false_alarm_rates.caption(alarms, settings)}"
