"""A first adapter for a client in Python. Start it with: thingsync-conformance client -- python3 adapter.py"""
import json
import sys

import os

from client import ApiError, Client, Replica, SignInRequired


class Failure(Exception):
    """An error as the suite wants it: a kind, and status and code where the client knows them."""

    def __init__(self, kind, message="", status=None, code=None):
        super().__init__(message)
        details = {"kind": kind, "message": message, "status": status, "code": code}
        self.error = {name: value for name, value in details.items() if value is not None}


client = None
credentials = None
replica = None
aliases = {}   # ref -> local_id, for things created in this process
state = {"error": None}


def failure_of(error):
    if isinstance(error, SignInRequired):
        return Failure("signed_out", error.description, error.status, error.code)
    if error.code == "network":
        return Failure("network", error.description)
    if error.code == "bad_response":
        return Failure("unexpected_response", error.description, error.status)
    return Failure("rejected", error.description, error.status, error.code)


def hello(_parameters):
    return {"protocol": 1, "name": "hurried client", "version": "1.0", "profiles": ["api", "replica"],
            "features": ["tokens", "auto-refresh", "set-tag"]}


def give_tokens(c, p):
    if "tokens" in p and not c.access_token:
        c.access_token = p["tokens"]["access_token"]
        c.refresh_token = p["tokens"]["request_token"]


def init(p):
    global client, credentials
    client = Client(p["base_url"], p["client_id"], p["client_secret"])
    credentials = (p.get("username"), p.get("password"))
    give_tokens(client, p)
    return {}


def sync(p):
    if replica is not None:
        return replica_sync()
    if not client.access_token:
        client.sign_in(*credentials)
    names = {"from": "from_pos", "skip": "skip", "limit": "limit", "new_thing": "new", "changed_thing": "changed",
             "deleted_thing": "deleted", "skip_id": "skip_id", "tag": "tags"}
    return client.sync(**{names[n]: v for n, v in p.items() if n in names})


def token(p):
    return client.sign_in(p["username"], p["password"])


def refresh(_p):
    return client.refresh()


def open_(p):
    global replica, credentials
    replica = Replica(os.path.join(p["folder"], "things.json"), p["base_url"], p["client_id"], p["client_secret"])
    credentials = (p.get("username"), p.get("password"))
    give_tokens(replica.client, p)
    return {}


def ref_id(ref):
    return replica.ids.get(ref, ref)


def create(p):
    return {"ref": replica.create(**p)}


def change(p):
    replica.change(ref_id(p.pop("ref")), **p)
    return {}


def delete(p):
    replica.delete(ref_id(p["ref"]))
    return {}


def set_tag(p):
    replica.set_tag(p["name"], **p["settings"])
    return {}


def replica_sync():
    try:
        if not replica.client.access_token:
            replica.sign_in(*credentials)
        replica.sync()
        state["error"] = None
    except ApiError as error:
        state["error"] = failure_of(error).error
        raise
    return {}


def read(_p):
    return {"things": [dict(t, ref=i, _id=t.get("_id")) for i, t in replica.things().items()], "tags": replica.tags()}


def get_state(_p):
    lost = [{k: e[k] for k in ("title",) if k in e} for e in replica.state["lost"]]
    return {"pending": replica.pending(), "lost": lost, "error": state["error"]}


def close(_p):
    global replica
    replica.save()
    replica = None
    return {}


commands = {"hello": hello, "init": init, "sync": sync, "token": token, "refresh": refresh, "open": open_,
            "create": create, "change": change, "delete": delete, "set-tag": set_tag, "read": read,
            "state": get_state, "close": close}


def run(message):
    name = message.pop("command")
    message.pop("id")
    try:
        if name not in commands:
            raise Failure("unsupported", name)
        return {"result": commands[name](message)}
    except ApiError as error:
        return {"error": failure_of(error).error}
    except Failure as failure:
        return {"error": failure.error}
    except Exception as error:  # a bug of the client or of this adapter
        return {"error": {"kind": "internal", "message": repr(error)}}


for line in sys.stdin.buffer:
    command = json.loads(line)
    result = {"id": command["id"], **run(dict(command))}
    sys.stdout.write(json.dumps(result) + "\n")
    sys.stdout.flush()
