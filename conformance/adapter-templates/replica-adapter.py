"""A first adapter for an offline client in Python: thingsync-conformance client -- python3 replica-adapter.py"""
import json
import sys

# Import your client here: from my_client import Replica, ApiError


class Failure(Exception):
    """An error as the suite wants it. In each command: except ApiError as error: raise Failure("rejected", …)."""

    def __init__(self, kind, message="", status=None, code=None):
        super().__init__(message)
        details = {"kind": kind, "message": message, "status": status, "code": code}
        self.error = {name: value for name, value in details.items() if value is not None}


def missing(name):
    return Failure("unsupported", name + ": call your client in replica-adapter.py")


def open_replica(p):
    # Open your client on p["folder"]. It keeps everything there. It need not send a request yet:
    # global replica
    # replica = Replica(p["folder"], p["base_url"], p["client_id"], p["client_secret"], p["username"], p["password"])
    return {}


def create(fields):  # "ref" is a name of the thing. It stays valid after the upload, when the thing has an _id:
    # return {"ref": replica.create(**fields)}
    raise missing("create")


def change(fields):  # replica.change(fields.pop("ref"), **fields); return {}
    raise missing("change")


def delete(p):  # replica.delete(p["ref"]); return {}
    raise missing("delete")


def sync(_):  # Without tokens, first the sign-in call of your client, if it has one. Then: replica.sync(); return {}
    raise missing("sync")


def read(_):  # "_id" is None before the upload:
    # return {"things": [{**thing.fields, "ref": thing.name, "_id": thing.id} for thing in replica.things()],
    #         "tags": {name: {"favorite": …, "color": …, "todo": …} for name in replica.tags()}}
    raise missing("read")


def state(_):  # All edits that were ever lost in this folder, and the error of the last sync, as Failure has it:
    # lost = [{"title": edit.title} for edit in replica.lost_edits()]
    # return {"pending": replica.count_waiting(), "lost": lost, "error": None}
    raise missing("state")


def close(_):  # replica.close()
    return {}


def hello(_):  # Add the features that your client has. "set-tag" is the only one with a command of its own.
    return {"protocol": 1, "name": "my client", "version": "1.0", "profiles": ["replica"], "features": []}


commands = {"hello": hello, "open": open_replica, "create": create, "change": change, "delete": delete,
            "sync": sync, "read": read, "state": state, "close": close}

for line in sys.stdin.buffer:
    parameters = json.loads(line)
    identifier, command = parameters.pop("id"), parameters.pop("command")
    try:
        if command not in commands:
            raise Failure("unsupported", command)
        reply = {"result": commands[command](parameters)}
    except Failure as failure:
        reply = {"error": failure.error}
    except Exception as error:  # a bug of the client or of this adapter
        reply = {"error": {"kind": "internal", "message": repr(error)}}
    print(json.dumps({"id": identifier, **reply}), flush=True)
