"""Two functions side by side: the median ratio of interleaved rounds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def ratio(
    measured: Callable[[], object],
    base: Callable[[], object],
    *,
    rounds: int = 60,
    calls: int = 40,
    # CPU time of this process: what else the machine does meanwhile is not ours to count. It does not see what child
    # processes do; those need another clock.
    clock: Callable[[], float] = time.process_time,
) -> float:
    """How many times as long `measured` takes as `base`."""
    ratios = []
    for _ in range(rounds):
        start = clock()
        for _ in range(calls):
            base()
        middle = clock()
        for _ in range(calls):
            measured()
        end = clock()
        ratios.append((end - middle) / (middle - start))
    return statistics.median(ratios)
