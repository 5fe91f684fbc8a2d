"""What Schemathesis cannot know from the documents. Tokens, credentials and ids that exist it is told by its own
configuration (config.ts). Left are:

- JSON in the text of a form, which OpenAPI 3.0 names as a format but cannot describe: made here;
- forms: `tag[<name>]` (deepObject) is written here, and null, which a form does not have, is left out;
- two new things of one local id, and settings of tags that the SDK document calls any value: not sent;
- attempts are limited per address: each case comes from an address of its own.
"""

import json
import re
from itertools import count

import schemathesis
from hypothesis import strategies as st

calls = count()
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=50)
ids = texts.filter(lambda text: text != "")
numbers = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
fields = {
    "tags": texts | st.none(),
    "date": numbers | st.none(),
    "url": texts | st.none(),
    "html": texts | st.none(),
    "archived": st.booleans() | st.none(),
    "todoStatus": st.booleans() | st.none(),
}
new_thing = st.fixed_dictionaries({"local_id": texts | numbers, "title": texts}, optional=fields)
changed_thing = st.fixed_dictionaries({"_id": ids, "title": texts}, optional=fields)
colors = st.just(False) | st.from_regex(r"#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})", fullmatch=True)
settings = st.fixed_dictionaries(
    {},
    optional={
        "favorite": st.booleans() | st.none(),
        "color": colors | st.none(),
        "todo": st.sampled_from([True, False, "strike", "dont-strike", None]),
    },
)


def name_of(thing):
    """A local id as the server tells it from others: the number 1 and the text "1" are the same."""
    given = thing.get("local_id")
    try:
        return float(given)
    except (TypeError, ValueError):
        return str(given)


new_things = st.lists(new_thing, max_size=3, unique_by=name_of)
changed_things = st.lists(changed_thing, max_size=3)
schemathesis.openapi.format("json-ThingCreate", (new_thing | new_things).map(json.dumps))
schemathesis.openapi.format("json-ThingUpdate", (changed_thing | changed_things).map(json.dumps))
schemathesis.openapi.format("json-TagSettingsChange", settings.map(json.dumps))


def is_color(value):
    is_hex = isinstance(value, str) and re.fullmatch(r"#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})", value)
    return value is None or value is False or is_hex


def is_todo(value):
    return value is None or isinstance(value, bool) or value in ("strike", "dont-strike")


@schemathesis.hook
def filter_body(context, body):
    if not isinstance(body, dict):
        return True
    things = body.get("new_thing")
    names = [name_of(thing) for thing in things if isinstance(thing, dict)] if isinstance(things, list) else []
    tags = body.get("tag")
    changes = [change for change in tags.values() if isinstance(change, dict)] if isinstance(tags, dict) else []
    return len(set(names)) == len(names) and all(
        is_color(change.get("color")) and is_todo(change.get("todo")) for change in changes
    )


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(calls)
    case.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    if case.media_type == "application/x-www-form-urlencoded" and isinstance(case.body, dict):
        case.body = dict(form_fields(case.body))


def form_fields(body):
    for name, value in body.items():
        if name == "tag" and isinstance(value, dict):
            yield from ((f"tag[{tag}]", text) for tag, text in value.items())
        elif value is not None:
            yield name, value
