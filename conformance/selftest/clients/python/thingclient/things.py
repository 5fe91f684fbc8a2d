"""What a replica knows about one thing or tag, and how it is shown and sent.

A thing: id (null before the upload), local (its local_id), base (fields as the server has them), sent (fields
of an edit under way), edits (fields that wait), gone (a deletion waits), new (not created on the server yet).
"""

import time

from . import forms
from .switches import fault, habit

FIELDS = ("title", "tags", "date", "url", "html", "archived", "todoStatus")
SETTINGS = ("favorite", "color", "todo")


def fields_of(members):
    return {k: members[k] for k in FIELDS if members.get(k) is not None}


def overlay(base, *layers):
    """Fields with edits on top. Empty url and html mean none."""
    done = dict(base)
    for layer in layers:
        done.update(layer or {})
    for name in ("url", "html"):
        if done.get(name) == "":
            del done[name]
    if done.get("archived") is False:
        del done["archived"]
    return done


def current(thing):
    if fault("read-without-edits"):
        return overlay(thing["base"], thing["sent"] if thing["new"] else None)
    return overlay(thing["base"], thing["sent"], thing["edits"])


def waits(thing):
    if fault("pending-without-deletes") and thing["gone"]:
        return False
    if fault("pending-without-sent") and thing["sent"] is not None:
        return False
    return bool(thing["gone"] or thing["new"] or thing["edits"] or thing["sent"] is not None)


def received(thing, listed):
    """The base after a listing showed the thing."""
    base = {k: listed[k] for k in FIELDS if k in listed}
    base.setdefault("title", "")
    base.setdefault("tags", "")
    if fault("received-text-trimmed"):
        base["title"] = base["title"].strip()
    if fault("received-line-ends") and "html" in base:
        base["html"] = base["html"].replace("\r\n", "\n")
    if fault("received-html-cut") and "html" in base:
        base["html"] = base["html"][:65536]
    if fault("received-date-rounded") and "date" in base:
        base["date"] = int(base["date"])
    old = thing["base"] if thing else {}
    if "todoStatus" not in base and "todoStatus" in old:
        base["todoStatus"] = old["todoStatus"]  # kept by the server while the thing is no todo
    if fault("merge-keeps-removed-fields"):
        base = {**{k: v for k, v in old.items() if k != "archived"}, **base}
    if fault("merge-keeps-archived") and old.get("archived"):
        base["archived"] = True
    return base


def is_todo(tags_text, settings):
    if fault("todo-tag-by-substring"):
        return any(s.get("todo") and name in tags_text for name, s in settings.items())
    words = tags_text.split(" ")
    for word in words:
        s = settings.get(word)
        if not s:
            continue
        todo = s.get("todo")
        if fault("todo-dont-strike-ignored") and todo == "dont-strike":
            todo = False
        if fault("todo-by-color") and s.get("color"):
            todo = True
        if todo:
            return True
    return False


def shown(reference, thing, settings):
    """The form of `read`."""
    fields = current(thing)
    done = {"ref": reference, "_id": thing["id"], "title": fields["title"], "tags": fields.get("tags", "")}
    for name in ("date", "url", "html", "archived"):
        if name in fields:
            done[name] = fields[name]
    if fault("todo-not-derived"):
        if "todoStatus" in fields:
            done["todoStatus"] = fields["todoStatus"]
    elif is_todo(done["tags"], settings):
        done["todoStatus"] = fields.get("todoStatus", False)
    return done


def as_new(thing, local_id):
    """The new_thing of a thing."""
    fields = current(thing)
    fields.setdefault("archived", False)
    if fault("create-sends-title-only"):
        fields = {k: fields[k] for k in ("title", "tags", "date") if k in fields}
    if fault("create-without-todo"):
        fields.pop("todoStatus", None)
    if fault("create-without-archived"):
        fields.pop("archived", None)
    return {"local_id": local_id, **forms.thing(_typed(fields))}


def as_change(thing):
    """The changed_thing of a thing: everything, because a server may clear what is left out."""
    fields = current(thing)
    edits = thing["edits"]
    sent = {"_id": thing["id"], **fields, "archived": fields.get("archived", False)}
    for name in ("url", "html"):
        if name in edits and edits[name] == "":
            if fault("change-clears-by-null"):
                sent[name] = None
            elif not fault("change-clears-by-absence"):
                sent[name] = ""
    if fault("change-sends-edits-only"):
        sent = {"_id": thing["id"], "title": fields["title"], "archived": sent["archived"], **edits}
    if fault("change-without-title") and "title" not in edits:
        del sent["title"]
    if fault("change-without-archived") and "archived" not in edits:
        del sent["archived"]
    if fault("change-loses-url") and "url" not in edits:
        if "url" in sent:
            sent["url"] = ""
    if fault("change-with-date-now"):
        sent["date"] = int(time.time())
    if fault("change-empty-tags-left-out") and sent.get("tags") == "":
        sent.pop("tags")
    if fault("change-todo-false-left-out") and sent.get("todoStatus") is False:
        sent.pop("todoStatus")
    if fault("change-with-todo-false") and "todoStatus" not in edits:
        sent["todoStatus"] = False
    if fault("change-with-local-id"):
        sent["_id"] = thing["local"] or sent["_id"]
    if fault("change-clears-by-null"):
        typed = {k: v for k, v in _typed(sent).items()}
        return typed
    return forms.thing(_typed(sent), True)


def _typed(fields):
    if habit("archived-false-left-out") and fields.get("archived") is False:
        fields = {k: v for k, v in fields.items() if k != "archived"}
    if fault("uploaded-text-trimmed"):
        fields = {**fields, "title": fields.get("title", "").strip()}
    if fault("uploaded-text-nfc"):
        import unicodedata

        fields = {k: unicodedata.normalize("NFC", v) if isinstance(v, str) else v for k, v in fields.items()}
    if fault("uploaded-date-rounded") and "date" in fields:
        fields = {**fields, "date": int(fields["date"])}
    if fault("uploaded-tags-sorted") and "tags" in fields:
        fields = {**fields, "tags": " ".join(sorted(fields["tags"].split(" ")))}
    if fault("uploaded-tags-lower-case") and "tags" in fields:
        fields = {**fields, "tags": fields["tags"].lower()}
    return fields


def settings_of(answer):
    """Settings as a server returned them; what is null or absent is false."""
    answer = answer if isinstance(answer, dict) else {}
    done = {k: answer.get(k) if answer.get(k) is not None else False for k in SETTINGS}
    if fault("tags-color-false-as-text") and done["color"] is False:
        done["color"] = "false"
    return done


def effective(tag):
    """Settings of a tag with the edits that wait; `todo` true counts as strike."""
    done = {**settings_of(tag["base"]), **(tag["sent"] or {}), **tag["edits"]}
    if done["todo"] is True:
        done["todo"] = "strike"
    return done


def as_settings(tag):
    """The settings to send: all three, because a server may forget what is left out."""
    if fault("tag-unset-sent-as-false"):
        return {**dict.fromkeys(SETTINGS, False), **tag["edits"]}
    done = {**settings_of(tag["base"]), **tag["edits"]}
    if "todo" not in tag["edits"]:
        if done["todo"] == "strike":
            done["todo"] = True
        elif done["todo"] == "dont-strike":
            del done["todo"]  # true could turn it into strike
    if fault("tag-color-without-hash") and isinstance(done.get("color"), str):
        done["color"] = done["color"].lstrip("#")
    if habit("settings-members-sorted"):
        done = dict(sorted(done.items()))
    return done
