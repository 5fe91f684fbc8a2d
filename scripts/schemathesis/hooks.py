"""What Schemathesis cannot know from the documents. Credentials and ids that exist it is told by its own configuration
(config.ts). Left are:

- an access token in a body becomes the one that exists; that in the header is configured;
- JSON in the text of a form, which OpenAPI 3.0 names as a format but cannot describe, is made here;
- forms: `tag[<name>]` (deepObject) is written here, and null, which a form does not have, is left out;
- addresses to call are a few that exist, as a user may have only so many webhooks;
- two new things of one local id are not sent;
- settings of tags that the SDK document calls any value are left out where only words say that they are wrong;
- every second good request of a token is one by password with all that exists: that the grant needs four optional fields
  only words say, and by chance they seldom come together;
- a device of the type `webpush` that lacks what this type needs becomes one of another type: only words say so;
- attempts are limited per address, so each case comes from an address of its own.
"""

import json
import os
import re
from itertools import count

import schemathesis
from hypothesis import strategies as st

ACCESS_TOKEN = os.environ["JUDGE_ACCESS_TOKEN"]
CREDENTIALS = json.loads(os.environ["JUDGE_CREDENTIALS"])
WEBPUSH = ("endpoint", "p256dh", "auth")

calls = count()
good_grants = count()
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
addresses = ["https://hooks.example.org/x", "http://[::1]:8080/?y=1#z", "https://h\u00f6\u00f6ks.example"]
schemathesis.openapi.format("web-address", st.sampled_from(addresses))


def is_color(value):
    is_hex = isinstance(value, str) and re.fullmatch(r"#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})", value)
    return value is None or value is False or is_hex


def is_todo(value):
    return value is None or isinstance(value, bool) or value in ("strike", "dont-strike")


@schemathesis.hook
def filter_body(context, body):
    things = body.get("new_thing") if isinstance(body, dict) else None
    names = [name_of(thing) for thing in things if isinstance(thing, dict)] if isinstance(things, list) else []
    return len(set(names)) == len(names)


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(calls)
    case.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    if not isinstance(case.body, dict):
        return
    if case.path == "/token" and case.meta.generation.mode.is_positive and next(good_grants) % 2 == 0:
        case.body = {**case.body, "grant_type": "password", **CREDENTIALS}
    if isinstance(case.body.get("access_token"), str):
        case.body["access_token"] = ACCESS_TOKEN
    if case.body.get("type") == "webpush" and any(case.body.get(field) is None for field in WEBPUSH):
        case.body["type"] = "pigeon"
    if isinstance(case.body.get("tag"), dict):
        case.body["tag"] = {name: known_settings(change) for name, change in case.body["tag"].items()}
    if case.media_type == "application/x-www-form-urlencoded":
        case.body = dict(form_fields(case.body))


def known_settings(change):
    if not isinstance(change, dict):
        return change
    judges = {"color": is_color, "todo": is_todo}
    return {field: value for field, value in change.items() if field not in judges or judges[field](value)}


def form_fields(body):
    for name, value in body.items():
        if name == "tag" and isinstance(value, dict):
            # `tag[]` is no spelling; a tag without a name is written in a map.
            yield from ((f"tag[{tag}]", text) for tag, text in value.items() if tag != "")
        elif value is not None:
            yield name, value
