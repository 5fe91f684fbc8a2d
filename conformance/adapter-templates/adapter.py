"""A first adapter for a client in Python. Start it with: thingsync-conformance client -- python3 adapter.py"""
import json
import sys

# Import your client here: from my_client import Client, ApiError


class Failure(Exception):
    """An error as the suite wants it: a kind, and status and code where the client knows them."""

    def __init__(self, kind, message="", status=None, code=None):
        super().__init__(message)
        details = {"kind": kind, "message": message, "status": status, "code": code}
        self.error = {name: value for name, value in details.items() if value is not None}


client = None


def hello(_parameters):
    # Add the features that your client has. For the profile "replica", see replica-adapter.py.
    return {"protocol": 1, "name": "my client", "version": "1.0", "profiles": ["api"], "features": []}


def init(parameters):
    global client
    # Create your client here. It need not send a request yet. If it has a sign-in call, make it before the first request:
    # client = Client(parameters["base_url"], parameters["client_id"], parameters["client_secret"],
    #                 parameters["username"], parameters["password"])
    return {}


def sync(parameters):
    # Pass on what is given, and nothing else. Return what the client decoded:
    # try:
    #     return client.sync(**parameters)
    # except ApiError as error:
    #     raise Failure("rejected", str(error), error.status, error.code)
    raise Failure("unsupported", "sync: call your client in adapter.py")


def token(parameters):
    raise Failure("unsupported", "token: call your client in adapter.py")


def refresh(parameters):
    raise Failure("unsupported", "refresh: call your client in adapter.py")


commands = {"hello": hello, "init": init, "sync": sync, "token": token, "refresh": refresh}


def run(message):
    name = message.pop("command")
    message.pop("id")
    try:
        if name not in commands:
            raise Failure("unsupported", name)
        return {"result": commands[name](message)}
    except Failure as failure:
        return {"error": failure.error}
    except Exception as error:  # a bug of the client or of this adapter
        return {"error": {"kind": "internal", "message": repr(error)}}


for line in sys.stdin.buffer:
    command = json.loads(line)
    result = {"id": command["id"], **run(dict(command))}
    sys.stdout.write(json.dumps(result) + "\n")
    sys.stdout.flush()
