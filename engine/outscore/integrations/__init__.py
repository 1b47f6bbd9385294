"""Other programs' worlds -> ours: one package for each, imported only when it is used.

Holds nothing itself, so that importing one integration never brings in another, nor a library that is not installed.
"""
