"""The operations beside token and sync."""

import re

from .errors import ApiError, invalid
from .params import _fields, whole_of
from .switches import fault
from .values import boolean


def _not_found():
    return ApiError(404, "not_found", "_id is not the _id of a thing of this user")


def _commit(store, account):
    if account.dirty:
        store.commit(account)


def thing_add(store, account, session, params):
    raw = {n: params.get(n) for n in ("title", "tags", "date", "url", "html", "archived", "todoStatus")}
    if raw["title"] is None:
        raise invalid("title is required")
    fields = _named(raw)
    unique = params.get("prevent_duplicate")
    unique = unique is not None and boolean(unique, "prevent_duplicate") and not fault("add-duplicate-ignored")
    with account.lock:
        if not fields.get("url") and re.fullmatch(r"https?://[^\s/]\S*", fields["title"], re.I) and not fault("add-no-url"):
            fields["url"] = fields["title"]
        if unique and fields.get("url"):
            for thing in account.things.values():
                if thing["url"] == fields["url"]:
                    if fault("add-duplicate-silent"):
                        return account.render(thing)
                    return dict(account.render(thing), duplicate=True)
        if unique and fault("add-duplicate-title"):
            for thing in account.things.values():
                if thing["title"] == fields["title"]:
                    return dict(account.render(thing), duplicate=True)
        kept = account.counter
        ident = account.create(fields, session["sid"])
        if fault("add-no-pos"):
            account.things[ident]["pos"] = 0
            account.counter = kept
        _commit(store, account)
        return {"_id": ident} if fault("add-id-only") else account.render(account.things[ident])


def _named(raw):
    """As `_fields`, with names of parameters in the errors."""
    try:
        return _fields(raw, "")
    except ApiError as error:
        raise ApiError(error.status, error.code, error.description.replace(".", "", 1))


def thing_change(store, account, session, params):
    ident = params.get("_id")
    if not isinstance(ident, str):
        raise invalid("_id is required")
    fields = _named({n: params.get(n) for n in ("title", "tags", "date", "url", "html", "archived", "todoStatus")})
    with account.lock:
        holder = account
        if ident not in account.things and fault("change-other-user"):
            holder = next((a for a in store.accounts.values() if ident in a.things), account)
        thing = holder.things.get(ident)
        if thing is None:
            if fault("change-unknown-ok"):
                return {"_id": ident}
            raise _not_found()
        if fault("thing-change-clears"):
            fields = {"tags": "", "url": "", "html": "", **fields}
        if "archived" not in fields and not fault("thing-change-unarchives"):
            fields["archived"] = thing["archived"]
        if fault("thing-change-needs-title") and "title" not in fields:
            raise invalid("title is required")
        if fault("thing-change-no-pos"):
            holder.merge(thing, fields)
            holder.save(ident)
        else:
            holder.change(ident, fields, session["sid"])
        _commit(store, holder)
        return {"_id": ident} if fault("thing-change-id-only") else holder.render(thing)


def thing_delete(store, account, session, params):
    ident = params.get("_id")
    if not isinstance(ident, str):
        raise invalid("_id is required")
    with account.lock:
        if ident not in account.things:
            if fault("thing-delete-unknown-ok"):
                return {"deleted_thing": ident}
            raise _not_found()
        account.delete(ident, session["sid"])
        if fault("thing-delete-no-tombstone"):
            account.gone.pop(ident)
        _commit(store, account)
    return {} if fault("thing-delete-empty") else {"deleted_thing": ident}


def things_get(store, account, session, params):
    archived, tag = params.get("archived"), params.get("tag")
    skip, limit = whole_of(params, "skip") or 0, whole_of(params, "limit")
    if archived != "include":
        archived = archived is not None and boolean(archived, "archived")
    with account.lock:
        things = sorted(account.things.values(), key=lambda t: t["pos"])
        if fault("things-archived-default"):
            archived = "include"
        if fault("things-include-ignored") and archived == "include":
            archived = False
        if fault("things-only-archived") and archived is True:
            archived = "include"
        if archived != "include":
            things = [t for t in things if t["archived"] == archived]
        if tag is not None and not fault("things-tag-ignored"):
            if fault("things-tag-part"):
                things = [t for t in things if tag in t["tags"]]
            elif fault("things-tag-case"):
                things = [t for t in things if tag.lower() in t["tags"].lower().split(" ")]
            else:
                things = [t for t in things if tag in t["tags"].split(" ")]
        if fault("things-skip-ignored"):
            skip = 0
        if fault("things-limit-ignored"):
            limit = None
        result = [account.render(t) for t in things[skip:][:limit]]
    return {"things": result} if fault("things-wrapped") else result


def tags_get(store, account, session, params):
    from_ = whole_of(params, "from")
    with account.lock:
        favorite, other = {}, {}
        if from_ is None or from_ != account.counter or account.counter == 0 or fault("tags-get-always"):
            for name, entry in account.settings.items():
                if entry["favorite"] and not fault("tags-get-used-only"):
                    favorite[name] = 0
            for thing in account.things.values():
                if fault("tags-get-no-archived") and thing["archived"]:
                    continue
                words = thing["tags"].split(" ")
                for word in words if fault("tags-get-repeated") else dict.fromkeys(words):
                    if word:
                        liked = account.settings.get(word, {}).get("favorite") and not fault("tags-get-no-favorite")
                        target = favorite if liked else other
                        target[word] = target.get(word, 0) + 1
        response = {"pos": account.counter, "favorite": favorite, "other": other}
    if fault("tags-get-no-pos"):
        del response["pos"]
    return response


def user_get(store, account, session, params):
    with account.lock:
        count = len([t for t in account.things.values() if not (fault("user-get-no-archived") and t["archived"])])
        response = {"username": account.name, "date": account.created, "pos": account.counter, "thingCount": count}
    if fault("user-get-gone-counted"):
        response["thingCount"] += len(account.gone)
    if fault("user-get-no-date"):
        del response["date"]
    if fault("user-get-client"):
        response["username"] = session["client"]
    return response


def test(store, account, session, params):
    return {"user": "ok" if fault("test-no-name") else account.name}


def _mine(store, session, other):
    if fault("session-other-user"):
        return True
    return other["user"] == session["user"] and other["client"] == session["client"]


def session_list(store, account, session, params):
    found = [s for s in list(store.sessions.values()) if _mine(store, session, s)]
    if fault("session-list-current"):
        found = [session]
    result = []
    for other in reversed(found):
        entry = {"id": other["sid"].replace("-", ""), "kind": "app", "current": other is session,
                 "date": other["began"], "name": other["client"], "client_id": other["client"], "began": "password"}
        if fault("session-list-tokens"):
            entry["refresh"] = other["gens"][-1]["refresh"]
        result.append(entry)
    return result


def session_revoke(store, account, session, params):
    ident = params.get("id")
    if not isinstance(ident, str):
        raise invalid("id is required")
    for other in list(store.sessions.values()):
        if other["sid"].replace("-", "") == ident and _mine(store, session, other):
            if not fault("session-revoke-nothing"):
                store.end_session(other["sid"])
            return {"revoked_session": ident}
    if fault("session-revoke-unknown"):
        return {"revoked_session": ident}
    raise ApiError(404, "not_found", "id is not the id of a session")


OPERATIONS = {
    "thing/add": (("POST",), thing_add), "thing/change": (("POST",), thing_change), "thing/delete": (("POST",), thing_delete),
    "things/get": (("GET",), things_get), "tags/get": (("GET",), tags_get), "user/get": (("GET",), user_get),
    "test": (("GET", "POST"), test), "session/list": (("GET",), session_list), "session/revoke": (("POST",), session_revoke),
}
