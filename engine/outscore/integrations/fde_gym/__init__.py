"""FDE-Gym's files -> rulesets, runs and audits: npcs.json, ask.jsonl and result.json of the public harness.

    from outscore.integrations import fde_gym

    engagement = fde_gym.read_engagement("npcs.json")
    result = fde_gym.read_result("result.json")
    log = fde_gym.read_log("ask.jsonl")
    print(fde_gym.ruleset_of(engagement, "port_yard", result.direction).text)
    print(fde_gym.record(fde_gym.audit(engagement, log, result, scenario="port_yard")))

The harness's own float arithmetic is repeated in `harness`, and nowhere else.
"""

from __future__ import annotations

from outscore.integrations.fde_gym.audit import Audit, audit, count_log
from outscore.integrations.fde_gym.averages import mean_over_problems, mean_over_runs, table
from outscore.integrations.fde_gym.counting import Counted, count
from outscore.integrations.fde_gym.engagement import Engagement, read_engagement
from outscore.integrations.fde_gym.ids import to_ours, to_theirs
from outscore.integrations.fde_gym.log import Log, read_log
from outscore.integrations.fde_gym.reading import Fault, ForeignFileError
from outscore.integrations.fde_gym.report import page, record
from outscore.integrations.fde_gym.result import Result, read_result
from outscore.integrations.fde_gym.ruleset import Converted, ruleset_of
from outscore.integrations.fde_gym.run import encode_run, events_of, refuse_credits, run_of

__all__ = [
    "Audit",
    "Converted",
    "Counted",
    "Engagement",
    "Fault",
    "ForeignFileError",
    "Log",
    "Result",
    "audit",
    "count",
    "count_log",
    "encode_run",
    "events_of",
    "mean_over_problems",
    "mean_over_runs",
    "page",
    "read_engagement",
    "read_log",
    "read_result",
    "record",
    "refuse_credits",
    "ruleset_of",
    "run_of",
    "table",
    "to_ours",
    "to_theirs",
]
