"""Form encoding, and the JSON of things and settings inside forms."""

import json
import unicodedata
from urllib.parse import quote

from .errors import ClientError
from .switches import fault, habit


def escape(text):
    """One name or value of a form."""
    if fault("form-latin1"):
        return quote(text, safe="", encoding="latin-1", errors="replace").replace("%20", "+")
    if fault("form-encoded-twice"):
        return quote(quote(text, safe=""), safe="")
    if habit("encode-every-byte"):
        return "".join(f"%{b:02X}" for b in text.encode())
    try:
        result = quote(text, safe="")
    except UnicodeEncodeError:
        raise ClientError("rejected", "a name or id is not Unicode text") from None
    if fault("form-plus-raw"):
        result = result.replace("%2B", "+")
    if fault("form-percent-raw"):
        result = result.replace("%25", "%")
    if fault("form-ampersand-raw"):
        result = result.replace("%26", "&")
    if habit("lower-case-escapes"):
        parts = result.split("%")
        result = parts[0] + "".join("%" + p[:2].lower() + p[2:] for p in parts[1:])
    return result if habit("space-as-20") else result.replace("%20", "+")


def encode(pairs):
    if habit("parameters-reversed"):
        pairs = list(reversed(pairs))
    elif habit("parameters-sorted"):
        pairs = sorted(pairs, key=lambda p: p[0])
    done = []
    for name, value in pairs:
        shown = escape(name)
        if habit("brackets-raw"):
            shown = shown.replace("%5B", "[").replace("%5D", "]")
        if fault("tag-name-not-encoded") and name.startswith("tag["):
            shown = name
        done.append(shown + "=" + escape(value))
    return "&".join(done)


def dump(value):
    """JSON text of a value."""
    if habit("json-raw-utf8"):
        try:
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
            text.encode()
            return text
        except UnicodeEncodeError:
            pass
    if habit("json-indented"):
        return json.dumps(value, indent=2, allow_nan=False)
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def number(value):
    """A position, skip or limit as the text of a parameter."""
    if fault("number-six-digits"):
        return f"{float(value):g}"
    if fault("number-32-bit"):
        return str(((int(value) + 2**31) % 2**32) - 2**31)
    if fault("number-single-precision"):
        import struct

        return str(int(struct.unpack("f", struct.pack("f", float(value)))[0]))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else repr(value)


_escapes = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def _text(name, value):
    if fault("text-trimmed"):
        value = value.strip()
    if fault("text-nfc"):
        value = unicodedata.normalize("NFC", value)
    if fault("text-line-ends"):
        value = value.replace("\r\n", "\n").replace("\r", "\n")
    if fault("text-html-escaped"):
        value = "".join(_escapes.get(c, c) for c in value)
    if fault("text-astral-dropped"):
        value = "".join(c for c in value if ord(c) <= 0xFFFF)
    if fault("text-control-dropped"):
        value = "".join(c for c in value if ord(c) >= 32)
    if fault("tags-comma-separated") and name == "tags":
        value = ",".join(value.split(" "))
    return value


def thing(fields, is_change=False):
    """The request form of a thing: what is None is left out, the rest goes as it is."""
    done = {}
    for name, value in fields.items():
        if value is None:
            continue
        if isinstance(value, str) and name in ("title", "tags", "url", "html"):
            value = _text(name, value)
            if value == "" and name == "title" and fault("empty-title-left-out"):
                continue
            if value == "" and name != "title" and fault("empty-text-left-out"):
                continue
        if name == "date":
            if fault("date-whole-seconds"):
                value = int(value)
            if fault("date-milliseconds"):
                value = value * 1000
            if fault("date-zero-left-out") and not value:
                continue
            if habit("date-as-float") and isinstance(value, int):
                value = float(value)
        if name == "todoStatus" and value is False and fault("todo-false-left-out"):
            continue
        if name == "archived" and fault("archived-as-number"):
            value = 1 if value else 0
        if name == "todoStatus" and fault("todo-as-text"):
            value = "true" if value else "false"
        done[name] = value
    if fault("change-defaults-filled") and is_change:
        for name, value in (("tags", ""), ("archived", False)):
            done.setdefault(name, value)
    if habit("members-reversed"):
        done = dict(reversed(done.items()))
    return done


def _several(name, items):
    if not items:
        return []
    if fault("several-last-only"):
        items = items[-1:]
    if habit("repeated-parameters"):
        return [(name + "[]", dump(i)) for i in items]
    if habit("mixed-parameters") and len(items) > 2:
        return [(name, dump(items[:2]))] + [(name + "[]", dump(i)) for i in items[2:]]
    if len(items) == 1 and not habit("array-of-one"):
        value = dump(items[0])
    else:
        value = dump(items)
    if fault("things-json-twice"):
        value = dump(value)
    return [(name, value)]


def _deleted(ids):
    if not ids:
        return []
    if fault("deleted-as-object"):
        return [("deleted_thing", dump([{"_id": i} for i in ids]))]
    if fault("deleted-comma-separated"):
        return [("deleted_thing", ",".join(ids))]
    if fault("deleted-first-only"):
        ids = ids[:1]
    if habit("repeated-parameters"):
        return [("deleted_thing[]", i) for i in ids]
    if len(ids) == 1 and not habit("array-of-one"):
        return [("deleted_thing", dump(ids[0]) if fault("deleted-quoted") else ids[0])]
    return [("deleted_thing", dump(ids))]


def upload(new=(), changed=(), deleted=(), tags=None, skip_id=()):
    """The parameters of an upload, in the order of the protocol."""
    new = [{k: v for k, v in n.items() if v is not None} for n in new]
    if fault("local-id-dunder-renamed"):
        for item in new:
            item["local_id"] = str(item.get("local_id")).strip("_")
    news = []
    for item in new:
        fields = thing({k: v for k, v in item.items() if k != "local_id"})
        news.append({"local_id": item["local_id"], **fields} if "local_id" in item else fields)
    pairs = _several("new_thing", news)
    pairs += _several("changed_thing", [thing(c, True) for c in changed])
    pairs += _deleted(list(deleted))
    tags = tags or {}
    if tags and fault("tags-as-one-map"):
        pairs.append(("tag", dump(tags)))
        tags = {}
    for name, settings in tags.items():
        if fault("tag-name-cut-at-bracket"):
            name = name.split("]")[0]
        if fault("tag-settings-null-sent"):
            settings = {"favorite": None, "color": None, "todo": None, **settings}
        else:
            settings = {k: v for k, v in settings.items() if v is not None}
        if fault("tag-color-hash-lost") and isinstance(settings.get("color"), str):
            settings = {**settings, "color": settings["color"].lstrip("#")}
        pairs.append((f"tag[{name}]", dump(settings)))
    skip_id = list(skip_id)[:1] if fault("skip-id-first-only") else list(skip_id)
    if len(skip_id) == 1:
        pairs.append(("skip_id", skip_id[0]))
    else:
        pairs += [("skip_id[]", i) for i in skip_id]
    return pairs
