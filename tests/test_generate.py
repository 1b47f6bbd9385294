"""The random cases are the same on every machine, and wide enough to be worth comparing with."""

import hashlib
import re
from collections import Counter
from fractions import Fraction

from tests import generate, naive

SEEDS = range(600)


def test_a_seed_gives_the_same_texts_everywhere() -> None:
    texts = "\n".join(text for seed in range(50) for text in generate.case(seed))
    assert hashlib.sha256(texts.encode()).hexdigest()[:16] == "21b970a80b4539a4"


def test_many_runs_of_one_ruleset_differ() -> None:
    rules = naive.load_ruleset(generate.case(5)[0])
    assert len({generate.run_for(rules, seed) for seed in range(50)}) == 50


def test_the_cases_reach_every_corner() -> None:
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        ruleset, run = generate.case(seed)
        rules = naive.load_ruleset(ruleset)
        seen.update(f"kpi {word}" for word in ("formula", "pinned") if word in rules["kpi"])
        seen.update(f"rules {word}" for word in ("anyone_else", "free_days", "patience: 0") if word in ruleset)
        seen[f"direction {rules['kpi']['direction']}"] += 1
        seen["offset"] += bool(re.search(r'T\d\d:\d\d[0-9:.]*(Z|[-+]\d\d:\d\d)"', run))
        seen["fraction of a second"] += bool(re.search(r"T\d\d:\d\d:\d\d\.\d", run))
        seen["many digits"] += bool(re.search(r"\d{25}", run.replace(".", "")))
        try:
            score = naive.score(rules, naive.load_run(run))
        except naive.NoScoreError as error:
            seen[f"no score: {error.code}"] += 1
            continue
        seen["scored"] += 1
        seen["exactly 0.8"] += score.score == Fraction(4, 5)
        seen["a hair below"] += Fraction(4, 5) - Fraction(1, 10**12) <= score.score < Fraction(4, 5)
        seen["gain erased"] += score.uplift > 0 and bool(score.incidents)
        seen["harm kept"] += score.adjusted_uplift < 0 and bool(score.incidents)
        seen["floored"] += score.floored_score != score.score
        seen["unknown incident"] += "unheard_of" in score.incidents
        seen.update(f"free: {why}" for why in score.free if why)
        seen.update(rule.split(".")[0] for steps in score.steps for rule, *_ in steps)
        seen.update("past patience" for steps in score.steps for rule, *_ in steps if rule.endswith("past_patience"))
    rare = {name: count for name, count in seen.items() if count < 5}
    assert rare == {}
    assert len(seen) == 26
    assert seen["scored"] > 0.9 * len(SEEDS)
