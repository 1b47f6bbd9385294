"""What is wrong with a text -> the words for it: code, message, hint.

All wording of the text stage stands here; the places are found by whoever finds the fault.
"""

from __future__ import annotations

import re
import unicodedata
from keyword import iskeyword
from typing import Final, NamedTuple

from outscore.diagnostics import Code, nearest


class Words(NamedTuple):
    """A finding without its place."""

    code: Code
    message: str
    hint: str | None = None


def shown(text: str, most: int = 40) -> str:
    """A piece of the text in a message: in quotes, on one line, not too long."""
    line = " ".join(text.split())
    return f"'{line}'" if len(line) <= most else f"'{line[:most]}...'"


def quoted(text: str) -> str:
    """The text as a YAML author would quote it."""
    line = " ".join(text.split())
    if '"' not in line and "\\" not in line:
        return f'"{line}"'
    return "'" + line.replace("'", "''") + "'"


# The file as a whole.


def too_many_bytes(most: int) -> Words:
    return Words(Code.TOO_LARGE, f"the file has more than {most:,} bytes, the most that are read")


def utf_16() -> Words:
    return Words(Code.BAD_ENCODING, "the file is UTF-16 or UTF-32; UTF-8 is wanted", "save the file as UTF-8")


def not_utf_8(byte: int) -> Words:
    meant = bytes([byte]).decode("cp1252", "replace")
    guess = f" (in Windows-1252 it would be '{meant}')" if meant.isprintable() and meant != "\ufffd" else ""
    message = f"the byte 0x{byte:02X} is not UTF-8{guess}"
    return Words(Code.BAD_ENCODING, message, "save the file as UTF-8")


def unwanted_character(character: str, others: int, most: int) -> Words:
    """`others`: how many more there are, counted up to `most`."""
    code = f"U+{ord(character):04X}"
    more = str(others) if others < most else f"{most} or more"
    also = f" ({more} others in the file)" if others else ""
    if character == "\r":
        message = f"a carriage return that no line feed follows{also}"
        return Words(Code.BAD_ENCODING, message, "end lines with LF or CRLF")
    if character in "\x85\u2028\u2029":
        message = f"the character {code} is a line break to some YAML readers only{also}"
    elif character == "\ufeff":
        message = f"a byte order mark ({code}) inside the text{also}"
        return Words(Code.BAD_ENCODING, message, "delete it; it is invisible and may only stand first")
    else:
        name = unicodedata.name(character, "NUL" if character == "\0" else "a control character")
        message = f"the character {code} ({name}) may not stand in YAML{also}"
    escape = f"\\x{ord(character):02x}" if ord(character) < 256 else f"\\u{ord(character):04x}"
    return Words(Code.BAD_ENCODING, message, f"delete it, or write {escape} inside double quotes")


def empty(only_comments: bool) -> Words:
    found = "the file holds only comments" if only_comments else "the file is empty"
    return Words(Code.EMPTY_DOCUMENT, f"{found}; a YAML document was wanted")


def second_document() -> Words:
    message = "a second document begins here; one file holds one document"
    return Words(Code.UNSUPPORTED_YAML, message, "move it to a file of its own")


def directive(line: str) -> Words:
    hint = "remove the line; only '%YAML 1.2' may stand here, once"
    return Words(Code.UNSUPPORTED_YAML, f"the directive {shown(line)} is not supported", hint)


def too_deep(most: int) -> Words:
    return Words(Code.TOO_LARGE, f"nested more than {most} levels deep")


def too_much(most: int) -> Words:
    return Words(Code.TOO_LARGE, f"more than {most:,} keys and values", "split the file")


# Scalars.


def switch_word(plain: str, meaning: bool) -> Words:
    message = f"unquoted {plain} is text to some YAML readers and {str(meaning).lower()} to others"
    return Words(Code.AMBIGUOUS_SCALAR, message, f'write {str(meaning).lower()}, or "{plain}" if text is meant')


def switch_option(plain: str, field: str) -> str:
    return f'put it in quotes: "{plain}"; for yes and no alone, write {shown(field + ": boolean")}'


def leading_zero(plain: str) -> Words:
    message = f"{shown(plain)} begins with a zero, which some YAML readers take as octal"
    number = plain.lstrip("+-").lstrip("0")
    number = number if number[:1].isdigit() else "0" + number
    sign = "-" if plain[0] == "-" else ""
    return Words(Code.AMBIGUOUS_SCALAR, message, _number_or_text(sign + number, plain))


def clock(plain: str) -> Words:
    message = f"unquoted {shown(plain)} is a number in base 60 to some YAML readers"
    return Words(Code.AMBIGUOUS_SCALAR, message, f"quote it: {quoted(plain[:80])}")


def other_base(plain: str) -> Words:
    message = f"{shown(plain)} is a number to some YAML readers only; numbers are written in decimal"
    value = int(plain.replace("_", ""), 0) if len(plain) <= 20 and plain[-1] not in "xob_" else None
    return Words(Code.AMBIGUOUS_SCALAR, message, _number_or_text(None if value is None else str(value), plain))


def grouped_digits(plain: str) -> Words:
    message = f"{shown(plain)} is a number to some YAML readers only; '_' may not group digits"
    return Words(Code.AMBIGUOUS_SCALAR, message, _number_or_text(plain.replace("_", ""), plain))


def _number_or_text(number: str | None, plain: str) -> str:
    text = f"{quoted(plain[:80])} if text is meant"
    return f"write {text}" if number is None else f"write {number[:80]}, or {text}"


def not_finite(plain: str) -> Words:
    return Words(Code.BAD_NUMBER, f"{plain} is no finite number; only finite numbers are taken")


def bad_number(reason: str) -> Words:
    return Words(Code.BAD_NUMBER, reason)


def tag(text: str, key: str | int | None = None) -> Words:
    """`key`: what it is the value of, or its place in a list, where that is known."""
    hint = "remove it; put text that begins with '!' in quotes"
    if key == "when" and not text.startswith("!!"):
        name = text[1:]
        # As names are declared: one that is none of the language's words, and in small letters.
        is_name = name.isascii() and name.isidentifier() and name.islower() and not iskeyword(name)
        hint = f"write {shown('not ' + name)}" if is_name else "write 'not' for '!'"
    return Words(Code.UNSUPPORTED_YAML, f"the tag {shown(text)} is not supported", hint)


# Keys.


def duplicate_key(key: str, first_line: int) -> Words:
    message = f"the key {shown(key)} stands twice in one mapping; first on line {first_line}"
    return Words(Code.DUPLICATE_KEY, message, "keep one of the two")


def missing_key() -> Words:
    return Words(Code.SYNTAX, "no key stands before this ':'")


def ambiguous_key(plain: str) -> Words:
    message = f"the unquoted key {plain} is text to some YAML readers and a truth value to others"
    return Words(Code.AMBIGUOUS_SCALAR, message, f'quote it: "{plain}"')


def constant_key(plain: str) -> Words:
    message = f"a key must be text, but unquoted {plain} is not"
    return Words(Code.AMBIGUOUS_SCALAR, message, f'quote it: "{plain}"')


def key_like_number(plain: str) -> Words:
    message = f"a key must be text, but unquoted {shown(plain)} is a number to YAML"
    return Words(Code.AMBIGUOUS_SCALAR, message, f"quote it: {quoted(plain[:80])}")


def complex_key() -> Words:
    return Words(Code.UNSUPPORTED_YAML, "a mapping or a list cannot be a key; keys are text")


def alias_key() -> Words:
    return Words(
        Code.UNSUPPORTED_YAML, "an alias cannot be a key", "write the key out, or quote it if it begins with '*'"
    )


# Anchors, aliases, merges.


def second_anchor(name: str, first_line: int) -> Words:
    message = f"the anchor {shown('&' + name)} stands twice; first on line {first_line}"
    return Words(Code.UNSUPPORTED_YAML, message, "give each anchor a name of its own")


def unknown_alias(name: str, anchors: list[str]) -> Words:
    near = nearest(name, anchors)
    hint = f"did you mean '*{near}'?" if near else "quote it if it is text that begins with '*'"
    return Words(Code.SYNTAX, f"no anchor {shown('&' + name)} stands before this alias", hint)


def alias_to_itself(name: str) -> Words:
    return Words(Code.UNSUPPORTED_YAML, f"the alias {shown('*' + name)} stands inside what it repeats")


def too_many_aliases(most: int) -> Words:
    message = f"the aliases up to here repeat more than {most:,} values"
    return Words(Code.TOO_LARGE, message, "write out what differs; do not nest aliases in aliases")


def bad_merge(found: str) -> Words:
    message = f"'<<' merges a mapping or a list of mappings, but found {found}"
    return Words(Code.UNSUPPORTED_YAML, message, 'quote it ("<<") if a key of that name is meant')


# Odd spaces.


def tab() -> Words:
    message = "a tab where YAML wants spaces"
    return Words(
        Code.ODD_SPACE, message, "indent and separate with spaces; a tab may stand only in quotes and comments"
    )


def odd_space(character: str) -> Words:
    name = unicodedata.name(character, "an unusual space").lower()
    message = f"a {name} (U+{ord(character):04X}), which looks like a space and is none to YAML"
    return Words(Code.ODD_SPACE, message, "replace it with an ordinary space")


# Values that YAML cuts up.


_DECIMAL_COMMA: Final = re.compile(r"[-+]?[0-9]+,[0-9]+")


def cut_by_comma(read: str, whole: str) -> Words:
    message = f"inside {{...}} and [...] a comma ends the value, so YAML reads only {shown(read)} here"
    if _DECIMAL_COMMA.fullmatch(whole):
        return Words(Code.SPLIT_EXPRESSION, message, f"write decimals with a point: {whole.replace(',', '.')}")
    return Words(Code.SPLIT_EXPRESSION, message, _quote_whole(whole))


def cut_by_bracket(read: str, whole: str) -> Words:
    message = f"inside {{...}} and [...] a bracket ends the value, so YAML reads only {shown(read)} here"
    return Words(Code.SPLIT_EXPRESSION, message, _quote_whole(whole))


def cut_by_quote(read: str, whole: str) -> Words:
    message = f"a value that begins with a quote ends at the closing one, so YAML reads only {shown(read)} here"
    return Words(Code.SPLIT_EXPRESSION, message, _quote_whole(whole))


def cut_by_comment(read: str, whole: str) -> Words:
    message = f"' #' begins a comment, so YAML reads only {shown(read)} here"
    return Words(Code.SPLIT_EXPRESSION, message, _quote_whole(whole))


def _quote_whole(whole: str) -> str:
    return f"quote the whole value: {quoted(whole)}" if len(whole) <= 200 else "quote the whole value"


# Syntax.


def no_space_after_colon(found: str) -> Words:
    key, _, value = found.partition(":")
    hint = f"put a space after the colon: {key}: {value.strip()}" if len(found) <= 100 else None
    return Words(Code.SYNTAX, f"no space follows the colon in {shown(found)}", hint)


def no_value_after_colon(found: str) -> Words:
    return Words(Code.SYNTAX, f"no space and value follow the colon in {shown(found)}", "write 'key: value'")


def entry_without_value(found: str) -> Words:
    message = f"{shown(found)} has no value, and {{...}} is a mapping in YAML"
    return Words(Code.SYNTAX, message, "write 'key: value', or quote the whole if text was meant")


def no_colon(found: str) -> Words:
    message = f"found {shown(found)} where 'key: value' was wanted"
    hint = "put a ':' after a key; text that goes on from the line above is indented further than its key"
    return Words(Code.SYNTAX, message, hint)


def second_colon() -> Words:
    message = "a second ': ' on one line; a value cannot be a mapping there"
    return Words(Code.SYNTAX, message, "quote the value if the colon belongs to its text")


def key_too_deep(found: str) -> Words:
    message = f"the key {shown(found)} is nested under something that already has a value"
    return Words(Code.SYNTAX, message, "the keys of one mapping begin in the same column")


def item_on_key_line() -> Words:
    message = "a list item ('- ') cannot begin here"
    return Words(Code.SYNTAX, message, "begin the list on the next line, or quote the value if the '-' belongs to it")


def complex_key_mark() -> Words:
    return Words(Code.UNSUPPORTED_YAML, "'? ' begins a complex key; keys are text", "quote it if it belongs to a text")


def unclosed_quote(quote: str) -> Words:
    hint = "close it with the same quote" + ("; inside it, write '' for one '" if quote == "'" else "")
    return Words(Code.SYNTAX, f"the quote {quote} is opened here and never closed", hint)


def text_after_quote(quote: str) -> Words:
    inside = "''" if quote == "'" else '\\"'
    message = f"the quoted value ends with this {quote}, and more follows"
    return Words(Code.SYNTAX, message, f"inside these quotes write {inside} for {quote}, or use the other kind")


def quote_over_lines(first_line: int) -> Words:
    message = f"the quote opened on line {first_line} is closed only here, and more follows"
    return Words(Code.SYNTAX, message, f"close the quote on line {first_line}")


def bad_escape(found: str) -> Words:
    message = f"{found} is no escape that double quotes know"
    return Words(Code.SYNTAX, message, "write \\\\ for a backslash, or use single quotes")


def bad_character_escape() -> Words:
    return Words(Code.SYNTAX, "an escape in this text names no Unicode character", "write the character itself")


def bad_block_header(mark: str, found: str) -> Words:
    message = f"'{mark}' begins a block of text, and a line break was wanted after it, not {found}"
    return Words(Code.SYNTAX, message, f"quote the value if the '{mark}' belongs to it")


def bad_anchor(mark: str) -> Words:
    what = "an anchor" if mark == "&" else "an alias"
    message = f"'{mark}' begins {what}, and its name was wanted after it"
    return Words(Code.SYNTAX, message, f"quote the value if the '{mark}' belongs to it")


def bad_start(character: str) -> Words:
    return Words(Code.SYNTAX, f"an unquoted value cannot begin with '{character}'", "quote the value")


def unclosed_bracket(opening: str) -> Words:
    closing = "}" if opening == "{" else "]"
    return Words(Code.SYNTAX, f"the '{opening}' opened here is never closed", f"close it with '{closing}'")


def no_comma(found: str, opening: str, line: int) -> Words:
    closing = "}" if opening == "{" else "]"
    message = f"found {found} where ',' or '{closing}' was wanted, in the '{opening}' of line {line}"
    return Words(Code.SYNTAX, message, f"separate with ',', close with '{closing}', or quote the value")


def text_after_bracket(found: str) -> Words:
    message = f"found {found} after the closing bracket"
    return Words(Code.SYNTAX, message, "remove it, or quote the whole value if all of it is one text")


def no_key(found: str, column: int, line: int) -> Words:
    message = f"found {found} where a key of the mapping begun on line {line} was wanted"
    if found == "'-'":
        return Words(Code.SYNTAX, message, f"a mapping is no list: take the '-' out, its keys begin in column {column}")
    return Words(Code.SYNTAX, message, f"its keys begin in column {column}")


def stray_key(found: str, wanted: int, line: int) -> Words:
    message = f"found {found} where a key of the mapping begun on line {line} was wanted"
    return Words(Code.SYNTAX, message, f"its keys begin in column {wanted}; or the key above {found} is missing")


def item_too_far_left(column: int, line: int) -> Words:
    message = f"found '-' to the left of the list begun on line {line}"
    return Words(Code.SYNTAX, message, f"its items begin in column {column}")


def no_item(found: str, column: int, line: int) -> Words:
    message = f"found {found} where '- ' and an item of the list begun on line {line} was wanted"
    hint = f"its items begin in column {column}, and the keys of an item in column {column + 2}, behind the '- '"
    return Words(Code.SYNTAX, message, hint)


def after_the_end(found: str) -> Words:
    message = f"found {found} after the end of the document"
    return Words(Code.SYNTAX, message, "the keys of the whole document begin in the same column")


def no_value(found: str) -> Words:
    return Words(Code.SYNTAX, f"found {found} where a value was wanted")


def not_yaml(found: str) -> Words:
    return Words(Code.SYNTAX, f"this is no YAML from {found} on")
