"""The operation sync: apply an upload, then list."""

import contextlib
import copy
import threading
import time

from .errors import ApiError, invalid
from .listing import respond
from .params import Upload
from .switches import fault, legal

def sync(store, account, session, params, method):
    """The response body."""
    sid = session["sid"]
    upload = Upload(params, method)
    unlocked = fault("race-counter") or fault("race-account")
    if fault("race-account") and (upload.new or upload.changed or upload.deleted or upload.tags):
        return _whole_account(store, account, sid, upload)
    with contextlib.nullcontext() if unlocked else account.lock:
        response = _locked(store, account, sid, upload, params)
    if fault("race-pos-late"):
        time.sleep(0.04)
        response["pos"] = account.counter
    return response


def _whole_account(store, account, sid, upload):
    """Read everything, work on the copy, write everything back: the last one wins (a fault)."""
    parts = ("things", "gone", "settings", "counter")
    with account.lock:
        kept = {p: copy.deepcopy(getattr(account, p)) for p in parts}
    time.sleep(0.03)
    with account.lock:
        for part in parts:
            setattr(account, part, kept[part])
        return _locked(store, account, sid, upload, None)


def _locked(store, account, sid, upload, params):
    if fault("from-beyond-error") and upload.from_ and upload.from_ > account.counter:
        raise invalid("from is unknown")
    before = account.counter
    _check(account, upload)
    writes = bool(upload.new or upload.changed or upload.deleted or upload.tags)
    if fault("race-write-behind") and writes and not upload.new:
        def later():
            time.sleep(0.15)
            with account.lock:
                _apply(account, sid, upload)
                store.commit(account)
        threading.Thread(target=later, daemon=True).start()
        applied = Applied()
    else:
        applied = _apply(account, sid, upload)
    if legal("pos-moves") and not writes:
        account.touch()
    response = respond(account, sid, upload, applied)
    if fault("pos-before-upload") and writes:
        response["pos"] = before
    if account.dirty:
        store.commit(account)
    return response


def _check(account, upload):
    if legal("unknown-id-error"):
        for ident in [i for i, _ in upload.changed] + list(upload.deleted):
            if ident not in account.things:
                raise ApiError(404, "not_found", f"{ident} is not the _id of a thing")
    if fault("delete-unknown-error"):
        for ident in upload.deleted:
            if ident not in account.things:
                raise ApiError(404, "not_found", f"{ident} is not the _id of a thing")
    quota = len(set(account.settings) | set(upload.tags))
    if quota > 10000 and quota > len(account.settings):
        raise ApiError(413, "too_large", "This account may have at most 10000 tags with settings")


class Applied:
    def __init__(self):
        self.new, self.own, self.deleted, self.missing, self.tags = {}, set(), set(), [], set()


def _retry(account, sid, upload, key, fields):
    """The _id of the thing that this new thing repeats, or None."""
    if fault("retry-title"):
        for thing in account.things.values():
            if thing["title"] == fields["title"] and thing["by"] == sid:
                return thing["id"]
    if fault("retry-url") and fields.get("url"):
        for thing in account.things.values():
            if thing["url"] == fields["url"]:
                return thing["id"]
    if legal("retry-none"):
        return None
    if fault("retry-any-from"):
        entry = account.retries.get(sid, {}).get("0", {}).get(key)
        return entry["id"] if entry else None
    if fault("retry-user-wide"):
        entry = account.retries.get("all", {}).get("0", {}).get(key)
        return entry["id"] if entry else None
    if upload.from_ is None:
        return None
    place = "all" if fault("user-shared-retries") else sid
    entry = account.retries.get(place, {}).get(str(upload.from_), {}).get(key)
    if not entry:
        return None
    same = (entry["title"] == fields["title"]
            or entry["url"] and entry["url"] == fields.get("url")
            or entry["date"] is not None and entry["date"] == fields.get("date"))
    return entry["id"] if same or fault("retry-any-title") else None


def _remember(account, sid, upload, key, ident, fields):
    place, where = sid, str(upload.from_)
    if fault("retry-any-from"):
        where = "0"
    elif fault("retry-user-wide"):
        place, where = "all", "0"
    elif upload.from_ is None:
        return
    elif fault("user-shared-retries"):
        place = "all"
    entry = {"id": ident, "title": fields["title"], "url": fields.get("url", ""), "date": fields.get("date")}
    account.retries.setdefault(place, {}).setdefault(where, {})[key] = entry
    account.dirty.append(["retry", place, where, key, entry])


def _forget_retries(account, sid, upload):
    if fault("retry-any-from") or fault("retry-user-wide"):
        return
    known = account.retries.get(sid)
    if not known:
        return
    if upload.from_ is not None:
        for where in [w for w in known if int(w) < upload.from_]:
            del known[where]
            account.dirty.append(["retry", sid, where, None, None])
    named = {i for i, _ in upload.changed} | set(upload.deleted) | upload.skip_ids
    if named and not fault("retry-named"):
        for where, entries in known.items():
            for key in [k for k, e in entries.items() if e["id"] in named]:
                del entries[key]
                account.dirty.append(["retry", sid, where, key, None])


def _apply(account, sid, upload):
    done = Applied()
    _forget_retries(account, sid, upload)

    def create():
        for key, fields in upload.new:
            ident = _retry(account, sid, upload, key, fields)
            if ident is not None and (ident in account.things or ident in account.gone or fault("user-shared-retries")):
                if fault("retry-no-change") or fault("user-shared-retries"):
                    pass
                elif ident in account.things:
                    if not fault("retry-user-wide") and not fault("retry-any-from"):
                        account.change(ident, fields, sid)
                    done.own.add(ident)
                else:
                    done.missing.append(ident)
            else:
                if fault("new-limit-not-created") and upload.limit is not None and len(done.new) >= upload.limit:
                    continue
                ident = account.create(fields, sid)
                _remember(account, sid, upload, key, ident, fields)
                done.own.add(ident)
            done.new[key] = ident

    def change():
        for ident, fields in upload.changed:
            if ident in account.things:
                account.change(ident, fields, sid)
                done.own.add(ident)
            elif fault("change-unknown-creates") and ident not in account.gone:
                account.create(fields, sid)
            elif fault("change-revives-quietly") and ident in account.gone:
                _revive(account, ident, fields, sid, False)
            elif (legal("change-revives") or fault("change-revives-new")) and ident in account.gone:
                _revive(account, ident, fields, sid, True)
            elif fault("change-stops"):
                return
            elif legal("unknown-id-ignored"):
                pass
            elif fault("change-gone-silent") and ident in account.gone:
                pass
            elif ident not in done.missing:
                done.missing.append(ident)

    def delete():
        for ident in upload.deleted:
            if fault("delete-stops") and ident not in account.things:
                return
            account.delete(ident, sid)
            done.deleted.add(ident)

    def tags():
        for name, given in upload.tags.items():
            account.set_tag(name, given)
            done.tags.add(name)

    steps = [create, change, delete, tags]
    if fault("order-delete-first"):
        steps = [delete, create, change, tags]
    for step in steps:
        step()
    return done


def _revive(account, ident, fields, sid, visible):
    old = account.gone[ident]
    kept = account.counter
    if fault("change-revives-new"):  # under another _id, at a position that clients already have
        new = account.create(fields, sid)
        account.things[new]["pos"] = old["pos"]
        return
    thing_fields = {"title": "", **fields}
    account.gone.pop(ident)
    account.dirty.append(["gone", ident, None])
    new = account.create(thing_fields, sid)
    thing = account.things.pop(new)
    thing.update(id=ident, born=old["born"], other=old["pos"] if old["by"] != sid else 0)
    if not visible:
        thing["pos"] = old["pos"]
        account.counter = kept
    account.things[ident] = thing
    account.save(new)
    account.save(ident)
