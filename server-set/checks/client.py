"""A small client that validates every response of sync."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import urllib.parse

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FORM = "application/x-www-form-urlencoded"
CLIENT = {"client_id": "dev", "client_secret": "s3cret"}
OTHER = {"client_id": "other", "client_secret": "other-secret"}


def same(got, wanted, what=""):
    numbers = is_number(got) and is_number(wanted)
    assert got == wanted and (numbers or type(got) is type(wanted)), f"{what}: {got!r} is not {wanted!r}"


class Server:
    """One process, with a data file that outlives it."""

    def __init__(self, faults=(), legals=(), data=None):
        self.args = [a for f in faults for a in ("--fault", f)] + [a for g in legals for a in ("--legal", g)]
        self.data, self.port = data, 0
        self.start()

    def start(self):
        command = [sys.executable, "-X", "utf8", os.path.join(HERE, "server.py"), "--port", str(self.port), *self.args]
        if self.data:
            command += ["--data", self.data]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.base = json.loads(self.process.stdout.readline())["base_url"]
        parts = urllib.parse.urlsplit(self.base)
        self.port, self.path = parts.port, parts.path

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)
        self.process.stdout.close()

    def restart(self):
        self.stop()
        self.start()

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)

    def raw(self, method, path, body=None, headers=None, connection=None):
        """(status, text as JSON value, headers); every response must be JSON."""
        own = connection is None
        connection = connection or self.connect()
        try:
            connection.request(method, self.path + path, body, headers or {})
            response = connection.getresponse()
            data = response.read()
            if response.getheader("Content-Encoding") == "gzip":
                import gzip
                data = gzip.decompress(data)
            value = json.loads(data.decode("utf-8"))
            return response.status, value, response.headers
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise AssertionError(f"no JSON response to {method} {path}: {error!r}")
        finally:
            if own:
                connection.close()

    def form(self, path, pairs, headers=None, **more):
        body = urllib.parse.urlencode(pairs if isinstance(pairs, list) else list(pairs.items()))
        return self.raw("POST", path, body, {"Content-Type": FORM, **(headers or {})}, **more)

    def token(self, **fields):
        return self.form("token", {k: v for k, v in fields.items() if v is not None})[1]

    def login(self, user="alice", app=CLIENT):
        word = {"alice": "wonderland", "bob": "builder"}[user]
        pair = self.token(grant_type="password", username=user, password=word, **app)
        assert "access_token" in pair, pair
        return Session(self, pair, app)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_error(value):
    assert isinstance(value, dict), value
    assert isinstance(value.get("error"), str) and isinstance(value.get("error_description"), str), value


def check_sync(r, new=None):
    """The form of a response of sync; `new`: the keys that things.new must have."""
    assert isinstance(r, dict) and "error" not in r, r
    assert is_number(r.get("pos")) and r["pos"] == int(r["pos"]) and r["pos"] < 2**53, r.get("pos")
    things = r.get("things", {"?": 1})
    assert isinstance(things, dict) and things, "things is empty"
    for name in set(things) & {"new", "changed", "deleted"}:
        assert things[name] or name == "new" and False, f"{name} is empty"
    changed, deleted, made = things.get("changed", []), things.get("deleted", []), things.get("new", {})
    assert isinstance(changed, list) and isinstance(deleted, list) and isinstance(made, dict), things
    assert set(things) <= {"new", "changed", "deleted", "?"}, things
    same(sorted(made), sorted(new or []), "keys of things.new")
    for value in made.values():
        assert isinstance(value, str) and re.fullmatch("[0-9A-Za-z]+", value), value
    assert len(set(made.values())) == len(made), "shared _id"
    for thing in changed:
        check_thing(thing)
    ids = [t["_id"] for t in changed]
    assert len(set(ids)) == len(ids), "a thing is listed twice"
    for ident in deleted:
        assert isinstance(ident, str), ident
    assert not set(ids) & set(deleted), "changed and deleted"
    count = r.get("thingCount")
    assert count is None or is_number(count) and count > 0, count
    if "tags" in r:
        assert isinstance(r["tags"], dict) and r["tags"], "tags is empty"
        for entry in r["tags"].values():
            check_tag(entry)
    return Result(r)


def check_thing(thing):
    assert isinstance(thing.get("_id"), str) and re.fullmatch("[0-9A-Za-z]+", thing["_id"]), thing
    assert isinstance(thing.get("title"), str) and isinstance(thing.get("tags"), str) and is_number(thing.get("date")), thing
    for name in ("url", "html"):
        assert name not in thing or isinstance(thing[name], str) and thing[name], thing
    assert thing.get("archived", True) is True, thing
    assert isinstance(thing.get("todoStatus", True), bool), thing


def check_tag(entry):
    assert isinstance(entry, dict) and isinstance(entry.get("favorite"), bool), entry
    color = entry.get("color")
    assert color is False or isinstance(color, str) and re.fullmatch("#[0-9a-fA-F]{3,6}", color), entry
    assert entry.get("todo") is False or entry.get("todo") in ("strike", "dont-strike"), entry


class Result:
    def __init__(self, r):
        self.raw, self.pos, self.count = r, int(r["pos"]), r.get("thingCount", 0)
        things = r.get("things", {})
        self.new, self.deleted = things.get("new", {}), things.get("deleted", [])
        self.changed = things.get("changed", [])
        self.by_id = {t["_id"]: t for t in self.changed}
        self.tags = r.get("tags", {})

    def total(self):
        return len(self.new) + len(self.changed) + len(self.deleted)


class Session:
    def __init__(self, server, pair, app=CLIENT):
        self.server, self.pair, self.app, self.kept = server, pair, app, None
        self.head = {"Authorization": f"Bearer {pair['access_token']}"}
        if "header-name-only" in server.args:
            self.head = {"Authorization": f"access_token={pair['access_token']}"}

    def call(self, method, path, body=None, headers=None):
        """On one kept connection; a server may close it."""
        for attempt in (1, 2):
            self.kept = self.kept or self.server.connect()
            try:
                self.kept.request(method, self.server.path + path, body, {**self.head, **(headers or {})})
                response = self.kept.getresponse()
                data = response.read()
                if response.will_close:
                    self.kept.close()
                    self.kept = None
                return response.status, json.loads(data.decode("utf-8")), response.headers
            except (http.client.RemoteDisconnected, ConnectionError) as error:
                self.kept = None
                if attempt == 2:
                    raise AssertionError(f"no response: {error!r}")
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.kept = None
                raise AssertionError(f"no JSON response: {error!r}")

    def get(self, new=None, **query):
        status, value, _ = self.call("GET", "sync?" + urllib.parse.urlencode({k.rstrip("_"): v for k, v in query.items()}))
        return check_sync(value, new)

    def post(self, pairs=(), new=None, **query):
        body = urllib.parse.urlencode([(k, v if isinstance(v, str) else json.dumps(v)) for k, v in pairs])
        if query:
            body += "&" * bool(body) + urllib.parse.urlencode({k.rstrip("_"): v for k, v in query.items()})
        status, value, _ = self.call("POST", "sync", body, {"Content-Type": FORM})
        return check_sync(value, new)

    def bad(self, pairs, **more):
        body = urllib.parse.urlencode([(k, v if isinstance(v, str) else json.dumps(v)) for k, v in pairs])
        value = self.call("POST", "sync", body, {"Content-Type": FORM})[1]
        check_error(value)
        return value

    def create(self, *things, **query):
        """IDs of new things, created by one array; keys are n0, n1, …"""
        items = [{"local_id": f"n{i}", **t} for i, t in enumerate(things)]
        r = self.post([("new_thing", items)], new=[t["local_id"] for t in items], **query)
        return [r.new[f"n{i}"] for i in range(len(items))]

    def pos(self):
        return self.get().pos

    def state(self, ident):
        return self.get().by_id.get(ident)
