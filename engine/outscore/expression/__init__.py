"""Text of an expression -> a checked, typed tree.

`names` says what an expression may read where, `check` is the way in, `unparse` the way back to text. `reference`
evaluates trees slowly and plainly; it is imported by whoever needs it, never by this package. Nothing here scores.
"""
