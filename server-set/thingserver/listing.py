"""What a sync returns: the listing of an account, its pages and the form of the response."""

import random
import time
import zlib

from .switches import fault, legal

SNAPSHOT_SECONDS = 900
SHARED_SNAPSHOTS = {}  # snapshots of all users (a fault)


def app_of(sid):
    """Session IDs begin with the client ID."""
    return sid.split("-")[0]


def _order(account, things):
    if fault("page-order-random"):
        random.shuffle(things)
        return things
    if legal("order-created"):
        return sorted(things, key=lambda t: (t["born"], t["id"]))
    if legal("order-hash"):
        return sorted(things, key=lambda t: zlib.crc32(t["id"].encode()))
    if legal("order-newest"):
        return sorted(things, key=lambda t: -t["pos"])
    if legal("order-title"):
        return sorted(things, key=lambda t: (t["title"], t["id"]))
    if fault("order-date"):
        return sorted(things, key=lambda t: (t["date"] or 0, t["id"]))
    return sorted(things, key=lambda t: t["pos"])


def _visible(account, thing, sid, from_):
    """Faults that hide things from a listing."""
    full = not from_
    if fault("archived-hidden") and full and thing["archived"]:
        return False
    if fault("archived-hidden-later") and not full and thing["archived"]:
        return False
    if fault("list-untagged") and full and not thing["tags"]:
        return False
    if fault("list-future") and thing["date"] is not None and thing["date"] > time.time() + 60:
        return False
    if fault("list-old") and thing["date"] is not None and thing["date"] <= 0:
        return False
    if fault("list-done") and full and account.is_todo(thing) and thing["todo"]:
        return False
    if fault("list-empty-title") and not thing["title"]:
        return False
    if fault("own-never-full") and full and thing["by"] == sid:
        return False
    if fault("own-hides-next") and not full and thing["by"] == sid:
        return False
    if fault("list-created-only") and not full and thing["born"] <= from_:
        return False
    if fault("list-changed-only") and not full and thing["born"] > from_ and thing["pos"] == thing["born"]:
        return False
    if fault("list-by-creation-date") and not full and thing["date"] is not None and thing["date"] < time.time() - 1e6:
        return False
    if fault("skip-id-remembered") and thing["id"] in account.skipped.get(sid, ()):
        return False
    return True


def _listing(account, sid, from_, done):
    """The whole listing: rendered things and deleted IDs, with its position and tags."""
    full = not from_ or (from_ > account.counter and not fault("from-beyond-nothing"))
    if fault("from-zero-nothing") and from_ == 0:
        full = False
    floor = 0 if full and not (fault("from-zero-nothing") and from_ == 0) else (from_ or 0)
    if fault("from-zero-nothing") and from_ == 0:
        floor = account.counter
    if fault("from-inclusive") and floor:
        floor -= 1
    if fault("from-next") and floor:
        floor += 1
    if fault("from-ignored") and floor:
        floor = 0
    things = [t for t in account.things.values() if (t["pos"] > floor or full) and _visible(account, t, sid, floor)]
    gone = account.gone
    if not legal("own-echo"):
        hidden = done.own
        if fault("own-hides-others"):
            things = [t for t in things if t["id"] not in hidden]
        else:
            things = [t for t in things if t["id"] not in hidden or t["other"] > floor]
    things = _order(account, things)
    if full and not legal("tombstones-in-full"):
        deleted = []
    else:
        deleted = [i for i, g in sorted(gone.items(), key=lambda x: x[1]["pos"]) if g["pos"] > floor
                   and (g["born"] <= floor or full or legal("created-deleted-listed"))]
    if fault("delete-once"):
        deleted = [i for i in deleted if i not in account.seen_gone]
        account.seen_gone.update(deleted)
    if fault("delete-other-app"):
        deleted = [i for i in deleted if app_of(gone[i]["by"]) == app_of(sid)]
    if not legal("own-echo"):
        deleted = [i for i in deleted if i not in done.deleted]
    if fault("archived-as-deleted") and not full:
        deleted += [t["id"] for t in things if t["archived"]]
        things = [t for t in things if not t["archived"]]
    rendered = [account.render(t) for t in things]
    if fault("delete-both") and not full:
        rendered += [{"_id": i, "title": "", "tags": "", "date": 0} for i in deleted]
    if fault("delete-blank-thing") and not full:
        rendered += [{"_id": i, "title": "", "tags": "", "date": 0, "deleted": True} for i in deleted]
        deleted = []
    if fault("list-light") and not full:
        for thing in rendered:
            thing.pop("html", None)
    if fault("list-joined"):
        rendered = [t for t in rendered for _ in range(max(1, len((t.get("tags") or "").split())))]
    if fault("list-same-title"):
        rendered = list({t.get("title"): t for t in rendered}.values())
    if fault("list-same-date"):
        rendered = list({t.get("date"): t for t in rendered}.values())
    if fault("list-cap"):
        rendered = rendered[:100]
    if fault("list-cap-later") and not full:
        rendered = rendered[:50]
    if fault("list-cap-deleted"):
        deleted = deleted[:20]
    return {"pos": account.counter, "changed": rendered, "deleted": deleted, "tags": _tags(account, floor, full),
            "time": time.monotonic()}


def _tags(account, floor, full):
    result = {}
    for name, entry in account.settings.items():
        special = bool(entry["color"]) or bool(entry["todo"])
        if fault("tag-full-no-color"):
            special = bool(entry["todo"])
        if fault("tag-full-no-todo"):
            special = bool(entry["color"])
        favorite = entry["favorite"] and not fault("tag-full-no-favorite")
        if fault("tag-full-favorite-only"):
            special = False
        if fault("tag-full-used") and full and not any(name in t["tags"].split() for t in account.things.values()):
            continue
        wanted = favorite or special or legal("tags-all-in-full") if full else entry["pos"] > floor
        if fault("tag-later-all") and not full:
            wanted = True
        if fault("tag-later-never") and not full:
            wanted = False
        if fault("tag-later-special") and not full and not (favorite or special):
            wanted = False
        if wanted:
            result[name] = account.render_tag(entry)
    if fault("tag-cap"):
        result = dict(list(result.items())[:20])
    return result


def _snapshot(account, sid, upload, done):
    """The listing of this request, from the session's snapshot where it is a later page."""
    fresh = lambda: _listing(account, sid, upload.from_, done)
    paged = upload.limit is not None or upload.skip
    if not paged or legal("pages-live") or fault("page-order-random"):
        return fresh()
    key = (sid, upload.from_ or 0)
    if fault("page-snapshot-session"):
        key = (sid, 0)
    if fault("page-snapshot-from"):
        key = ("", upload.from_ or 0)
    shared = SHARED_SNAPSHOTS if fault("page-snapshot-from") else account.snapshots
    kept = shared.get(key)
    if kept and (upload.skip or fault("page-snapshot-kept")) and time.monotonic() - kept["time"] < SNAPSHOT_SECONDS:
        return dict(kept, pos=account.counter) if fault("page-pos-current") else kept
    kept = fresh()
    shared.pop(key, None)
    shared[key] = kept
    mine = [k for k in shared if k[0] == key[0]]
    for old in mine[:-16]:
        shared.pop(old)
    return kept


def _page(listing, upload):
    """The part that skip and limit name, as (changed, deleted)."""
    changed, deleted = listing["changed"], listing["deleted"]
    entries = [("d", d) for d in deleted] + [("c", c) for c in changed] if legal("deleted-first") else \
        [("c", c) for c in changed] + [("d", d) for d in deleted]
    skip, limit = upload.skip, upload.limit
    if fault("skip-ignored"):
        skip = 0
    if fault("limit-ignored"):
        limit = None
    if fault("limit-zero") and limit == 0:
        limit = None
    if fault("skip-page") and limit:
        skip *= limit
    if fault("skip-one-more") and skip:
        skip += 1
    if fault("skip-one-less") and skip:
        skip -= 1
    if fault("limit-one-more") and limit:
        limit += 1
    if fault("limit-cap") and limit is not None:
        limit = min(limit, 10)
    if fault("limit-default") and limit is None and skip:
        limit = 10
    if fault("limit-is-end") and limit is not None:
        return _split(entries[skip:limit])
    if fault("limit-needs-two") and (limit is None) != (not upload.skip):
        return _split(entries)
    if fault("page-deleted-each") and (limit is not None or skip):
        things = [("c", c) for c in changed]
        return _split(things[skip:][:limit] + [("d", d) for d in deleted])
    if fault("page-deleted-never") and (limit is not None or skip):
        entries = [("c", c) for c in changed]
    if fault("page-deleted-first-only") and (limit is not None or skip):
        things = [("c", c) for c in changed]
        return _split(things[skip:][:limit] + ([("d", d) for d in deleted] if not skip else []))
    if legal("upload-lists-nothing") and (limit is not None or skip) and (upload.new or upload.changed or upload.deleted):
        return [], []
    return _split(entries[skip:] if limit is None else entries[skip:skip + limit])


def _split(entries):
    return [e for k, e in entries if k == "c"], [e for k, e in entries if k == "d"]


def respond(account, sid, upload, done):
    listing = _snapshot(account, sid, upload, done)
    if upload.skip_ids:
        shown = lambda i: i not in upload.skip_ids
        listing = dict(listing)
        listing["changed"] = [t for t in listing["changed"] if shown(t.get("_id"))]
        if not fault("skip-id-changed-only"):
            listing["deleted"] = [i for i in listing["deleted"] if shown(i)]
        account.skipped.setdefault(sid, set()).update(upload.skip_ids)
    missing = [i for i in done.missing if i not in listing["deleted"] and i not in upload.skip_ids]
    if legal("unknown-id-ignored"):
        missing = []
    listing = dict(listing, deleted=listing["deleted"] + missing)
    changed, deleted = _page(listing, upload)
    total = len(done.new) + len(listing["changed"]) + len(listing["deleted"])
    count = _count(account, upload, done, listing, changed, deleted, total)
    tags = dict(listing["tags"])
    paged = upload.limit is not None or upload.skip
    if legal("tags-first-page") and upload.skip:
        tags = {}
    if fault("tag-not-paged") and paged:
        tags = {}
    for name in done.tags:
        if name in account.settings and not fault("tag-own-absent"):
            tags[name] = account.render_tag(account.settings[name])
    things = {}
    if done.new or fault("new-empty"):
        things["new"] = _new_map(upload, done)
    if fault("new-empty-later") and (upload.changed or upload.deleted) and not done.new:
        things["new"] = {}
    if changed:
        things["changed"] = changed
    if deleted:
        things["deleted"] = deleted
    return _shape(listing["pos"], count, tags, things, upload)


def _count(account, upload, done, listing, changed, deleted, total):
    if fault("count-page"):
        return len(done.new) + len(changed) + len(deleted)
    if fault("count-after-skip"):
        return max(0, total - upload.skip)
    if fault("count-limit") and upload.limit is not None:
        return min(total, upload.limit)
    if fault("count-no-deleted"):
        return total - len(listing["deleted"])
    if fault("count-no-new"):
        return total - len(done.new)
    if fault("count-account"):
        return len(account.things)
    if fault("count-tags"):
        return total + len(listing["tags"])
    if fault("count-cap"):
        return min(total, 99)
    if fault("count-twice"):
        return total + len(done.new)
    if fault("count-skip-id") and upload.skip_ids:
        return total + len(upload.skip_ids)
    return total


def _new_map(upload, done):
    result = dict(done.new)
    if fault("new-map-limit") and upload.limit is not None:
        result = dict(list(result.items())[: upload.limit])
    if fault("new-map-cap"):
        result = dict(list(result.items())[:25])
    if fault("new-map-list"):
        return list(result.values())
    if fault("new-map-php") and list(result) == [str(i) for i in range(len(result))]:
        return list(result.values())
    if fault("new-map-reversed"):
        return {v: k for k, v in result.items()}
    if fault("new-map-proto"):
        result.pop("__proto__", None)
    if fault("new-map-sorted"):  # keys and IDs come apart
        return dict(zip(sorted(result), result.values()))
    if fault("new-map-objects"):
        return {k: {"_id": v} for k, v in result.items()}
    if fault("new-map-prefix"):
        return {k: "t-" + v for k, v in result.items()}
    if fault("new-map-first"):
        return dict(list(result.items())[:1])
    return result


def _shape(pos, count, tags, things, upload):
    """Faults and freedoms of the form of a response."""
    if fault("changed-map") and "changed" in things:
        things["changed"] = {t["_id"]: t for t in things["changed"]}
    if fault("changed-single") and len(things.get("changed", ())) == 1:
        things["changed"] = things["changed"][0]
    if fault("changed-flat") and "changed" in things:
        things["items"] = things.pop("changed")
    if fault("deleted-objects") and "deleted" in things:
        things["deleted"] = [{"_id": i} for i in things["deleted"]]
    if fault("deleted-text") and "deleted" in things:
        things["deleted"] = ",".join(things["deleted"])
    if fault("deleted-map") and "deleted" in things:
        things["deleted"] = {i: True for i in things["deleted"]}
    if fault("things-empty-arrays"):
        things = {"changed": [], "deleted": [], **things}
    if fault("tags-list") and tags:
        tags = [{"name": n, **s} for n, s in tags.items()]
    if fault("tags-php") and tags and list(tags) == [str(i) for i in range(len(tags))]:
        tags = list(tags.values())
    if fault("pos-next"):
        pos += 1
    if fault("pos-text"):
        pos = str(pos)
    if fault("pos-fraction"):
        pos = pos + 0.5
    response = {"pos": pos}
    if fault("pos-absent-nothing") and not (count or tags or things):
        response = {}
    if fault("pos-absent-upload") and (upload.new or upload.changed or upload.deleted):
        response = {}
    if fault("pos-absent-page") and upload.skip:
        response = {}
    if count or fault("count-zero"):
        response["thingCount"] = str(count) if fault("count-text") else count
    if fault("count-absent-one") and count == 1:
        del response["thingCount"]
    if tags or fault("tags-empty"):
        response["tags"] = tags
    if things or fault("things-empty"):
        response["things"] = things
    if fault("things-null"):
        response.setdefault("things", None)
    if legal("key-order"):
        response = dict(reversed(list(response.items())))
    if legal("extra-in-sync"):
        response.update(status="ok", serverTime=1.5, user={"id": None})
    return response
