"""Parameters of operations: from the query, a form or a JSON body."""

import re
import unicodedata

from .errors import invalid
from .switches import fault, legal
from .values import boolean, date_value, local_key, parse_json, tag_settings, text_value, whole

SHORT = {"new_thing": "new", "changed_thing": "change", "deleted_thing": "delete", "skip_id": "skip-id"}
UPLOADS = ("new_thing", "changed_thing", "deleted_thing", "tag")


class Bag:
    """Pairs of a query or form, or the members of a JSON body."""

    def __init__(self, pairs, native=False):
        self.pairs, self.native = pairs, native

    def get(self, name):
        """The last value of a name; None when it is absent or null."""
        values = [v for n, v in self.pairs if n == name and v is not None]
        return values[-1] if values else None

    def of_kind(self, kind):
        """Values of a kind, in all its spellings."""
        def matches(name):
            return name == kind or name.startswith(kind + "[") and name.endswith("]")
        return [(n, v) for n, v in self.pairs if matches(n) and v is not None]

    def has(self, kind):
        return bool(self.of_kind(kind))


class Params:
    """The body, and behind it the query of the same request."""

    def __init__(self, query, body=None):
        self.query, self.body = query, body

    def get(self, name):
        value = self.body.get(name) if self.body else None
        if value is None and not (self.body is not None and fault("query-of-post-ignored")):
            value = self.query.get(name)
        return value

    def of_kind(self, kind):
        body = self.body.of_kind(kind) if self.body else []
        query = self.query.of_kind(kind)
        if body and query:
            if kind in UPLOADS:
                raise invalid(f"{kind} is in the query and in the body")
            return body, self.body.native
        return (body, self.body.native) if body else (query, False)


def _flatten(value):
    return value if isinstance(value, list) else [value]


def _select(pairs, kind):
    """Faults of the spellings of several things."""
    short = SHORT[kind]
    plain = [(n, v) for n, v in pairs if n == kind]
    bracket = [(n, v) for n, v in pairs if n != kind]
    if fault(f"{short}-mixed-plain") and plain and bracket:
        return plain
    if fault(f"{short}-mixed-bracket") and plain and bracket:
        return bracket
    if fault(f"{short}-bracket-last") and bracket:
        return plain + bracket[-1:]
    if fault(f"{short}-bracket-first") and bracket:
        return plain + bracket[:1]
    if fault(f"{short}-bracket-unknown"):
        return plain
    return pairs


def _limit_items(items, kind):
    short = SHORT[kind]
    if fault(f"{short}-array-first") and len(items) > 1:
        return items[:1]
    if fault(f"{short}-array-last") and len(items) > 1:
        return items[-1:]
    if fault(f"{short}-cap"):
        return items[:50]
    return items


def things_of(params, kind):
    """The raw objects of new_thing or changed_thing."""
    pairs, native = params.of_kind(kind)
    items = []
    for name, value in _select(pairs, kind):
        if not native or isinstance(value, str):
            value = parse_json(value, name)
        if fault("several-arrays") and isinstance(value, list) and name != kind:
            raise invalid(f"{name} must be an object")
        array = isinstance(value, list)
        if array and fault(f"{SHORT[kind]}-array-unknown"):
            raise invalid(f"{kind} must be an object")
        part = [v for v in _flatten(value) if v is not None]
        items += _limit_items(part, kind) if array else part
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            raise invalid(f"{kind}[{index}] must be an object")
    if legal("limit-2000-things") and len(items) > 2000:
        from .errors import ApiError
        raise ApiError(413, "too_large", "at most 2000 things in one request")
    return items


def ids_of(params, kind):
    """The IDs of deleted_thing or skip_id."""
    pairs, native = params.of_kind(kind)
    ids = []
    for name, value in _select(pairs, kind):
        if isinstance(value, str) and value.startswith("[") and not (fault(f"{SHORT[kind]}-array-plain")):
            value = parse_json(value, name)
        elif fault("delete-plain-json") and kind == "deleted_thing" and isinstance(value, str):
            value = parse_json(value, name)
        array = isinstance(value, list)
        part = _flatten(value)
        ids += _limit_items(part, kind) if array else part
    if fault("delete-plain-last") and kind == "deleted_thing":
        ids = ids[-1:]
    for index, item in enumerate(ids):
        if isinstance(item, int) and not isinstance(item, bool):
            ids[index] = item = str(item)
        if not isinstance(item, str):
            raise invalid(f"{kind}[{index}] must be text")
    return ids


def _fields(item, name):
    """The fields that new and changed things share."""
    result = {}
    for field in ("title", "tags", "url", "html"):
        if item.get(field) is not None:
            value = item[field]
            if fault("text-number-accepted") and isinstance(value, (int, float)):
                value = str(value)
            result[field] = text_value(value, f"{name}.{field}")
        elif fault("null-clears") and field in item:
            result[field] = ""
    if item.get("date") is not None:
        date = date_value(item["date"], f"{name}.date")
        if date is not None:
            result["date"] = date
    for field in ("archived", "todoStatus"):
        if item.get(field) is not None:
            result[field] = boolean(item[field], f"{name}.{field}")
    return result


def new_things(params):
    result, keys = [], {}
    for index, item in enumerate(things_of(params, "new_thing")):
        name = f"new_thing[{index}]"
        if item.get("local_id") is None:
            raise invalid(f"{name}.local_id is required")
        key = local_key(item["local_id"], f"{name}.local_id")
        fields = _fields(item, name)
        if "title" not in fields:
            if not fault("new-title-absent"):
                raise invalid(f"{name}.title is required")
            fields["title"] = ""
        if fault("title-empty") and not fields["title"]:
            raise invalid(f"{name}.title is required")
        if key in keys and not legal("dup-creates-two"):
            if legal("dup-first-wins"):
                continue
            if legal("dup-last-wins") or fault("new-dup-merged"):
                result[keys[key]] = (key, fields)
                continue
            raise invalid(f"{name}.local_id is not unique")
        keys[key] = len(result)
        result.append((key, fields))
    return result


def changed_things(params):
    result = []
    for index, item in enumerate(things_of(params, "changed_thing")):
        name = f"changed_thing[{index}]"
        ident = item.get("_id")
        if not isinstance(ident, str):
            raise invalid(f"{name}._id is required")
        fields = _fields(item, name)
        if "title" not in fields:
            raise invalid(f"{name}.title is required")
        if fault("title-empty") and not fields["title"]:
            raise invalid(f"{name}.title is required")
        if fault("change-no-date"):
            fields.pop("date", None)
        if fault("change-no-url"):
            fields.pop("url", None)
        if fault("change-no-html"):
            fields.pop("html", None)
        if fault("change-no-tags"):
            fields.pop("tags", None)
        if fault("change-empty-kept"):
            fields = {k: v for k, v in fields.items() if v != ""}
        result.append((ident, fields))
    return result


def tag_name(name):
    """Name faults of tag settings."""
    if fault("tag-name-lower"):
        name = name.lower()
    if fault("tag-name-dots"):
        name = name.replace(".", "_")
    if fault("tag-name-ascii"):
        name = re.sub(r"[^\x20-\x7e]", "", name)
    if fault("tag-name-nfc"):
        name = unicodedata.normalize("NFC", name)
    if fault("tag-name-casefold"):
        name = name.casefold()
    if fault("tag-name-accents"):
        name = "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))
    if fault("tag-name-cap"):
        name = name[:20]
    if fault("tag-name-word") and not re.fullmatch(r"[\w-]+", name):
        return None
    if fault("tag-name-proto") and name in ("__proto__", "constructor", "toString", "hasOwnProperty"):
        return None
    if fault("tag-name-number") and re.fullmatch(r"\d+", name):
        name = str(int(name))
    if fault("tag-name-hash"):
        name = name.lstrip("#")
    return check(name)


def check(name):
    from .values import check_text
    return check_text(name, "tag")


def tags_of(params):
    """Map from tag name to the given settings."""
    pairs, native = params.of_kind("tag")
    result = {}

    def put(name, settings):
        name = tag_name(name)
        if name is None:
            return
        if len(name) > 1000:
            raise invalid("the name of a tag is too long")
        result.setdefault(name, {}).update(settings)

    for name, value in pairs:
        if name == "tag":
            if isinstance(value, str):
                value = parse_json(value, "tag")
            if not isinstance(value, dict):
                raise invalid("tag must be a map")
            for key, settings in value.items():
                if settings is not None:
                    put(key, tag_settings(settings, f"tag[{key}]"))
            continue
        inner = name[4:-1]
        if fault("tag-name-first-bracket"):
            inner = name[4:].split("]", 1)[0]
        field = re.fullmatch(r"(.*)\]\[(favorite|color|todo)", inner, re.S)
        if field and not str(value).lstrip().startswith("{"):
            if fault("tag-fields"):
                raise invalid(f"{name} must be an object")
            part = None if value == "null" else value
            put(field.group(1), tag_settings({field.group(2): part}, name))
        else:
            put(inner, tag_settings(value, name))
    if fault("tag-last-only") and result:
        last = list(result)[-1]
        return {last: result[last]}
    if fault("tag-first-only") and result:
        first = list(result)[0]
        return {first: result[first]}
    return result


def whole_of(params, name):
    value = params.get(name)
    if params.body is not None and fault(f"{name}-post-ignored") and not params.body.native:
        value = None
    return None if value is None else whole(value, name)


class Upload:
    """Everything that one sync asks for, checked."""

    def __init__(self, params, method):
        self.from_ = whole_of(params, "from")
        self.skip = whole_of(params, "skip") or 0
        self.limit = whole_of(params, "limit")
        self.new, self.changed, self.deleted, self.tags = [], [], [], {}
        self.skip_ids = set(ids_of(params, "skip_id"))
        if fault("skip-id-ignored"):
            self.skip_ids = set()
        if method == "GET":
            given = [kind for kind in UPLOADS if params.query.has(kind)]
            if given and not fault("get-uploads-ignored"):
                if not fault("get-uploads"):
                    raise invalid(f"{given[0]} needs POST")
            elif given:
                return
            if not given:
                return
        self.new = new_things(params)
        self.changed = changed_things(params)
        self.deleted = ids_of(params, "deleted_thing")
        self.tags = tags_of(params)
        if fault("tag-with-things") and (self.new or self.changed or self.deleted):
            self.tags = {}
        if fault("page-upload-ignored") and self.skip:
            self.new, self.changed, self.deleted, self.tags = [], [], [], {}
        if fault("page-upload-cut") and self.limit is not None:
            self.new = self.new[: self.limit]
        if fault("skip-id-upload"):
            self.changed = [(i, f) for i, f in self.changed if i not in self.skip_ids]
            self.deleted = [i for i in self.deleted if i not in self.skip_ids]
        if fault("delete-after-new") and self.new:
            self.deleted = []
