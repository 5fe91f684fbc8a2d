"""What Schemathesis cannot know from openapi.yaml: tokens, clients and ids that exist on the judged server.

Without it nearly every case would stop at the access token: the document declares three ways to give one, and exactly
one of them may be used. Most cases are given what works; one in eight stays as it was generated.
"""

import json
import os
import re
from itertools import count

import schemathesis

ACCESS_TOKEN = os.environ["JUDGE_ACCESS_TOKEN"]
CLIENT = {"client_id": os.environ["JUDGE_CLIENT_ID"], "client_secret": os.environ["JUDGE_CLIENT_SECRET"]}
USER = {"username": os.environ["JUDGE_USERNAME"], "password": os.environ["JUDGE_PASSWORD"]}
WITHOUT_TOKEN = {"/token", "/revoke"}

calls = count()
known_ids: list[str] = []


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(calls)
    # Attempts are limited per address; each case comes from an address of its own.
    case.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    if number % 8 == 7:
        return
    if case.path in WITHOUT_TOKEN:
        give_client(case, number)
    else:
        give_access_token(case, number)
        give_known_ids(case, number)


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code == 200:
        text = response.content.decode("utf-8", "replace")
        known_ids.extend(re.findall(r'"_id": ?"([0-9A-Za-z]+)"', text)[:2])
        del known_ids[:-50]


def give_access_token(case, number):
    """Gives the token in exactly one way: header, query or body, in turn (interface 5.3)."""
    case.headers.pop("Authorization", None)
    if isinstance(case.query, dict):
        case.query.pop("access_token", None)
    if isinstance(case.body, dict):
        case.body.pop("access_token", None)
    if number % 4 == 1 and isinstance(case.query, dict):
        case.query["access_token"] = ACCESS_TOKEN
    elif number % 4 == 2 and isinstance(case.body, dict):
        case.body["access_token"] = ACCESS_TOKEN
    else:
        case.headers["Authorization"] = f"Bearer {ACCESS_TOKEN}"


def give_client(case, number):
    if not isinstance(case.body, dict):
        return
    case.body.update(CLIENT)
    if case.path == "/token" and number % 2 == 0:
        case.body.update(USER, grant_type="password")


def give_known_ids(case, number):
    if number % 3 == 0 or not known_ids or not isinstance(case.body, dict):
        return
    known_id = known_ids[number % len(known_ids)]
    if "_id" in case.body:
        case.body["_id"] = known_id
    changed = case.body.get("changed_thing")
    if isinstance(changed, list):
        for thing in changed:
            if isinstance(thing, dict) and "_id" in thing:
                thing["_id"] = known_id
    elif changed is not None:
        case.body["changed_thing"] = json.dumps({"_id": known_id, "title": "Changed"})
