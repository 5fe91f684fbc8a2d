"""Decoding of application/x-www-form-urlencoded."""

import re
from urllib.parse import unquote_to_bytes

from .errors import invalid
from .switches import fault


def _utf8(data):
    if fault("form-latin1"):
        return data.decode("latin-1")
    if fault("form-ascii-ignore"):
        return data.decode("ascii", "ignore")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise invalid("the form is not UTF-8")


def _unquote(data):
    if fault("form-lower-hex"):  # decodes %C3 but not %c3
        return re.sub(rb"%([0-9A-F]{2})", lambda m: bytes([int(m.group(1), 16)]), data)
    if re.search(rb"%(?![0-9A-Fa-f]{2})", data):
        raise invalid("the form is not percent-encoded")
    return unquote_to_bytes(data)


def _value(data):
    if fault("form-plus-kept"):
        return _utf8(_unquote(data))
    if fault("form-plus-lost"):  # %2B becomes + and then a space
        return _utf8(_unquote(data).replace(b"+", b" "))
    text = _utf8(_unquote(data.replace(b"+", b" ")))
    if fault("form-decode-twice"):
        text = unquote_to_bytes(text.encode()).decode("utf-8", "replace")
    return text


def _name(data):
    if fault("form-name-not-decoded") and b"%5B%5D" in data:
        return data.decode("ascii")
    if fault("form-name-raw-bracket") and b"[]" in data:
        return "?"
    raw = _unquote(data.replace(b"+", b" "))
    if fault("form-name-latin1"):
        return raw.decode("latin-1")
    return _utf8(raw)


def decode_form(data):
    """Pairs (name, value) in their order."""
    if fault("form-decode-before-split"):
        text = _utf8(_unquote(data.replace(b"+", b" ")))
        return [tuple((part.split("=", 1) + [""])[:2]) for part in text.split("&") if part]
    pairs = []
    for part in data.split(b"&"):
        if not part:
            continue
        name, equals, value = part.partition(b"=")
        if fault("form-max-fields") and len(pairs) == 40:
            break
        pairs.append((_name(name), _value(value)))
    if fault("form-first-of-name"):  # a dict of the first values
        first = {}
        for name, value in pairs:
            first.setdefault(name, value)
        return list(first.items())
    if fault("form-last-of-name"):
        return list(dict(pairs).items())
    return pairs
