#!/usr/bin/env python3
"""The adapter: one JSON command a line on standard input, one JSON result a line on standard output."""

import argparse
import json
import os
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from thingclient import switches  # noqa: E402
from thingclient.api import Client  # noqa: E402
from thingclient.errors import ClientError  # noqa: E402
from thingclient.replica import Replica  # noqa: E402

FEATURES = ["concurrent", "list", "operations", "revoke", "tokens", "retries", "paging", "set-tag"]
ACCOUNT = ("base_url", "client_id", "client_secret", "username", "password", "tokens")
THING = ("_id", "title", "tags", "date", "url", "html", "archived", "todoStatus", "prevent_duplicate")


def catalogue(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return [entry["id"] for entry in json.load(file)]


def present(command, names):
    return {name: command[name] for name in names if command.get(name) is not None}


class Adapter:
    def __init__(self):
        self.client = None
        self.replica = None
        self.output = threading.Lock()

    def write(self, message):
        line = json.dumps(message) + "\n"
        with self.output:
            sys.stdout.write(line)
            sys.stdout.flush()

    def answer(self, command):
        name = command.get("command")
        try:
            method = getattr(self, "do_" + str(name).replace("-", "_"), None)
            if method is None:
                raise ClientError("unsupported", f"unknown command {name}")
            result = {"result": method(command)}
        except ClientError as problem:
            result = {"error": problem.as_object()}
        except Exception as problem:  # a crash inside the client is reported as such
            result = {"error": {"kind": "internal", "message": f"{type(problem).__name__}: {problem}"}}
        self.write({"id": command.get("id"), **result})

    def api(self):
        if self.client is None:
            raise ClientError("unsupported", "init comes first")
        return self.client

    def offline(self):
        if self.replica is None:
            raise ClientError("unsupported", "open comes first")
        return self.replica

    # -- both profiles --------------------------------------------------------------------------------------

    def do_hello(self, command):
        without = {"no-retries": "retries", "no-pages": "paging"}
        features = [f for f in FEATURES if not any(switches.habit(h) and f == name for h, name in without.items())]
        return {"protocol": 1, "name": "client set 1", "version": "1.0", "profiles": ["api", "replica"], "features": features}

    def do_sync(self, command):
        if self.replica is not None:
            self.replica.sync()
            return {}
        names = ("from", "skip", "limit", "new_thing", "changed_thing", "deleted_thing", "skip_id", "tag")
        return self.api().sync(present(command, names))

    # -- api ----------------------------------------------------------------------------------------------------

    def do_init(self, command):
        self.replica = None
        self.client = Client(**present(command, ACCOUNT))
        return {}

    def do_token(self, command):
        return self.api().token(command["username"], command["password"])

    def do_refresh(self, command):
        return self.api().refresh()

    def do_list(self, command):
        return self.api().list(command.get("from"), command.get("limit"))

    def do_thing_add(self, command):
        return self.api().thing_add(present(command, THING))

    def do_thing_change(self, command):
        return self.api().thing_change(present(command, THING))

    def do_thing_delete(self, command):
        return self.api().thing_delete(command["_id"])

    def do_things_get(self, command):
        return {"items": self.api().things_get()}

    def do_tags_get(self, command):
        return self.api().get("tags/get")

    def do_user_get(self, command):
        return self.api().get("user/get")

    def do_revoke(self, command):
        self.api().revoke()
        return {}

    # -- replica ------------------------------------------------------------------------------------------------

    def do_open(self, command):
        if self.replica is not None:
            self.replica.close()
        self.client = None
        self.replica = Replica(command["folder"], **present(command, ACCOUNT))
        return {}

    def do_create(self, command):
        return {"ref": self.offline().create(present(command, THING))}

    def do_change(self, command):
        self.offline().change(command["ref"], present(command, THING))
        return {}

    def do_delete(self, command):
        self.offline().delete(command["ref"])
        return {}

    def do_set_tag(self, command):
        self.offline().set_tag(command["name"], command["settings"])
        return {}

    def do_read(self, command):
        return self.offline().read()

    def do_state(self, command):
        return self.offline().state()

    def do_close(self, command):
        replica = self.offline()
        self.replica = None
        replica.close()
        return {}


IN_ORDER = {"hello", "init", "open", "close", "create", "change", "delete", "set-tag", "read", "state"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--fault", metavar="ID")
    group.add_argument("--habit", metavar="ID")
    group.add_argument("--list-faults", action="store_true")
    group.add_argument("--list-habits", action="store_true")
    options = parser.parse_args()
    if options.list_faults or options.list_habits:
        print("\n".join(catalogue("faults.json" if options.list_faults else "habits.json")))
        return
    if options.fault and options.fault not in catalogue("faults.json"):
        parser.error(f"unknown fault {options.fault}")
    if options.habit and options.habit not in catalogue("habits.json"):
        parser.error(f"unknown habit {options.habit}")
    switches.select(options.fault, options.habit)
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    adapter = Adapter()
    running = []
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            command = json.loads(line)
        except ValueError:
            print("a command is not JSON", file=sys.stderr)
            continue
        if command.get("command") in IN_ORDER:
            adapter.answer(command)
        else:
            running = [t for t in running if t.is_alive()]
            running.append(threading.Thread(target=adapter.answer, args=(command,), daemon=True))
            running[-1].start()
    end = time.monotonic() + 2  # results under way are still written
    for thread in running:
        thread.join(max(0.0, end - time.monotonic()))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
