"""Writes the generated client's requests as a server of the interface takes them."""

import functools
import json
from urllib.parse import urlencode

from thingsync_client import ApiClient
from urllib3.util.retry import Retry

# As urllib3 by default, but with pauses: none before the first repetition, then 0.5 s and 1 s.
WITH_PAUSES = Retry(3, backoff_factor=0.25)

FORM = "application/x-www-form-urlencoded"


def without_none(value):
    """The value without fields that are None: the models write None for settings of a tag that were left out."""
    if isinstance(value, dict):
        return {key: without_none(member) for key, member in value.items() if member is not None}
    return [without_none(item) for item in value] if isinstance(value, list) else value


def as_text(value):
    """A value as one field of a form: objects as JSON, whole numbers without a fraction."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False)


def write_form(fields):
    """The pairs of a form of interface 4.3: objects as JSON text, several things as one JSON array, several ids repeated,
    maps as ``name[key]``."""
    pairs = []
    for name, value in fields.items():
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            pairs += [(name, value[0])] if len(value) == 1 else [(f"{name}[]", item) for item in value]
        elif isinstance(value, list):
            pairs.append((name, as_text(value[0] if len(value) == 1 else value)))
        elif isinstance(value, dict):
            pairs += [(f"{name}[{key}]", as_text(member)) for key, member in value.items()]
        else:
            pairs.append((name, as_text(value)))
    return pairs


def has_error(text):
    """Whether a body is an error of the interface: an object with the text ``error``. Errors are short."""
    if text is None or len(text) > 65536:
        return False
    try:
        body = json.loads(text)
    except ValueError:
        return False
    return isinstance(body, dict) and isinstance(body.get("error"), str)


class WireClient(ApiClient):
    """An ApiClient whose bodies are forms ("form", the default, works with every server) or JSON ("json", where the
    server's document offers it), and whose access token goes into the header ("bearer", the default, or "pair" for
    ``access_token=T``), the "query" or the "body" (of a GET: the query). Give the access token as
    ``configuration.access_token``.

    It follows no redirect, because that could send a password or token to another server. An error that comes with a
    success status gets the status 400."""

    def __init__(self, configuration=None, bodies="form", token="bearer"):
        super().__init__(configuration)
        self.bodies = bodies
        self.token = token
        pool = self.rest_client.pool_manager
        retries = self.configuration.retries
        pool.request = functools.partial(
            pool.request, redirect=False, retries=WITH_PAUSES if retries is None else retries
        )

    def call_api(self, method, url, header_params=None, body=None, post_params=None, _request_timeout=None):
        headers = dict(header_params or {})
        has_json = body is not None and headers.get("Content-Type") == "application/json"
        body = without_none(body)
        given = headers.pop("Authorization", None)
        if given is not None:
            access_token = given.removeprefix("Bearer ")
            if self.token == "bearer":
                headers["Authorization"] = f"Bearer {access_token}"
            elif self.token == "pair":
                headers["Authorization"] = f"access_token={access_token}"
            elif self.token == "body" and has_json:
                body = {**body, "access_token": access_token}
            else:
                url += ("&" if "?" in url else "?") + urlencode({"access_token": access_token})
        if has_json and self.bodies == "form":
            headers["Content-Type"] = FORM
            body, post_params = None, write_form(body)
        response = super().call_api(method, url, headers, body, post_params, _request_timeout)
        if 200 <= response.status < 300 and has_error(response.read()):
            response.status = 400
        return response
