#!/usr/bin/env python3
"""Runs the scenarios: the right client and each habit must pass all, each fault must fail one.

selftest.py            everything          selftest.py right    the right client only
selftest.py faults      all faults          selftest.py habits   all habits
selftest.py ID ...     these faults or habits, with the scenario and the reason
"""

import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
import threading
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import scenarios  # noqa: E402
import tiny_server  # noqa: E402
from thingclient import errors, replica, retries, switches  # noqa: E402
from thingclient.api import Client  # noqa: E402

replica.PAGE = 10

# What a scenario asks for and a habit does not do: repetitions, and the newest position in each request.
EXEMPT = {
    "no-retries": ("streaming", "refresh_troubles", "retries"),
    "position-one-sync-older": ("positions_of_replica",),
    "full-sync-each-time": ("positions_of_replica",),
}


class Killed(BaseException):
    pass


class Kit:
    Error = errors.ClientError

    def __init__(self):
        self.servers, self.folders, self.pauses, self.open = [], [], [], []
        retries.pause = self.pauses.append
        self.stderr = io.StringIO()

    def world(self, **options):
        world = tiny_server.World(**options)
        self.servers.append(tiny_server.start(world))
        return world

    def account(self, password=scenarios.PASSWORD):
        return dict(base_url=self.servers[-1].url, client_id="dev", client_secret=scenarios.SECRET, username="alice", password=password)

    def api(self, password=scenarios.PASSWORD, signed_in=False, **options):
        world = self.world(**options)
        account = self.account(password)
        if signed_in:
            for name in ("username", "password"):
                del account[name]
            account["tokens"] = world.issue(1)
        return world, Client(**account)

    def replica(self):
        folder = tempfile.mkdtemp(prefix="set1-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.folders.append(folder)
        return self._open(folder)

    def _open(self, folder):
        r = replica.Replica(folder, **self.account())
        self.open.append(r)
        return r

    def killed(self, r):
        """The same folder in a new process: what was not written is gone, and the old one does nothing any more."""

        def dead(*_, **__):
            raise Killed

        r.client.transport.request = dead
        r.store.commit = dead
        try:
            r.store.file.raw.close()
        except OSError:
            pass
        return self._open(r.folder)

    def background(self, call):
        def run():
            try:
                call()
            except (Killed, self.Error):
                pass

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread

    def end(self):
        for r in self.open:
            try:
                r.store.file.raw.close()
            except (OSError, AttributeError):
                pass
        for s in self.servers:
            s.shutdown()
            s.server_close()
        for f in self.folders:
            shutil.rmtree(f, ignore_errors=True)


def run(functions, fault=None, habit=None):
    """(name, reason) of the first scenario that fails, or None."""
    switches.select(fault, habit)
    for function in functions:
        kit = Kit()
        try:
            with contextlib.redirect_stderr(kit.stderr):
                function(kit)
        except (Exception, Killed) as problem:
            at = traceback.extract_tb(problem.__traceback__)
            line = next((f.lineno for f in at if f.filename.endswith("scenarios.py")), 0)
            return function.__name__, f"line {line}: {type(problem).__name__}: {str(problem)[:300]}"
        finally:
            kit.end()
    return None


def load(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


def main():
    wanted = [a for a in sys.argv[1:] if a not in ("faults", "habits")]
    only = {a for a in sys.argv[1:] if a in ("faults", "habits")}
    faults = load("faults.json") if os.path.exists(os.path.join(HERE, "faults.json")) else []
    habits = load("habits.json") if os.path.exists(os.path.join(HERE, "habits.json")) else []
    threading.excepthook = lambda args: None
    groups = {"api": scenarios.API, "replica": scenarios.REPLICA}
    bad = 0
    if not wanted and not only or "right" in wanted:
        for name, group in groups.items():
            for function in group:
                result = run([function])
                if result:
                    bad += 1
                    print("RIGHT CLIENT FAILS", name, *result, flush=True)
        print("right client:", "FAILS" if bad else "passes", flush=True)
    for h in habits if not only or "habits" in only else ():
        if not wanted or h["id"] in wanted:
            slow = (scenarios.slow_first_byte, scenarios.memory)
            skipped = EXEMPT.get(h["id"], ())
            group = [f for f in scenarios.API + scenarios.REPLICA if f not in slow and f.__name__ not in skipped]
            result = run(group, habit=h["id"])
            if result:
                bad += 1
                print("habit", h["id"], "FAILS", *result, flush=True)
            elif wanted:
                print("habit", h["id"], "passes")
    killed = 0
    for f in faults if not only or "faults" in only else ():
        if not wanted or f["id"] in wanted:
            result = run(groups[f["profile"]], fault=f["id"])
            if result is None:
                bad += 1
                print("fault", f["id"], "IS NOT SEEN", flush=True)
            else:
                killed += 1
                if wanted:
                    print("fault", f["id"], "seen by", *result, flush=True)
    print(f"{killed} faults seen, {bad} problems")
    return 1 if bad else 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)
