"""Hooks for facts that Schemathesis cannot know from the documents. Its configuration (run.ts) has the existing
credentials and ids. These hooks do the rest:

- They replace an access token in a body by the existing one; the configuration sets the header.
- They generate JSON in the text of a form, which OpenAPI 3.0 names as a format but cannot describe.
- They write `tag[<name>]` (deepObject) in forms, and omit null, which a form cannot express.
- They take target URLs from a short list, because a user may have only a limited number of webhooks.
- They do not send two new things with one client-assigned ID.
- They omit tag settings that are wrong only by the words of the document, where its schema permits any value.
- They turn every second valid token request into a password grant with existing credentials. Only the words of the
  document say that this grant needs four optional fields, and random cases rarely contain all of them.
- They change the type of a `webpush` device that lacks a field of this type, because only words require the fields.
- They send each case from its own client address, because the server limits attempts per address.
"""

import json
import os
import re
from itertools import count

import schemathesis
from hypothesis import strategies as st

ACCESS_TOKEN = os.environ["TESTED_ACCESS_TOKEN"]
CREDENTIALS = json.loads(os.environ["TESTED_CREDENTIALS"])
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
    """Returns a client-assigned ID as the server compares it: the number 1 and the text "1" are equal."""
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
target_urls = ["https://hooks.example.org/x", "http://[::1]:8080/?y=1#z", "https://h\u00f6\u00f6ks.example"]
schemathesis.openapi.format("web-address", st.sampled_from(target_urls))


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
    checks = {"color": is_color, "todo": is_todo}
    return {field: value for field, value in change.items() if field not in checks or checks[field](value)}


def form_fields(body):
    for name, value in body.items():
        if name == "tag" and isinstance(value, dict):
            # `tag[]` is not a valid name: only a map can hold a tag with an empty name.
            yield from ((f"tag[{tag}]", text) for tag, text in value.items() if tag != "")
        elif value is not None:
            yield name, value
