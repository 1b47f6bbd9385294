"""outscore: a ruleset becomes a scorer, a run becomes an exact score with an itemised account."""

__version__ = "0.1.0"
