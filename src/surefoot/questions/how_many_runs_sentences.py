"""What the page of the numbers of runs says, of three questions."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.origin import record_date
from surefoot.charts.run_numbers import (
    chance_sentence,
    false_alarm_rates_caption,
    false_alarm_rates_finding,
    independence_sentence,
    pilot_sentence,
    run_plans_caption,
    sequential_comparison_finding,
    shared_sentence,
    width_sentence,
)
from surefoot.charts.selection import numbers_of_analysis
from surefoot.charts.sentences import item
from surefoot.protocol.sentences import REMARK, unlike_remark
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
        item("width", width_sentence(plans, settings)),
        item("chance", chance_sentence(plans, settings)),
        item("pilot", pilot_sentence(plans, settings)),
        item("caption", run_plans_caption(settings)),
        item("no_lift", f"{50 * (1 - settings['confidence']):.3g} %"),
        item(
            "compared",
            "" if looks is None else sequential_comparison_finding(looks, settings),
            None if looks is None else len(looks),
        ),
        item("shared", shared_sentence(plans, settings)),
        item("independence", "" if looks is None else independence_sentence(looks, settings)),
        item("alarms", "" if alarms is None else false_alarm_rates_finding(alarms, settings)),
        item("alarms_caption", "" if alarms is None else false_alarm_rates_caption(alarms, settings)),
        item("alarms_recorded", "" if larger is None else false_alarm_rates_finding(larger, settings)),
        item("alarms_recorded_caption", "" if larger is None else _recorded_caption(larger, tables, settings)),
    ]
    return None, pd.DataFrame(rows)


def _recorded_caption(alarms: pd.DataFrame, tables: Tables, settings: Mapping[str, Any]) -> str:
    """The same as of this run's alarms, after where they come from: the page's other numbers are of this run."""
    date = record_date(tables, settings.get("names", {}).get("false_alarm_rates", "false_alarm_rates"))
    rounds = int(alarms["round"].max())
    origin = f"From the record of a larger run ({date}; {rounds} runs), not computed in this run."
    return f"{origin} {false_alarm_rates_caption(alarms, settings)}"
