"""A server of the interface, written from docs/reference/protocol.md alone, to test whether that page is complete.

    python3 server.py CLIENT_ID CLIENT_SECRET NAME:PASSWORD...

It stores everything in memory, prints its base URL, and needs only Python 3. Section numbers refer to the page.
"""

import hmac
import json
import math
import secrets
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

LIFETIME = 3600
MAX_BODY_BYTES = 32 * 1024 * 1024
UPLOADS = ("new_thing", "changed_thing", "deleted_thing")
ARRAYS = (*UPLOADS, "skip_id")
TEXTS = ("title", "tags", "url", "html")


class ApiError(Exception):
    """Raised to respond with an error object (7)."""

    def __init__(self, status, error, description):
        super().__init__(description)
        self.status, self.error = status, error


def bad(description):
    return ApiError(400, "parameter_invalid", description)


WRONG_TOKEN = (401, "invalid_grant", "The access token provided is invalid")


class Account:
    """The data of one account, in the structure that 4.3 describes as one way to build it."""

    def __init__(self, password):
        self.password = password
        self.lock = threading.Lock()
        self.counter = 0
        self.things = {}  # _id: fields, with "position" of the last change
        self.gone = {}  # _id: position of the deletion
        self.settings = {}  # tag: (settings, position)
        self.snapshots = {}  # token: (from, listing) of the most recent first page


class Sessions:
    """Pairs of tokens (5.2); a client may use a refresh token again."""

    def __init__(self):
        self.lock = threading.Lock()
        self.access = {}
        self.requests = {}

    def open(self, name, client_id):
        access, request = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        with self.lock:
            self.access[access] = (name, time.monotonic() + LIFETIME)
            self.requests[request] = (name, client_id)
        return {
            "access_token": access,
            "expires_in": LIFETIME,
            "request_token": request,
            "token_type": "bearer",
            "scope": None,
        }

    def find(self, token):
        with self.lock:
            name, until = self.access.get(token, (None, 0))
        if name is None or until < time.monotonic():
            raise ApiError(*WRONG_TOKEN)
        return name


# 5.1: grants


def grant(world, form):
    client_id, client_secret = form.get("client_id", ""), form.get("client_secret", "")
    if not (same(client_id, world.client_id) and same(client_secret, world.client_secret)):
        raise ApiError(401, "invalid_client", "client_id or client_secret is wrong")
    kind = form.get("grant_type")
    if kind == "password":
        account = world.accounts.get(form.get("username", ""))
        if account is None or not same(form.get("password", ""), account.password):
            raise ApiError(400, "invalid_grant", "username or password is wrong")
        return world.sessions.open(form["username"], client_id)
    if kind == "refresh_token":
        name, owner = world.sessions.requests.get(form.get("refresh_token", ""), (None, None))
        if name is None or owner != client_id:
            raise ApiError(400, "invalid_grant", "refresh_token is wrong")
        return world.sessions.open(name, client_id)
    raise ApiError(400, "unsupported_grant_type", "grant_type is none of password and refresh_token")


def same(one, other):
    return hmac.compare_digest(one.encode(), other.encode())


# 4.3: reading an upload


def read_upload(pairs):
    upload = {name: [] for name in ARRAYS}
    tags = []
    for name, value in pairs:
        kind = name[:-2] if name.endswith("[]") else name
        if kind in ("new_thing", "changed_thing"):
            read = read_json(value, kind)
            upload[kind] += read if isinstance(read, list) else [read]
        elif kind in ("deleted_thing", "skip_id"):
            upload[kind] += read_ids(value, kind)
        elif name.startswith("tag[") and name.endswith("]"):
            tags.append((name[4:-1], check_settings(read_json(value, name), name)))
    new = [check_thing(thing, f"new_thing[{at}]") for at, thing in enumerate(upload["new_thing"])]
    changed = [check_thing(thing, f"changed_thing[{at}]") for at, thing in enumerate(upload["changed_thing"])]
    names = [local_name(thing) for thing in new]
    if len(set(names)) < len(names):
        raise bad("two things of new_thing share a local_id")
    if not all(isinstance(thing.get("_id"), str) for thing in changed):
        raise bad("each changed_thing needs an _id")
    return {"new": list(zip(names, new)), "changed": changed, "deleted": upload["deleted_thing"], "tags": tags}, set(
        upload["skip_id"]
    )


def read_json(value, name):
    def reject(word):
        raise ValueError(word)

    try:
        return json.loads(value, parse_constant=reject)
    except (ValueError, RecursionError):
        raise bad(f"{name} is not JSON") from None


def read_ids(value, name):
    if not value.startswith("["):
        return [value]
    ids = read_json(value, name)
    if not all(isinstance(one, str) for one in ids):
        raise bad(f"{name} is no list of ids")
    return ids


def check_thing(thing, name):
    if not isinstance(thing, dict):
        raise bad(f"{name} is no object")
    thing = {key: value for key, value in thing.items() if value is not None}
    if "title" not in thing:
        raise bad(f"{name}.title is required")
    for field in TEXTS:
        if not isinstance(thing.get(field, ""), str):
            raise bad(f"{name}.{field} is no text")
    for field in ("archived", "todoStatus"):
        if not isinstance(thing.get(field, False), bool):
            raise bad(f"{name}.{field} is neither true nor false")
    date = thing.get("date", 0)
    if isinstance(date, bool) or not isinstance(date, (int, float)) or not math.isfinite(date):
        raise bad(f"{name}.date is no number")
    return thing


def local_name(thing):
    local = thing.get("local_id")
    if isinstance(local, bool) or not isinstance(local, (str, int, float)):
        raise bad("each new_thing needs a local_id")
    return local if isinstance(local, str) else json.dumps(local)


def check_settings(settings, name):
    if not isinstance(settings, dict):
        raise bad(f"{name} is no object")
    settings = {key: value for key, value in settings.items() if value is not None}
    if not isinstance(settings.get("favorite", False), bool):
        raise bad(f"{name}.favorite is neither true nor false")
    color = settings.get("color", False)
    if color is not False and not isinstance(color, str):
        raise bad(f"{name}.color is neither false nor a hex code")
    if settings.get("todo", False) not in (True, False, "strike", "dont-strike"):
        raise bad(f"{name}.todo is neither true nor false")
    return settings


# 4.3: applying an upload


def apply_upload(account, upload):
    """Returns the new ids by client-assigned ID, the earlier positions by id, the deleted ids and the unknown ids."""
    before, new = {}, {}

    def touch(identifier):
        before.setdefault(identifier, account.things[identifier]["position"])
        account.counter += 1
        return account.counter

    for name, fields in upload["new"]:
        new[name] = identifier = secrets.token_hex(10)
        account.counter += 1
        before[identifier] = 0
        kept = {key: fields[key] for key in (*TEXTS, "date", "archived", "todoStatus") if key in fields}
        account.things[identifier] = {"tags": "", "date": int(time.time()), **kept, "position": account.counter}
    late = []
    for fields in upload["changed"]:
        thing = account.things.get(fields["_id"])
        if thing is None:
            late.append(fields["_id"])
            continue
        position = touch(fields["_id"])
        kept = {key: fields[key] for key in (*TEXTS, "date", "todoStatus") if key in fields}
        thing.update(kept, archived=fields.get("archived", False), position=position)
    own_deletions = set()
    for identifier in upload["deleted"]:
        if identifier in account.things:
            account.gone[identifier] = touch(identifier)
            del account.things[identifier]
            own_deletions.add(identifier)
    for name, change in upload["tags"]:
        settings = dict(account.settings.get(name, ({"favorite": False, "color": False, "todo": False}, 0))[0])
        settings.update({key: change[key] for key in settings if key in change})
        settings["todo"] = "strike" if settings["todo"] is True else settings["todo"]
        account.counter += 1
        account.settings[name] = (settings, account.counter)
    return new, before, own_deletions, late


# 4.3: listing


def sync(account, token, query, upload, skip_ids):
    """Returns the response to a sync. Later pages come from the snapshot of the first page."""
    start = read_count(query, "from") or 0
    skip = read_count(query, "skip") or 0
    limit = read_count(query, "limit")
    with account.lock:
        taken_from, listing = account.snapshots.get(token, (None, None))
        if skip == 0 or limit is None or any(upload.values()) or skip_ids or taken_from != start:
            listing = take_listing(account, start, upload, skip_ids)
            if limit is not None and skip == 0:
                account.snapshots[token] = (start, listing)
    position, count, tags, new, listed = listing
    page = listed[skip:] if limit is None else listed[skip : skip + limit]
    things = {kind: [one for which, one in page if which == kind] for kind in ("changed", "deleted")}
    things = {kind: part for kind, part in {"new": new, **things}.items() if part}
    response = {"pos": position, "thingCount": count, "tags": tags, "things": things}
    return {name: part for name, part in response.items() if part or name == "pos"}


def take_listing(account, start, upload, skip_ids):
    first = account.counter
    start = 0 if start > first else start
    new, before, own_deletions, late = apply_upload(account, upload)

    # The response repeats a change of this request only if another client had changed the same thing after `from`.
    def is_news(identifier, thing):
        is_others = identifier not in before or start < before[identifier] <= first
        return thing["position"] > start and is_others and identifier not in skip_ids

    news = sorted((one for one in account.things.items() if is_news(*one)), key=lambda one: one[1]["position"])
    gone = [one for one, at in account.gone.items() if start and at > start and one not in own_deletions]
    gone = [one for one in dict.fromkeys([*gone, *late]) if one not in skip_ids]
    sent = {name for name, _ in upload["tags"]}
    tags = {
        name: settings
        for name, (settings, at) in account.settings.items()
        if name in sent or (at > start if start else any(settings.values()))
    }
    listed = [("changed", show(account, *one)) for one in news] + [("deleted", one) for one in gone]
    return account.counter, len(new) + len(listed), tags, new, listed


def show(account, identifier, thing):
    shown = {"_id": identifier, **{key: thing[key] for key in ("title", "tags", "date")}}
    shown.update({key: thing[key] for key in ("url", "html") if thing.get(key)})
    if thing.get("archived"):
        shown["archived"] = True
    if any(account.settings[tag][0]["todo"] for tag in thing["tags"].split(" ") if tag in account.settings):
        shown["todoStatus"] = thing.get("todoStatus", False)
    return shown


def read_count(query, name):
    if query.get(name, "") == "":
        return None
    try:
        return max(0, int(query[name]))
    except ValueError:
        raise bad(f"{name} is no number") from None


# 5.3 and HTTP


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Sends head and body of a response together. Otherwise Nagle's algorithm delays the body.
    wbufsize = -1
    world = None

    def do_GET(self):
        self.respond(lambda: self.route("GET", []))

    def do_POST(self):
        self.respond(lambda: self.route("POST", decode(self.read_body())))

    def do_other(self):
        # Reads the body, so that the next request of the connection begins behind it.
        self.respond(lambda: self.reject_method(self.read_body()))

    do_PUT = do_PATCH = do_DELETE = do_other

    def reject_method(self, _body):
        raise ApiError(405, "method_not_allowed", "use GET or POST")

    def route(self, method, form):
        target = urlsplit(self.path)
        query = decode(target.query.encode("latin-1"))
        if (method, target.path) == ("POST", "/v1/token"):
            return grant(self.world, dict(form))
        if target.path != "/v1/sync":
            raise ApiError(404, "not_found", "there is no such operation")
        token = self.find_token(query, form)
        account = self.world.accounts[self.world.sessions.find(token)]
        upload, skip_ids = read_upload(form)
        return sync(account, token, {**dict(query), **dict(form)}, upload, skip_ids)

    def find_token(self, query, form):
        header = self.headers.get("authorization")
        given = {value for name, value in [*query, *form] if name == "access_token"}
        if header is not None:
            given.add(header.split(" ")[-1].split("=", 1)[-1].strip('"'))
        if not given:
            raise ApiError(401, "invalid_request", "An access token is required")
        if len(given) > 1:
            raise ApiError(400, "invalid_request", "there are several access tokens")
        return given.pop()

    def read_body(self):
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            return b"".join(iter(self.read_chunk, b""))
        length = int(self.headers.get("content-length") or 0)
        if length > MAX_BODY_BYTES:
            self.close_connection = True
            raise ApiError(413, "too_large", "the body is too large")
        return self.rfile.read(length)

    def read_chunk(self):
        size = int(self.rfile.readline().split(b";")[0], 16)
        chunk = self.rfile.read(size)
        self.rfile.readline()
        return chunk

    def respond(self, act):
        headers = {}
        try:
            status, body = 200, act()
        except ApiError as error:
            status, body = error.status, {"error": error.error, "error_description": str(error)}
            if status == 401:
                headers["WWW-Authenticate"] = "Bearer"
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def log_message(self, *_):
        """Writes no log, because a test reads the output."""


def decode(data):
    try:
        text = data.decode("utf-8")
        return parse_qsl(text, keep_blank_values=True, errors="strict")
    except ValueError:
        raise bad("the form is not UTF-8") from None


class World:
    def __init__(self, client_id, client_secret, *users):
        self.client_id, self.client_secret = client_id, client_secret
        self.accounts = {name: Account(password) for name, password in (user.split(":", 1) for user in users)}
        self.sessions = Sessions()


if __name__ == "__main__":
    Handler.world = World(*sys.argv[1:])
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/v1/", flush=True)
    server.serve_forever()
