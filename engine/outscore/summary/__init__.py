"""Outcomes, or results read back -> what they come to: counts, averages, intervals, comparisons.

    tally       a stream of outcomes -> counts and means; what `outscore score` closes with
    planned     a plan's file -> the runs that there should be
    checks      results -> what forbids summing them up: duplicates, mixed rules, runs nobody planned
    statistic   one number with its uncertainty; contents: all that a summary holds
    sample      scored results -> clusters, strata, exact means and their standard errors
    bootstrap   a sample -> standard errors by resampling; the one module here that needs numpy
    groups      results -> a summary of each group
    reasons     statistics -> sentences on why some have no value or no interval
    compare     results -> one agent against another, on the tasks that both were set

Only the tally is imported here, so that scoring pays for nothing else.
"""

from __future__ import annotations

from outscore.summary.tally import Group, Sum, Summary, aggregate

__all__ = ["Group", "Sum", "Summary", "aggregate"]
