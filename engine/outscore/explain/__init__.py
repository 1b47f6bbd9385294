"""A checked Ruleset -> its price sheet; a Ruleset and a run -> the run's bill: both as values, both for people.

Neither prices nor judges anything: charges come from the ledger, figures from the scorer, lines from the document.
What is shown on a page is laid out in `sheet_page` and `bill_page`, what JSON carries in `records`.
"""

from __future__ import annotations

from outscore.explain.bill import Bill, bill
from outscore.explain.sheet import PriceSheet, price_sheet

__all__ = ["Bill", "PriceSheet", "bill", "price_sheet"]
