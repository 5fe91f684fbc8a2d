"""Applies a response to the stored state in one step, and chooses what the next upload contains."""

import struct

from . import forms, things
from .switches import fault, habit


class Merge:
    """total: changed, deleted, tags, pos (text), new. batch: the upload that the response answers. full: a download of
    the whole account, so that what it does not contain is gone."""

    def __init__(self, replica, total, batch=None, full=False):
        self.replica = replica
        self.total = total
        self.batch = batch
        self.full = full
        self.puts = {}
        self.lost = list(replica.meta("lost", []))
        self.reported = len(self.lost)

    def thing(self, reference):
        if ("thing", reference) in self.puts:
            return self.puts["thing", reference]
        return self.replica.things.get(reference)

    def put(self, reference, thing):
        self.puts["thing", reference] = thing
        if thing and thing["id"] and not (fault("new-id-not-indexed") and reference != "s" + thing["id"]):
            self.replica.by_id[thing["id"]] = reference

    def apply(self):
        r, total = self.replica, self.total
        self.confirmed = set()
        self.sent_ids = set()
        if self.batch:
            self._confirm()
        upload = self.batch is not None
        gone = set(total["deleted"])
        if fault("deletions-ignored") or upload and fault("upload-deletions-ignored"):
            gone = set()
        listing = [] if upload and fault("upload-listing-ignored") else total["changed"]
        if upload and fault("upload-listing-ignored"):
            gone = set()
        if fault("deletions-remembered"):
            old = set(r.meta("tombs", []))
            listing = [t for t in listing if t["_id"] not in old]
            self.puts["meta", "tombs"] = sorted(old | gone)
        # A response without things has still a position and settings.
        skip_rest = fault("response-without-things-ignored") and not upload and not listing and not gone
        if skip_rest:
            return
        for listed in listing:
            if fault("changed-beats-deleted"):
                gone.discard(listed["_id"])
            if listed["_id"] not in gone:
                self._changed(listed)
        for identifier in gone:
            if isinstance(identifier, str):
                self._deleted(identifier)
        if self.full and not fault("full-sync-keeps-gone"):
            present = {t["_id"] for t in listing}
            for reference, thing in list(r.things.items()):
                if thing["id"] and thing["id"] not in present and thing["id"] not in gone:
                    self._deleted(thing["id"])
                elif not thing["id"] and fault("full-sync-drops-new"):
                    self.put(reference, None)
        if not (upload and fault("upload-tags-ignored")):
            self._tags()
        self._unknown_todos({t["_id"] for t in listing})
        self._position()
        if len(self.lost) > self.reported:
            self.puts["meta", "lost"] = self.lost
        if upload:
            self.puts["meta", "upload"] = None
        puts = [[kind, key, value] for (kind, key), value in self.puts.items()]
        if fault("lost-kept-in-memory"):
            r.store.commit([p for p in puts if p[1] == "lost"], False)
            puts = [p for p in puts if p[1] != "lost"]
        r.store.commit(puts)

    def _unknown_todos(self, listed):
        """A setting can make todos of things whose status only the server knows: asks for a full download."""
        if self.full:
            self.puts["meta", "resync"] = None
            return
        begun = set()
        for (kind, name), tag in self.puts.items():
            if kind == "tag" and tag and tag["base"] and tag["base"]["todo"]:
                old = self.replica.tags.get(name)
                if not (old and old["base"] and things.settings_of(old["base"])["todo"]):
                    begun.add(name)
        if not begun:
            return
        for reference in self.replica.things:
            thing = self.thing(reference)
            if thing and thing["id"] and thing["id"] not in listed and "todoStatus" not in thing["base"]:
                if begun & set(things.current(thing).get("tags", "").split(" ")):
                    self.puts["meta", "resync"] = True
                    return

    def _position(self):
        text = self.total["pos"]
        old = self.replica.meta("pos")
        if fault("position-never-back") and old is not None and float(text) < float(old):
            return
        if fault("position-back-refused") and old is not None and float(text) < float(old):
            from .errors import unexpected

            raise unexpected("the position went back")
        if fault("position-single-precision"):
            text = str(int(struct.unpack("f", struct.pack("f", float(text)))[0]))
        if habit("position-one-sync-older"):
            self.puts["meta", "older"] = old
        self.puts["meta", "pos"] = text

    def _confirm(self):
        """The upload was applied: its edits are now the base of their things."""
        new = self.total["new"] or {}
        by_order = iter(new.values())
        for item in self.batch["items"]:
            if item["kind"] == "tag":
                tag = self.replica.tags[item["name"]]
                base = {**things.settings_of(tag["base"]), **(tag["sent"] or {})}
                if base["todo"] is True:
                    base["todo"] = "strike"
                self.puts["tag", item["name"]] = {**tag, "base": base, "sent": None}
                continue
            thing = self.thing(item["ref"])
            if item["kind"] == "delete":
                if thing:
                    self.replica.by_id.pop(item["id"], None)
                    self.put(item["ref"], None)
                continue
            if thing is None:
                continue
            base = things.overlay(thing["base"], thing["sent"] or {})
            if fault("change-needs-echo") and item["kind"] == "change":
                base = thing["base"]
            if fault("cleared-field-comes-back"):
                base = {**{k: v for k, v in thing["base"].items() if k in ("url", "html")}, **base}
            thing = {**thing, "base": base, "sent": None}
            if fault("edits-during-sync-cleared"):
                thing["edits"] = {}
            if fault("delete-during-sync-lost"):
                thing["gone"] = False
            if item["kind"] == "new":
                identifier = next(by_order, None) if fault("new-ids-by-order") else new.get(str(item["local"]))
                if identifier is None:
                    self.put(item["ref"], {**thing, "new": False})
                    continue
                thing.update(id=identifier, new=fault("new-stays-new"))
                if fault("new-keeps-title-only"):
                    thing["base"] = {"title": base.get("title", ""), "tags": base.get("tags", "")}
                other = self.replica.by_id.get(identifier)
                if other not in (None, item["ref"]) and self.thing(other):
                    thing["edits"] = {**self.thing(other)["edits"], **thing["edits"]}
                    self.put(other, None)
                if fault("new-needs-echo") and not any(t["_id"] == identifier for t in self.total["changed"]):
                    self.put(item["ref"], None)
                    continue
                if fault("ref-becomes-id"):
                    self.put(item["ref"], None)
                    self.put("s" + identifier, thing)
                    continue
            self.sent_ids.add(thing["id"])
            if item["kind"] == "change":
                self.confirmed.add(thing["id"])
            self.put(item["ref"], thing)

    def _changed(self, listed):
        identifier = listed["_id"]
        if fault("id-cut-at-64"):
            identifier = identifier[:64]
        if fault("id-as-number") and identifier.isdigit():
            identifier = str(int(identifier))
        if fault("own-echo-ignored") and identifier in self.sent_ids:
            return
        reference = self.replica.by_id.get(identifier)
        if fault("known-things-added-again") and reference is not None and not self.full:
            reference = None
        thing = self.thing(reference) if reference is not None else None
        if thing is None:
            if fault("unknown-id-dropped") and not self.full:
                return
            thing = {"id": identifier, "local": None, "base": {}, "sent": None, "edits": {}, "gone": False, "new": False}
            reference = "s" + identifier
            if fault("known-things-added-again") and reference in self.replica.things:
                reference += f"+{len(self.replica.things)}"
        if fault("edited-things-not-updated") and (thing["edits"] or thing["sent"]):
            return
        thing = {**thing, "base": things.received(thing, listed)}
        if fault("download-overwrites-edits"):
            thing["edits"] = {}
        if fault("echo-overwrites-later-edits") and identifier in self.sent_ids:
            thing["edits"] = {}
        if fault("remote-change-beats-delete"):
            thing["gone"] = False
        self.put(reference, thing)

    def _deleted(self, identifier):
        if fault("id-as-number") and identifier.isdigit():
            identifier = str(int(identifier))
        if fault("deletion-of-unknown-crashes"):
            reference = self.replica.by_id[identifier]
        else:
            reference = self.replica.by_id.get(identifier)
        thing = self.thing(reference) if reference is not None else None
        if thing is None:
            return
        edited = bool(thing["edits"]) or thing["sent"] is not None or identifier in self.confirmed
        if edited and not thing["gone"]:
            if fault("edit-beats-deletion"):
                return
            if fault("deletion-with-edit-makes-new"):
                fields = things.current(thing)
                thing = {**thing, "id": None, "base": {}, "edits": fields, "new": True, "local": reference}
                self.put(reference, thing)
                return
            if not fault("lost-edit-not-reported"):
                title = things.current(thing).get("title", "")
                if fault("lost-title-of-server"):
                    title = thing["base"].get("title", "")
                self.lost.append({"title": title, "reason": "the thing was deleted elsewhere"})
        self.replica.by_id.pop(identifier, None)
        self.put(reference, None)

    def _tags(self):
        answer = self.total["tags"] if isinstance(self.total["tags"], dict) else {}
        for name, settings in answer.items():
            if fault("tags-dunder-dropped") and name.startswith("__"):
                continue
            if fault("tag-name-lower-case"):
                name = name.lower()
            tag = self.puts.get(("tag", name)) or self.replica.tags.get(name)
            tag = tag or {"base": None, "sent": None, "edits": {}}
            base = things.settings_of(settings)
            if fault("tags-unset-ignored") and tag["base"]:
                base = {k: v or tag["base"][k] for k, v in base.items()}
            tag = {**tag, "base": base}
            if fault("tags-overwrite-edits"):
                tag["edits"] = {}
            self.puts["tag", name] = tag
        if self.full or answer and fault("tags-replaced"):
            for name, tag in self.replica.tags.items():
                if name not in answer and ("tag", name) not in self.puts:
                    waits = tag["edits"] or tag["sent"]
                    self.puts["tag", name] = {**tag, "base": None} if waits else None


def batch_of(replica, most, most_bytes):
    """The next edits to send, as items of an upload; at least one when something waits."""
    items, size = [], 0
    for reference, thing in replica.things.items():
        if thing["new"]:
            if thing["sent"] is not None:
                continue
            value = things.as_new(thing, thing["local"])
            item = {"kind": "new", "ref": reference, "local": thing["local"], "value": value}
        elif thing["gone"]:
            item = {"kind": "delete", "ref": reference, "id": thing["id"]}
        elif thing["edits"]:
            if fault("changed-thing-created-again") and thing["local"] is not None:
                value = things.as_new(thing, thing["local"])
                item = {"kind": "new", "ref": reference, "local": thing["local"], "value": value}
            else:
                fields = dict(thing["edits"])
                item = {"kind": "change", "ref": reference, "id": thing["id"], "value": things.as_change(thing), "fields": fields}
        else:
            continue
        length = len(forms.dump(item))
        if items and (len(items) >= most or size + length > most_bytes):
            return items
        if items and habit("kinds-apart") and items[-1]["kind"] != item["kind"]:
            continue
        items.append(item)
        size += length
    for name, tag in replica.tags.items():
        if tag["edits"] and len(items) < most and not (items and habit("kinds-apart") and items[0]["kind"] != "tag"):
            items.append({"kind": "tag", "name": name, "value": things.as_settings(tag)})
    return items
