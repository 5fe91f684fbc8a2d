"""Values of parameters: JSON, text, numbers, booleans, dates, tag settings."""

import html
import json
import math
import re
import struct
import time
import unicodedata

from .errors import DropConnection, invalid
from .switches import fault, legal

DEPTH = 32


def _no_constant(_):
    raise ValueError("not JSON")


def _depth(value, level=0):
    if isinstance(value, dict):
        return max([level + 1] + [_depth(v, level + 1) for v in value.values()])
    if isinstance(value, list):
        return max([level + 1] + [_depth(v, level + 1) for v in value])
    return level


def parse_json(text, name):
    try:
        if text.startswith("\ufeff"):
            raise ValueError("BOM")
        value = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        if fault("error-drops-connection"):
            raise DropConnection
        raise invalid(f"{name} is not JSON")
    if not fault("json-deep") and _depth(value) > DEPTH:
        raise invalid(f"{name} is nested too deeply")
    return value


def check_text(text, name):
    """NUL and lone surrogates are rejected, or replaced (both legal)."""
    if "\0" in text:
        if fault("text-nul-kept"):
            return text
        if legal("nul-replaced"):
            text = text.replace("\0", "\ufffd")
        else:
            raise invalid(f"{name} contains NUL")
    if re.search("[\ud800-\udfff]", text):
        if legal("surrogate-replaced"):
            return re.sub("[\ud800-\udfff]", "\ufffd", text)
        if fault("text-surrogate-kept"):
            return text
        raise invalid(f"{name} contains half of a surrogate pair")
    return text


def _text_faults(text, name):
    if fault("text-trim"):
        text = text.strip()
    if fault("text-collapse"):
        text = re.sub(r" +", " ", text)
    if fault("text-escape"):
        text = html.escape(text, quote=False)
    if fault("text-unescape"):
        text = html.unescape(text)
    if fault("text-crlf"):
        text = text.replace("\r\n", "\n")
    if fault("text-nfc"):
        text = unicodedata.normalize("NFC", text)
    if fault("text-nfkc"):
        text = unicodedata.normalize("NFKC", text)
    if fault("text-bmp"):
        text = re.sub("[\U00010000-\U0010ffff]", "?", text)
    if fault("text-slashes"):
        text = re.sub(r"\\(.)", r"\1", text)
    if fault("text-zero-width"):
        text = re.sub("[\u200b-\u200d\u2060\ufeff]", "", text)
    if fault("text-tab"):
        text = text.replace("\t", " ")
    if fault("text-line-separator"):
        text = re.sub("[\u2028\u2029]", "\n", text)
    if fault("text-nbsp"):
        text = text.replace("\u00a0", " ")
    if name == "title":
        if fault("title-cap"):
            text = text[:255]
        if fault("title-one-line"):
            text = text.split("\n")[0]
        if fault("title-strip-tags"):
            text = re.sub(r"<[^>]*>", "", text)
        if fault("title-capital"):
            text = text[:1].upper() + text[1:]
    if name == "html":
        if fault("html-script"):
            text = re.sub(r"(?is)<script.*?</script>|\son\w+=\"[^\"]*\"", "", text)
        if fault("html-cap"):
            text = text.encode()[:65535].decode("utf-8", "ignore")
        if fault("html-paragraph") and text and not text.startswith("<"):
            text = f"<p>{text}</p>"
    if name == "url":
        if fault("url-slash") and re.fullmatch(r"https?://[^/?#]+", text):
            text += "/"
        if fault("url-host-case"):
            text = re.sub(r"^(\w+://[^/]*)", lambda m: m.group(1).lower(), text)
        if fault("url-encode"):
            text = re.sub(r"[^\x21-\x7e]", lambda m: "".join(f"%{b:02X}" for b in m.group().encode()), text)
        if fault("url-http-only") and not re.match(r"https?://", text):
            text = ""
        if fault("url-fragment"):
            text = text.split("#")[0]
        if fault("url-cap"):
            text = text[:255]
    if name == "tags":
        if fault("tags-lower"):
            text = text.lower()
        if fault("tags-cap"):
            text = " ".join(text.split(" ")[:10])
        if fault("tags-ascii"):
            text = " ".join(re.sub(r"[^\x21-\x7e]", "", t) for t in text.split(" "))
        if fault("tags-hash"):
            text = " ".join(t.lstrip("#") for t in text.split(" "))
        if fault("tags-punctuation"):
            text = " ".join(re.sub(r"[^\w-]", "", t) for t in text.split(" "))
        if fault("tags-comma-split"):
            text = text.replace(",", " ")
    return text


def text_value(value, name):
    if not isinstance(value, str):
        raise invalid(f"{name} must be text")
    return _text_faults(check_text(value, name), name.rsplit(".", 1)[-1])


def boolean(value, name):
    if isinstance(value, bool):
        return value
    if fault("boolean-truthy"):
        return bool(value)
    if not fault("boolean-strict"):
        if isinstance(value, (int, float)) and value in (0, 1):
            return bool(value)
        if isinstance(value, str) and value.lower() in ("true", "false", "1", "0"):
            return value.lower() in ("true", "1")
    raise invalid(f"{name} must be true or false")


def number(value, name):
    if isinstance(value, bool):
        raise invalid(f"{name} must be a number")
    if isinstance(value, str):
        if not re.fullmatch(r"-?\d+(\.\d+)?([eE][-+]?\d+)?", value.strip()) or not value.isascii():
            raise invalid(f"{name} must be a number")
        value = json.loads(re.sub(r"^(-?)0+(?=\d)", r"\1", value.strip()))
    if not isinstance(value, (int, float)):
        raise invalid(f"{name} must be a number")
    try:
        finite = math.isfinite(float(value))
    except OverflowError:
        finite = False
    if not finite:
        raise invalid(f"{name} must be a finite number")
    return value


def whole(value, name):
    """A whole number of 0 or more: from, skip, limit."""
    if isinstance(value, str) and value == "" and legal("empty-number-absent"):
        return None
    value = number(value, name)
    if value != int(value) or value < 0:
        if legal("bad-number-zero"):
            return 0
        raise invalid(f"{name} must be a whole number")
    return int(value)


def date_value(value, name):
    if isinstance(value, str) and fault("number-strict"):
        raise invalid(f"{name} must be a number")
    value = number(value, name)
    if fault("date-ignored"):
        return None
    if fault("date-zero") and not value:
        return None
    if fault("date-int"):
        return int(value)
    if fault("date-int32"):
        return (int(value) + 2**31) % 2**32 - 2**31
    if fault("date-negative"):
        return max(0, value)
    if fault("date-float32"):
        return int(struct.unpack("f", struct.pack("f", value))[0])
    if fault("date-zone"):
        return value + 3600
    if fault("date-milliseconds") and value > 1e10:
        return value / 1000
    if fault("date-future"):
        return min(value, int(time.time()))
    if fault("date-day"):
        return int(value // 86400 * 86400)
    return value


def local_key(value, name):
    """The key of a client-assigned ID; a number becomes decimal text."""
    if value is None or isinstance(value, bool):
        raise invalid(f"{name} is required")
    if fault("new-local-zero") and value == 0:
        raise invalid(f"{name} is required")
    if isinstance(value, (int, float)):
        if fault("new-local-number"):
            raise invalid(f"{name} must be text")
        if fault("new-local-sign"):
            value = abs(value)
        if fault("new-local-int32") and isinstance(value, int):
            value = (value + 2**31) % 2**32 - 2**31
        if fault("new-local-float"):
            return str(float(value))
        if fault("new-local-exponent") and value >= 1e12:
            return f"{value:.6e}"
        if isinstance(value, float):
            if not math.isfinite(value):
                raise invalid(f"{name} must be a finite number")
            return str(int(value)) if value == int(value) and abs(value) < 1e21 else repr(value)
        return str(value)
    if not isinstance(value, str):
        raise invalid(f"{name} must be text or a number")
    if fault("new-local-empty") and value == "":
        raise invalid(f"{name} is required")
    if fault("new-local-string-number"):
        if not re.fullmatch(r"-?\d+", value):
            raise invalid(f"{name} must be a number")
    value = check_text(value, name)
    if fault("new-local-trim"):
        value = value.strip()
    if fault("new-local-lower"):
        value = value.lower()
    if fault("new-local-cap"):
        value = value[:36]
    if fault("new-local-nfc"):
        value = unicodedata.normalize("NFC", value)
    if fault("new-local-numeric") and re.fullmatch(r"0\d+", value):
        value = str(int(value))
    return value


def tag_settings(value, name):
    """The given settings, checked: a dict with some of favorite, color and todo."""
    if isinstance(value, str):
        value = parse_json(value, name)
    if not isinstance(value, dict):
        raise invalid(f"{name} must be an object")
    result = {}
    if value.get("favorite") is not None:
        result["favorite"] = boolean(value["favorite"], f"{name}.favorite")
        if fault("tag-favorite-sticky") and not result["favorite"]:
            del result["favorite"]
    if value.get("color") is not None:
        color = value["color"]
        if isinstance(color, str) and color.lower() in ("false", "0"):
            color = False
        if color is not False and not (isinstance(color, str) and re.fullmatch("#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})", color)):
            raise invalid(f"{name}.color must be false or a hex code")
        result["color"] = color_value(color)
        if fault("tag-color-sticky") and not color:
            del result["color"]
    if value.get("todo") is not None:
        todo = value["todo"]
        if fault("tag-todo-boolean") and isinstance(todo, bool):
            todo = False
        if todo not in ("strike", "dont-strike"):
            todo = "strike" if boolean(todo, f"{name}.todo") else False
            if todo and legal("todo-dont-strike"):
                todo = "dont-strike"
        result["todo"] = todo
        if fault("tag-todo-sticky") and not todo:
            del result["todo"]
    return result


def color_value(color):
    if color is False:
        return False
    digits = color[1:]
    if fault("tag-color-black") and int(digits, 16) == 0:
        return False
    if fault("tag-color-zeros"):
        return f"#{int(digits, 16):x}"
    if fault("tag-color-short") and len(digits) == 6:
        return "#" + digits[0] + digits[2] + digits[4]
    if fault("tag-color-no-hash"):
        return digits.lower()
    if fault("tag-color-rgb"):
        full = digits if len(digits) == 6 else "".join(d * 2 for d in digits)
        return f"rgb({int(full[:2], 16)},{int(full[2:4], 16)},{int(full[4:], 16)})"
    if fault("tag-color-argb"):
        return "#ff" + digits.lower()
    return color.upper() if legal("color-upper") else color if legal("color-as-sent") else color.lower()


def now():
    return int(time.time())
