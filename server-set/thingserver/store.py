"""All accounts and sessions, and the file that keeps them: one JSON value a line, flushed before each answer."""

import json
import os
import threading

from .account import Account
from .switches import fault, legal

CLIENTS = {"dev": "s3cret", "other": "other-secret"}
USERS = {"alice": "wonderland", "bob": "builder"}


class Store:
    def __init__(self, path):
        self.path, self.file = path, None
        self.lock = threading.RLock()
        self.accounts = {name: Account(name) for name in USERS}
        self.sessions, self.access, self.refresh = {}, {}, {}
        self.held = []
        if path:
            self._load()
            self._compact()
        if fault("user-shared-things"):
            first = self.accounts["alice"]
            self.accounts["bob"].things = first.things
        if fault("user-shared-gone"):
            self.accounts["bob"].gone = self.accounts["alice"].gone
        if fault("user-shared-tags"):
            self.accounts["bob"].settings = self.accounts["alice"].settings
        if fault("user-todo-others"):
            for account in self.accounts.values():
                account.settings_of = self._any_setting
        if fault("user-shared-retries"):
            self.accounts["bob"].retries = self.accounts["alice"].retries
        if legal("pos-global"):
            self._share_counter()

    def _any_setting(self, word):
        found = [a.settings[word] for a in self.accounts.values() if word in a.settings]
        return next((s for s in found if s["todo"]), found[0] if found else None)

    def _share_counter(self):
        """One counter for all accounts: gaps in each."""
        lock, accounts = threading.Lock(), list(self.accounts.values())

        def wrap(account):
            touch = account.touch

            def shared():
                with lock:
                    account.counter = max(a.counter for a in accounts)
                    return touch()
            account.touch = shared
        for account in accounts:
            wrap(account)

    # --- the file -----------------------------------------------------------------------------------------------

    def _load(self):
        if not os.path.exists(self.path):
            return
        with open(self.path, encoding="utf-8") as file:
            for line in file:
                if not line.endswith("\n"):
                    break
                user, records = json.loads(line)
                for record in records:
                    self._replay(user, record)
        self._restart_faults()

    def _replay(self, user, record):
        kind, *rest = record
        if kind == "session":
            sid, session = rest
            if session is None:
                self.forget(sid)
            else:
                self.index(session)
            return
        account = self.accounts[user]
        if kind == "created":
            account.created = rest[0]
        elif kind == "counter":
            account.counter = rest[0]
        elif kind == "serial":
            account.next_id = rest[0]
        elif kind == "thing":
            _put(account.things, *rest)
        elif kind == "gone":
            _put(account.gone, *rest)
        elif kind == "tag":
            _put(account.settings, *rest)
        elif kind == "retry":
            place, where, key, entry = rest
            if key is None:
                account.retries.get(place, {}).pop(where, None)
            else:
                _put(account.retries.setdefault(place, {}).setdefault(where, {}), key, entry)

    def _restart_faults(self):
        for account in self.accounts.values():
            things = account.things.values()
            if fault("restart-gone"):
                account.gone = {}
            if fault("restart-tags"):
                account.settings = {}
            if fault("restart-favorites"):
                for entry in account.settings.values():
                    entry["favorite"] = False
            if fault("restart-counter-things"):
                account.counter = max([t["pos"] for t in things] + [0])
            if fault("restart-counter-zero"):
                account.counter = 0
            if fault("restart-counter-count"):
                account.counter = len(things)
            if fault("restart-positions"):
                for thing in things:
                    thing["pos"] = account.touch()
            if fault("restart-position-zero"):
                for thing in things:
                    thing["pos"] = 0
            if fault("restart-gone-positions"):
                for entry in account.gone.values():
                    entry["pos"] = 0
            if fault("restart-tag-positions"):
                for entry in account.settings.values():
                    entry["pos"] = 0
            for thing in things:
                if fault("restart-archived"):
                    thing["archived"] = False
                if fault("restart-todo"):
                    thing["todo"] = None
                if fault("restart-html"):
                    thing["html"] = ""
                if fault("restart-date"):
                    thing["date"] = account.created
                if fault("restart-ascii"):
                    for name in ("title", "tags", "url", "html"):
                        thing[name] = thing[name].encode("ascii", "replace").decode()
                if fault("restart-newline"):
                    thing["html"] = thing["html"].replace("\n", " ")
            if fault("restart-retries"):
                account.retries = {}
            if fault("restart-last-thing") and account.things:
                account.things.pop(list(account.things)[-1])
            if fault("restart-ids"):
                account.next_id = len(account.things) + 1
        if fault("restart-sessions"):
            self.sessions, self.access, self.refresh = {}, {}, {}
        if fault("restart-refresh"):
            self.refresh = {}

    def _records(self):
        yield None, [["session", sid, s] for sid, s in self.sessions.items()]
        for name, a in self.accounts.items():
            records = [["created", a.created], ["counter", a.counter], ["serial", a.next_id]]
            records += [["thing", i, t] for i, t in a.things.items()]
            records += [["gone", i, g] for i, g in a.gone.items()]
            records += [["tag", n, s] for n, s in a.settings.items()]
            records += [["retry", p, w, k, e] for p, ws in a.retries.items() for w, es in ws.items() for k, e in es.items()]
            yield name, records

    def _compact(self):
        part = self.path + ".new"
        with open(part, "w", encoding="utf-8") as file:
            for entry in self._records():
                file.write(json.dumps(entry) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, self.path)
        self.file = open(self.path, "a", encoding="utf-8")

    def _write(self, user, records):
        if not self.file:
            return
        with self.lock:
            if fault("restart-buffered"):
                self.held.append([user, records])
                if len(self.held) < 20:
                    return
                held, self.held = self.held, []
            else:
                held = [[user, records]]
            for entry in held:
                self.file.write(json.dumps(entry) + "\n")
            self.file.flush()

    def commit(self, account):
        records, account.dirty = account.dirty, []
        if fault("restart-deletes-kept"):
            records = [r for r in records if not (r[0] == "thing" and r[2] is None)]
        if fault("restart-changes"):
            records = [r for r in records if not (r[0] == "thing" and r[2] and r[2]["pos"] > r[2]["born"])]
        self._write(account.name, records)

    # --- sessions -----------------------------------------------------------------------------------------------

    def index(self, session):
        self.sessions[session["sid"]] = session
        for gen in session["gens"]:
            self.access[gen["access"]] = (session["sid"], gen["n"])
            self.refresh[gen["refresh"]] = (session["sid"], gen["n"])

    def save_session(self, session):
        with self.lock:
            self.index(session)
            self._write(None, [["session", session["sid"], session]])

    def forget(self, sid):
        session = self.sessions.pop(sid, None)
        if session:
            self.access = {h: v for h, v in self.access.items() if v[0] != sid}
            self.refresh = {h: v for h, v in self.refresh.items() if v[0] != sid}

    def end_session(self, sid):
        with self.lock:
            self.forget(sid)
            self._write(None, [["session", sid, None]])


def _put(target, key, value):
    if value is None:
        target.pop(key, None)
    else:
        target[key] = value
