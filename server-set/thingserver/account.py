"""One user's things, tombstones and tag settings."""

import random
import threading
import time
import uuid

from .switches import any_on, fault, legal
from .values import now

ALPHABET = "0123456789abcdefghijkmnpqrstuvwxyz"
FULL_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Account:
    """State of a user. `record` collects what has to be persisted."""

    def __init__(self, name):
        self.name = name
        self.created = now()
        self.counter = 1000 if legal("pos-starts-high") else 0
        self.things, self.gone, self.settings, self.retries = {}, {}, {}, {}
        self.snapshots = {}
        self.dirty = []
        self.lock = threading.RLock()
        self.next_id = 1
        self.skipped = {}
        self.seen_gone = set()

    def touch(self):
        """The next position."""
        if fault("race-counter"):
            read = self.counter
            time.sleep(0.03)
            self.counter = read + 1
        elif legal("pos-gaps"):
            self.counter += random.randint(1, 9)
        elif legal("pos-time"):
            self.counter = max(self.counter + 1, int(time.time() * 1e6))
        elif fault("pos-seconds"):
            self.counter = max(self.counter, int(time.time()))
        elif fault("pos-count"):
            self.counter = max(1, len(self.things))
        elif fault("pos-modulo"):
            self.counter = (self.counter + 1) % 50
        else:
            self.counter += 1
        self.dirty.append(["counter", self.counter])
        return self.counter

    def new_id(self):
        while True:
            ident = self._new_id()
            if fault("new-id-max") or fault("new-id-clock"):
                return ident
            if ident not in self.things and (ident not in self.gone or fault("restart-ids")):
                return ident

    def _new_id(self):
        if fault("new-id-max"):
            return "t" + str(max([int(i[1:]) for i in self.things] + [0]) + 1)
        if fault("new-id-clock"):
            return f"{int(time.time() * 20):x}"
        if fault("new-id-uuid"):
            return str(uuid.uuid4())
        if fault("new-id-base64"):
            return "".join(random.choice(FULL_ALPHABET) for _ in range(11)) + "_-"
        if fault("new-id-user"):
            return f"{self.name}:{self._serial()}"
        if legal("id-numbers"):
            return str(self._serial())
        if legal("id-long"):
            return "".join(random.choice(FULL_ALPHABET) for _ in range(64))
        if legal("id-exponent"):  # looks like a number
            return f"{self._serial():03d}e5"
        if fault("restart-ids"):
            return f"n{self._serial()}"
        return "".join(random.choice(ALPHABET) for _ in range(12))

    def _serial(self):
        self.next_id += 1
        if not fault("restart-ids"):
            self.dirty.append(["serial", self.next_id])
        return self.next_id - 1

    # --- writes -------------------------------------------------------------------------------------------------

    def save(self, ident):
        self.dirty.append(["thing", ident, self.things.get(ident)])

    def create(self, fields, sid):
        ident = self.new_id()
        pos = self.touch()
        thing = {"id": ident, "title": "", "tags": "", "date": None, "url": "", "html": "", "archived": False,
                 "todo": None, "pos": pos, "by": sid, "other": 0, "born": pos}
        if fault("new-date-absent"):
            pass
        elif fault("new-date-zero"):
            thing["date"] = 0
        elif fault("new-date-milliseconds"):
            thing["date"] = int(time.time() * 1000)
        else:
            thing["date"] = now()
        self.merge(thing, fields)
        if fault("new-archived-ignored"):
            thing["archived"] = False
        thing["frozen"] = self.is_todo(thing)
        self.things[ident] = thing
        self.gone.pop(ident, None)
        self.save(ident)
        return ident

    def merge(self, thing, fields):
        for name in ("title", "tags", "date", "url", "html"):
            if name in fields:
                thing[name] = fields[name]
        if "archived" in fields and not (fault("archived-one-way") and not fields["archived"]):
            thing["archived"] = fields["archived"]
        if "todoStatus" in fields and not (fault("todo-no-undo") and not fields["todoStatus"]):
            if not (fault("todo-status-early") and not self.is_todo(thing)):
                thing["todo"] = fields["todoStatus"]
        if fault("todo-status-untag") and not self.is_todo(thing):
            thing["todo"] = None

    def change(self, ident, fields, sid, bump=True):
        thing = self.things[ident]
        if fault("change-same-title") and fields.get("title") == thing["title"]:
            return
        if fault("change-same-text") and all(fields.get(n, "") == thing[n] for n in ("title", "tags", "url", "html")):
            return
        if fault("change-older-date") and "date" in fields and fields["date"] < thing["date"]:
            return
        if fault("change-first-writer") and thing["by"] != sid and thing["other"]:
            return
        if legal("change-clears"):
            for name in ("tags", "url", "html"):
                thing[name] = ""
            thing["todo"] = None
        if "archived" not in fields and not fault("archived-sticky") and not fault("archived-one-way"):
            fields = dict(fields, archived=False)
        if fault("change-tags-added") and "tags" in fields:
            words = thing["tags"].split() + [t for t in fields["tags"].split() if t not in thing["tags"].split()]
            fields = dict(fields, tags=" ".join(words))
        if fault("change-html-kept") and thing["html"] and fields.get("html"):
            fields = {k: v for k, v in fields.items() if k != "html"}
        archived = thing["archived"]
        self.merge(thing, fields)
        if fault("change-born"):
            return self.save(ident)
        if fault("archived-no-pos") and archived != thing["archived"]:
            return self.save(ident)
        if fault("change-new-id"):
            return self._replace(ident, sid)
        if bump:
            self.stamp(thing, sid)
        if fault("change-reset-others"):
            thing["other"] = 0
        self.save(ident)

    def _replace(self, ident, sid):
        thing = self.things.pop(ident)
        self.bury(ident, thing, sid)
        thing = dict(thing, id=self.new_id())
        self.stamp(thing, sid)
        self.things[thing["id"]] = thing
        self.save(ident)
        self.save(thing["id"])

    def stamp(self, thing, sid):
        pos = self.touch()
        if thing["by"] != sid:
            thing["other"] = thing["pos"]
            thing["by"] = sid
        thing["pos"] = pos
        thing["frozen"] = self.is_todo(thing)

    def bury(self, ident, thing, sid):
        pos = self.counter if fault("delete-no-pos") else self.touch()
        if fault("delete-old-pos"):
            pos = thing["pos"]
        born = thing["pos"] if fault("delete-changed-hidden") else thing["born"]
        if fault("delete-young-hidden") and thing["date"] and thing["date"] > time.time() - 5:
            born = pos
        self.gone[ident] = {"pos": pos, "by": sid, "born": born}
        if fault("delete-no-tombstone"):
            del self.gone[ident]
        if fault("delete-few-tombstones"):
            while len(self.gone) > 20:
                self.gone.pop(next(iter(self.gone)))
        self.dirty.append(["gone", ident, self.gone.get(ident)])

    def delete(self, ident, sid):
        if ident not in self.things:
            if fault("delete-toggle") and ident in self.gone:
                thing = self.gone.pop(ident).get("thing")
                if thing:
                    self.things[ident] = thing
                    self.stamp(thing, sid)
                    self.save(ident)
            return
        thing = self.things[ident]
        if fault("delete-archives"):
            thing["archived"] = True
            self.stamp(thing, sid)
            return self.save(ident)
        if fault("delete-soft"):
            thing["title"] = "[deleted]"
            self.bury(ident, thing, sid)
            return self.save(ident)
        del self.things[ident]
        self.bury(ident, thing, sid)
        if fault("delete-toggle"):
            self.gone[ident]["thing"] = thing
        self.save(ident)
        if fault("delete-same-title"):
            for twin in [i for i, t in self.things.items() if t["title"] == thing["title"]]:
                self.bury(twin, self.things.pop(twin), sid)
                self.save(twin)
        if fault("delete-same-url") and thing["url"]:
            for twin in [i for i, t in self.things.items() if t["url"] == thing["url"]]:
                self.bury(twin, self.things.pop(twin), sid)
                self.save(twin)
        if fault("delete-tag-settings"):
            left = {w for t in self.things.values() for w in t["tags"].split()}
            for word in thing["tags"].split():
                if word not in left and word in self.settings:
                    del self.settings[word]
                    self.dirty.append(["tag", word, None])

    def set_tag(self, name, given):
        if fault("tag-needs-thing") and not any(name in t["tags"].split() for t in self.things.values()):
            return
        if fault("tag-first-write") and name in self.settings:
            return
        old = self.settings.get(name, {"favorite": False, "color": False, "todo": False})
        base = {"favorite": False, "color": False, "todo": False} if fault("tag-partial-resets") else old
        entry = dict(base, **given)
        entry["pos"] = self.counter if fault("tag-no-pos") else self.touch()
        self.settings[name] = entry
        if fault("tag-cleared-removed") and not (entry["favorite"] or entry["color"] or entry["todo"]):
            del self.settings[name]
        if fault("tag-one-favorite") and entry["favorite"]:
            for other in self.settings:
                if other != name:
                    self.settings[other]["favorite"] = False
        if fault("tag-one-color") and entry["color"]:
            for other, value in self.settings.items():
                if other != name and value["color"] == entry["color"]:
                    value["color"] = False
        if fault("tag-prefix"):
            for other in self.settings:
                if other.startswith(name):
                    self.settings[other].update(given)
        if fault("tag-lists-things"):
            for thing in self.things.values():
                if name in thing["tags"].split(" "):
                    thing["pos"] = self.touch()
        self.dirty.append(["tag", name, self.settings.get(name)])

    # --- reads --------------------------------------------------------------------------------------------------

    def settings_of(self, word):
        return self.settings.get(word)

    def is_todo(self, thing):
        words = thing["tags"].split(" ")
        if not any_on():
            return any(w in self.settings and self.settings[w]["todo"] for w in words)
        if fault("todo-any-space"):
            words = thing["tags"].split()
        if fault("todo-first-tag"):
            words = words[:1]
        if fault("todo-hardcoded"):
            return "todo" in words
        if fault("todo-case"):
            on = {n.lower() for n, s in self.settings.items() if s["todo"]}
            return any(w.lower() in on for w in words)
        if fault("todo-substring"):
            return any(n and n in thing["tags"] for n, s in self.settings.items() if s["todo"])
        if fault("todo-prefix"):
            return any(w.startswith(n) for w in words for n, s in self.settings.items() if s["todo"])
        for word in words:
            entry = self.settings_of(word)
            if not entry:
                continue
            if entry["todo"] or fault("todo-favorite") and entry["favorite"] or fault("todo-color") and entry["color"]:
                return True
            if fault("todo-last-setting"):
                return False
        return False

    def render(self, thing):
        """The response form of a thing."""
        result = {"_id": thing["id"], "title": thing["title"], "tags": thing["tags"], "date": thing["date"]}
        if thing["url"] or fault("url-always"):
            result["url"] = thing["url"]
        elif fault("url-null"):
            result["url"] = None
        if thing["html"] or fault("html-always"):
            result["html"] = thing["html"]
        elif fault("html-null"):
            result["html"] = None
        if thing["archived"] or fault("archived-always"):
            result["archived"] = thing["archived"]
        todo = self.is_todo(thing)
        if fault("todo-frozen"):
            todo = thing["frozen"]
        if fault("todo-on-all"):
            todo = todo or thing["todo"] is not None
        if fault("todo-only-set"):
            todo = todo and thing["todo"] is not None
        if fault("todo-not-archived") and thing["archived"]:
            todo = False
        if todo and not (fault("todo-only-true") and not thing["todo"]):
            result["todoStatus"] = bool(thing["todo"])
        return self.render_faults(result) if any_on() else result

    def render_faults(self, result):
        if fault("archived-number") and "archived" in result:
            result["archived"] = 1
        if fault("archived-text") and "archived" in result:
            result["archived"] = "true"
        if fault("todo-number") and "todoStatus" in result:
            result["todoStatus"] = int(result["todoStatus"])
        if fault("todo-null") and result.get("todoStatus") is False:
            result["todoStatus"] = None
        if fault("title-guess"):
            for name in ("title", "url", "html"):
                text = result.get(name)
                if isinstance(text, str) and text.isdigit() and text.isascii():
                    result[name] = int(text)
                elif text in ("true", "false", "null"):
                    result[name] = {"true": True, "false": False, "null": None}[text]
        if fault("tags-array"):
            result["tags"] = [t for t in result["tags"].split(" ") if t]
        if fault("tags-absent") and not result["tags"]:
            del result["tags"]
        if fault("tags-null") and not result["tags"]:
            result["tags"] = None
        if fault("tags-comma"):
            result["tags"] = result["tags"].replace(" ", ", ")
        if fault("date-text"):
            result["date"] = str(result["date"])
        if fault("date-iso"):
            result["date"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(result["date"] or 0))
        if fault("id-number"):
            result["_id"] = int(result["_id"], 36)
        if fault("id-renamed"):
            result["id"] = result.pop("_id")
        if fault("title-null") and result["title"] == "":
            result["title"] = None
        if legal("tags-sorted"):
            result["tags"] = " ".join(sorted(result["tags"].split(" ")))
        if legal("tags-unique"):
            result["tags"] = " ".join(dict.fromkeys(result["tags"].split(" ")))
        if legal("extra-in-things"):
            result.update(modified=12345, owner={"name": self.name}, tagList=[])
        return result

    def render_tag(self, entry):
        result = {"favorite": entry["favorite"], "color": entry["color"], "todo": entry["todo"]}
        if fault("tag-favorite-number"):
            result["favorite"] = int(result["favorite"])
        if fault("tag-favorite-absent") and not result["favorite"]:
            del result["favorite"]
        if fault("tag-color-null") and result["color"] is False:
            result["color"] = None
        if fault("tag-color-empty") and result["color"] is False:
            result["color"] = ""
        if fault("tag-color-white") and result["color"] is False:
            result["color"] = "#ffffff"
        if fault("tag-todo-true") and result["todo"]:
            result["todo"] = True
        if fault("tag-todo-null") and not result["todo"]:
            result["todo"] = None
        if fault("tag-todo-done") and result["todo"]:
            result["todo"] = "yes"
        if fault("tag-todo-text") and not result["todo"]:
            result["todo"] = "false"
        if legal("extra-in-tags"):
            result.update(icon=None, order=3)
        return result
