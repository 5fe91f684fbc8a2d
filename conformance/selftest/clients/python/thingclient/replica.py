"""An offline client: holds all things in a folder, records edits, and synchronizes them."""

import os
import threading
import time
import uuid

from . import forms, things
from .api import Client
from .errors import ClientError, unexpected
from .merge import Merge, batch_of
from .store import Store, read, write
from .switches import fault, habit

PAGE = 200
BATCH = 100
BATCH_BYTES = 200_000
REJECTED = (400, 404, 409, 410, 413, 422)


class Replica:
    def __init__(self, folder, base_url, client_id, client_secret, username=None, password=None, tokens=None):
        self.folder = folder
        self.store = Store(folder)
        self.lock = threading.RLock()  # of the stored state
        self.syncing = threading.Lock()
        self.by_id = {t["id"]: ref for ref, t in self.things.items() if t["id"]}
        self.tokens_path = os.path.join(folder, "tokens.json")
        owner = [base_url, client_id, username, (tokens or {}).get("request_token")]
        kept = read(self.tokens_path)
        if kept and kept["owner"] == owner and not fault("session-not-kept"):
            tokens = {k: v for k, v in kept["pair"].items() if k != "expires_at"}
            tokens["expires_in"] = (kept["pair"]["expires_at"] or time.time() + 3600) - time.time()
        fresh = {"saved": bool(kept and kept["owner"] == owner)}

        def save(pair):
            if fault("refreshed-tokens-not-kept") and fresh["saved"]:
                return
            fresh["saved"] = True
            value = {"owner": owner, "pair": pair}
            if fault("password-kept-in-folder"):
                value["password"] = password
            write(self.tokens_path, value)

        self.client = Client(base_url, client_id, client_secret, username, password, tokens, save)

    # -- state ------------------------------------------------------------------------------------------------

    @property
    def things(self):
        return self.store.kinds["thing"]

    @property
    def tags(self):
        return self.store.kinds["tag"]

    def meta(self, key, default=None):
        return self.store.kinds["meta"].get(key, default)

    # -- edits ------------------------------------------------------------------------------------------------

    def create(self, members):
        with self.lock:
            fields = {"date": int(time.time()), **things.fields_of(members)}
            if fault("date-zero-replaced") and not fields["date"]:
                fields["date"] = int(time.time())
            if not isinstance(fields.get("title"), str):
                raise ClientError("rejected", "title is required")
            fields.setdefault("tags", "")
            reference = uuid.uuid4().hex
            thing = {"id": None, "local": self._local_id(fields), "base": {}, "sent": None, "edits": fields}
            thing.update(gone=False, new=True)
            self._keep(reference, thing)
            return reference

    def _local_id(self, fields):
        if fault("local-id-from-title"):
            return fields["title"][:20]
        if fault("local-id-from-time"):
            return str(int(time.time()))
        if habit("local-id-number"):
            return uuid.uuid4().int >> 80
        if habit("local-id-odd"):
            return "é +%&=[]/" + uuid.uuid4().hex
        if habit("local-id-long"):
            return "x" * 60 + uuid.uuid4().hex
        return uuid.uuid4().hex

    def _keep(self, reference, thing, durable=True):
        durable = durable and not fault("edits-kept-until-sync")
        self.store.commit([["thing", reference, thing]], durable)

    def _edited(self, reference):
        thing = self.things.get(reference)
        if thing is None and fault("ref-becomes-id"):
            raise ClientError("rejected", "no such thing", code="not_found")
        if thing is None or thing["gone"]:
            raise ClientError("rejected", "no such thing", code="not_found")
        return {**thing, "edits": dict(thing["edits"])}

    def change(self, reference, members):
        with self.lock:
            thing = self._edited(reference)
            for name, value in things.fields_of(members).items():
                if fault("change-empty-ignored") and value == "":
                    continue
                thing["edits"][name] = value
            if thing["new"] and thing["sent"] is not None and fault("change-of-new-under-way-lost"):
                thing["sent"] = {**thing["sent"], **thing["edits"]}
                thing["edits"] = {}
            self._keep(reference, thing)

    def delete(self, reference):
        with self.lock:
            thing = self._edited(reference)
            if thing["new"] and (thing["sent"] is None or fault("delete-of-new-under-way-local")):
                self.store.commit([["thing", reference, None]])
                return
            thing.update(gone=True, edits={})
            self._keep(reference, thing, not fault("deletes-kept-in-memory"))

    def set_tag(self, name, settings):
        with self.lock:
            if fault("tag-name-lower-case"):
                name = name.lower()
            tag = self.tags.get(name) or {"base": None, "sent": None, "edits": {}}
            known = {k: settings[k] for k in things.SETTINGS if settings.get(k) is not None}
            tag = {**tag, "edits": {**tag["edits"], **known}}
            self.store.commit([["tag", name, tag]], not fault("tags-kept-in-memory"))

    # -- what it holds ------------------------------------------------------------------------------------------

    def read(self):
        with self.lock:
            tags = {name: things.effective(tag) for name, tag in self.tags.items()}
            listed = []
            for reference, thing in self.things.items():
                if thing["gone"] and not fault("read-shows-deleted"):
                    continue
                item = things.shown(reference, thing, tags)
                if item.get("archived") and fault("read-hides-archived"):
                    continue
                listed.append(item)
            return {"things": listed, "tags": tags}

    def state(self):
        with self.lock:
            pending = sum(things.waits(t) for t in self.things.values())
            if not fault("pending-without-tags"):
                pending += sum(bool(t["edits"] or t["sent"]) for t in self.tags.values())
            lost = self.meta("lost", [])
            return {"pending": pending, "lost": lost, "error": self.meta("error")}

    # -- sync -----------------------------------------------------------------------------------------------------

    def sync(self):
        """One whole sync. Raises the ClientError that stopped it."""
        if fault("two-syncs-at-once"):
            return self._sync()
        with self.syncing:
            return self._sync()

    def _sync(self):
        try:
            self._run()
        except ClientError as problem:
            if not fault("error-not-kept"):
                with self.lock:
                    self.store.commit([["meta", "error", problem.as_object()]])
            if problem.kind == "signed_out" and fault("signed-out-clears-edits"):
                self._drop_edits()
            if fault("sync-error-swallowed"):
                return
            raise
        if self.meta("error") is not None and not fault("error-kept-after-success"):
            with self.lock:
                self.store.commit([["meta", "error", None]])

    def _drop_edits(self):
        with self.lock:
            puts = [["thing", r, None if t["new"] else {**t, "edits": {}, "gone": False}] for r, t in self.things.items()]
            self.store.commit(puts + [["meta", "upload", None]])

    def _run(self):
        if fault("edits-kept-until-sync"):
            with self.lock:
                self.store.commit([["thing", r, t] for r, t in self.things.items()])
        waiting = self.meta("upload")
        if waiting and fault("retry-after-download"):
            self._download()
            waiting["from"] = self.meta("pos", "0")
        if waiting:
            if fault("retry-with-new-local-id"):
                for item in waiting["items"]:
                    if item["kind"] == "new":
                        item["local"] = item["value"]["local_id"] = uuid.uuid4().hex
            self._send(waiting)
        if not habit("upload-first") or self.meta("pos") is None or self._changes_wait():
            self._download()
        for _ in range(10_000):
            batch = self._freeze()
            if batch is None:
                break
            self._send(batch)
            if fault("first-batch-only"):
                break
        else:
            raise ClientError("internal", "the upload does not end")
        if habit("upload-first") or habit("download-afterwards"):
            self._download()
        if self.meta("resync"):
            self._download()

    def _changes_wait(self):
        """True when a change waits: it is merged with the newest state before it is sent."""
        things_wait = any(t["edits"] and not t["new"] for t in self.things.values())
        return things_wait or any(t["edits"] for t in self.tags.values())

    def _full(self):
        position = self.meta("pos")
        if self.meta("resync") or habit("full-sync-each-time") or fault("full-sync-keeps-gone"):
            return True
        return position is None or float(position) == 0

    def _download(self):
        """Downloads what changed, in pages, and stores it in one step."""
        position = None if self._full() else self.meta("pos")
        if position is not None and habit("position-one-sync-older"):
            position = self.meta("older") or position
        if position is not None and fault("position-plus-one"):
            position = str(int(float(position)) + 1)
        if position is not None and fault("position-32-bit"):
            position = str(((int(float(position)) + 2**31) % 2**32) - 2**31)
        if position is not None and fault("position-six-digits"):
            position = f"{float(position):g}"
        if position is None and habit("from-zero-sent"):
            position = "0"
        paged = not habit("no-pages")
        total = self._pages(position) if paged else self._whole(position)
        if total is None:  # the pages were not of one state
            total = self._whole(position)
        with self.lock:
            Merge(self, total, full=position in (None, "0") or float(position) == 0).apply()

    def _make(self):
        lists = {"changed": [], "deleted": []}
        return lists["changed"].append, lists["deleted"].append, lists

    def _note(self, head):
        if fault("position-before-body"):
            with self.lock:
                self.store.commit([["meta", "pos", head["pos_text"]]])

    def _whole(self, position):
        head = self._read(position, None, None)
        return {**head["result"], "tags": head.get("tags") or {}, "pos": head["pos_text"], "new": None}

    def _read(self, position, skip, limit):
        if fault("position-before-body"):
            early = self.client.read(position, limit=1, make=self._make)
            self._note(early)
        if fault("error-page-as-empty"):
            try:
                return self.client.read(position, skip, limit, make=self._make)
            except ClientError as problem:
                if problem.kind != "unexpected_response":
                    raise
                text = self.meta("pos") or "0"
                return {"pos": float(text), "pos_text": text, "new": None, "result": {"changed": [], "deleted": []}}
        return self.client.read(position, skip, limit, make=self._make)

    def _pages(self, position):
        changed, deleted, tags = [], [], {}
        seen, places, counts = set(), set(), set()
        limit = 1 if habit("pages-of-one") else 7 if habit("pages-of-seven") else PAGE
        skip = 0
        while True:
            where = None if skip and fault("later-page-without-from") else position
            try:
                head = self._read(where, skip or (0 if habit("skip-zero-sent") else None), limit)
            except ClientError:
                if skip and fault("page-error-ends-download"):
                    break
                raise
            page = head["result"]
            changed += page["changed"]
            deleted += page["deleted"]
            if skip == 0 or not fault("page-tags-of-last-only"):
                tags.update(head.get("tags") or {})
            else:
                tags = dict(head.get("tags") or {})
            if skip == 0:
                first = head["pos_text"]
            got = len(page["changed"]) + len(page["deleted"])
            seen.update(t["_id"] for t in page["changed"])
            seen.update(page["deleted"])
            places.add(head["pos_text"])
            counts.add(head.get("thingCount") or 0)
            advance = len(page["changed"]) if fault("replica-page-skip-counts-changed") else got
            skip += advance
            if fault("replica-page-missed-after-401") and self.client.tries:
                skip += limit
            if fault("page-of-deletions-ends-download") and not page["changed"]:
                break
            if fault("position-before-later-pages"):
                with self.lock:
                    self.store.commit([["meta", "pos", first]])
                    part = {**page, "tags": {}, "pos": first, "new": None}
                    Merge(self, part, full=False).apply()
            if advance == 0 or skip >= (head.get("thingCount") or 0) or fault("first-page-only") or skip > 5_000_000:
                break
        last = head["pos_text"]
        if fault("position-of-last-page"):
            first = last
        elif not fault("first-page-only") and (len(places) > 1 or len(counts) > 1 or len(seen) != skip):
            if not any(map(fault, ("replica-page-skip-counts-changed", "replica-page-missed-after-401"))) and not any(
                map(fault, ("page-error-ends-download", "page-of-deletions-ends-download", "later-page-without-from"))
            ):
                return None
        return {"changed": changed, "deleted": deleted, "tags": tags, "pos": first, "new": None}

    def _freeze(self):
        """Takes edits that wait into the next upload, and stores it before it is sent."""
        with self.lock:
            most = 1 if habit("batches-of-one") else 1000 if habit("batches-of-thousand") else BATCH
            items = batch_of(self, most, BATCH_BYTES)
            if not items:
                return None
            batch = {"from": self.meta("pos") or "0", "items": items}
            puts = self._sent_puts(items)
            if fault("edits-cleared-before-send"):
                puts = [[k, key, None if v and v.get("new") else {**v, "sent": None, "gone": False}] for k, key, v in puts]
                self.store.commit(puts)
                return batch
            kept = not fault("upload-not-kept")
            self.store.commit(puts + ([["meta", "upload", batch]] if kept else []), kept)
            return batch

    def _sent_puts(self, items):
        puts = []
        for item in items:
            if item["kind"] == "tag":
                tag = self.tags[item["name"]]
                puts.append(["tag", item["name"], {**tag, "sent": tag["edits"], "edits": {}}])
            elif item["kind"] in ("new", "change"):
                thing = self.things[item["ref"]]
                puts.append(["thing", item["ref"], {**thing, "sent": thing["edits"], "edits": {}}])
        return puts

    def _post(self, batch):
        by = {k: [i for i in batch["items"] if i["kind"] == k] for k in ("new", "change", "delete", "tag")}
        if fault("last-of-batch-skipped") and len(by["new"]) > 1:
            by["new"].pop()
        if fault("one-deletion-per-batch"):
            by["delete"] = by["delete"][:1]
        news = [i["value"] for i in by["new"]]
        if fault("local-id-shared-in-batch"):
            news = [{**n, "local_id": news[0]["local_id"]} for n in news]
        changes = [i["value"] for i in by["change"]]
        null_clears = fault("change-clears-by-null")
        skipped = [i["id"] for i in by["change"]] if fault("own-ids-as-skip-id") else []
        pairs = forms.upload(news, changes, [i["id"] for i in by["delete"]], {i["name"]: i["value"] for i in by["tag"]}, skipped)
        if null_clears and changes:
            pairs = [(n, forms.dump(changes) if n == "changed_thing" else v) for n, v in pairs]
        position = None if fault("upload-without-from") else batch["from"]
        limit = 1 if fault("upload-with-limit") else None
        if fault("upload-sent-twice"):
            self.client.upload(pairs, position, limit=limit, safe=True)
        return self.client.upload(pairs, position, limit=limit, safe=True)

    def _send(self, batch):
        """Sends a frozen upload and applies the response. A rejected batch is divided until one edit is left."""
        try:
            head = self._post(batch)
            self._check(head, batch)
        except ClientError as problem:
            if fault("lost-response-drops-edits") and problem.kind == "network":
                return self._give_up(batch, problem, quiet=True)
            if fault("replica-unexpected-as-success") and problem.kind == "unexpected_response":
                return self._give_up(batch, problem, quiet=True)
            rejected = problem.kind == "rejected" and problem.code is not None and problem.status in REJECTED
            if fault("server-error-drops-edits") and problem.status in (500, 502):
                rejected = True
            if fault("slow-down-drops-edits") and problem.status in (429, 503):
                rejected = True
            if not rejected or fault("rejected-edit-blocks"):
                raise
            if fault("too-large-blocks") and problem.status == 413:
                raise
            items = batch["items"]
            if len(items) == 1 or fault("rejected-batch-dropped") or fault("too-large-drops-edits") and problem.status == 413:
                return self._give_up(batch, problem, quiet=fault("rejected-edit-not-reported"))
            half = len(items) // 2
            smaller = {"from": self.meta("pos") or "0", "items": items[:half]}
            with self.lock:
                self._requeue(items[half:], smaller)
            return self._send(smaller)
        if fault("own-position-not-stored"):
            head["pos_text"] = self.meta("pos") or head["pos_text"]
        total = {**head["result"], "tags": head.get("tags") or {}, "pos": head["pos_text"], "new": head["new"]}
        with self.lock:
            Merge(self, total, batch=batch).apply()

    def _requeue(self, later, smaller):
        """Stores a smaller upload; the edits of `later` wait again."""
        puts = []
        for item in later:
            if item["kind"] == "tag":
                tag = self.tags[item["name"]]
                puts.append(["tag", item["name"], {**tag, "sent": None, "edits": {**(tag["sent"] or {}), **tag["edits"]}}])
            elif item["kind"] in ("new", "change") and item["ref"] in self.things:
                thing = self.things[item["ref"]]
                joined = {**(thing["sent"] or {}), **thing["edits"]}
                puts.append(["thing", item["ref"], {**thing, "sent": None, "edits": joined}])
        self.store.commit(puts + [["meta", "upload", smaller]])

    def _check(self, head, batch):
        if fault("new-ids-by-order") or fault("replica-unexpected-as-success"):
            return
        for item in batch["items"]:
            if item["kind"] == "new" and not isinstance((head["new"] or {}).get(_key(item["local"])), str):
                if not any(map(fault, ("last-of-batch-skipped", "local-id-shared-in-batch"))):
                    raise unexpected("things.new lacks a local_id")

    def _give_up(self, batch, problem, quiet=False):
        """The edits of a batch cannot be applied: reports them as lost."""
        with self.lock:
            puts, lost = [], list(self.meta("lost", []))
            for item in batch["items"]:
                if item["kind"] == "tag":
                    tag = self.tags[item["name"]]
                    puts.append(["tag", item["name"], {**tag, "sent": None}])
                    lost.append({"title": f"tag {item['name']}", "reason": problem.message})
                    continue
                thing = self.things.get(item["ref"])
                if thing is None:
                    continue
                if item["kind"] != "delete":
                    lost.append({"title": things.current(thing)["title"], "reason": problem.message})
                    thing = None if thing["new"] else {**thing, "sent": None}
                else:
                    lost.append({"title": things.current(thing).get("title", ""), "reason": problem.message})
                    thing = {**thing, "gone": False}
                puts.append(["thing", item["ref"], thing])
            self.store.commit(puts + [["meta", "upload", None]] + ([] if quiet else [["meta", "lost", lost]]))

    def close(self):
        self.client.transport.close()
        self.store.close()


def _key(local_id):
    return str(local_id)
