"""Checks of positions, listings, pages, skip_id, users, races and transport."""

import http.client
import threading
import time

from .client import CLIENT, FORM, OTHER, Session, check_error, check_sync, same


def empty(server):
    s = server.login("bob")
    r = s.get()
    if not r.changed and "pos-starts-high" not in server.args:
        assert set(r.raw) <= {"pos", "tags", "status", "serverTime", "user"}, r.raw
    s.create({"title": "first"})
    pos = s.pos()
    r = s.get(from_=pos)
    assert r.count == 0 and not r.changed and not r.deleted and not r.tags, r.raw


def positions(server):
    a, b = server.login(), server.login()
    x, y = a.create({"title": "x", "tags": "one two"}, {"title": "y"})
    positions = []
    for i in range(8):
        before = b.pos()
        s = a if i % 2 else b
        r = s.post([("changed_thing", {"_id": x, "title": f"v{i}", "tags": "one two"})], from_=before)
        positions.append(r.pos)
        r = b.get(from_=before)
        same(set(r.by_id), {x})
        same(r.by_id[x]["title"], f"v{i}")
        same(r.count, 1)
        r = b.post([("from", str(before))])
        same(set(r.by_id), {x})
        r = b.get(from_=r.pos)
        same(r.total(), 0)
    for pos in positions[:-1]:
        same(set(b.get(from_=pos).by_id), {x})
    before = a.pos()
    r = a.post([("new_thing", {"local_id": 1, "title": "n"})], new=["1"], from_=before)
    assert r.pos != before
    same(r.count, r.total())
    new = r.new["1"]
    r2 = b.get(from_=before)
    same(set(r2.by_id), {new})
    same(r2.count, 1)
    assert not b.get(from_=r2.pos).changed
    other = server.login(app=OTHER)
    full = other.get()
    assert {x, y, new} <= set(full.by_id) and other.get(from_=0).by_id.keys() == full.by_id.keys()
    same(full.count, full.total())
    r = other.get(from_=before)
    assert new in r.by_id
    pos = a.pos()
    extra = a.create({"title": "future", "date": 4e9}, {"title": "done", "tags": "dtodo", "todoStatus": True}, {"title": "u", "date": 0})
    a.post([("tag[dtodo]", {"favorite": False, "color": False, "todo": True})], from_=0)
    full = a.get(from_=0)
    assert set(extra) <= set(full.by_id)
    r = b.get(from_=pos)
    same(set(r.by_id), set(extra))
    # each change follows the returned position
    follow = b.pos()
    for i in range(60):
        a.post([("changed_thing", {"_id": y, "title": f"f{i}"})], from_=0)
        r = b.get(from_=follow)
        same(r.by_id.get(y, {}).get("title"), f"f{i}")
        follow = r.pos
    # the same seconds: many quick changes
    ids = a.create(*[{"title": str(i)} for i in range(3)])
    follow = b.pos()
    for ident in ids:
        a.post([("deleted_thing", ident)], from_=0)
        r = b.get(from_=follow)
        same(r.deleted, [ident])
        follow = r.pos


def users(server):
    a, b = server.login(), server.login("bob")
    ida, idb = a.create({"title": "of alice"})[0], b.create({"title": "of bob"})[0]
    pa, pb = a.pos(), b.pos()
    a.get()
    full = b.get()
    titles = lambda r: [t["title"] for t in r.changed]
    assert "of alice" not in titles(full) and "of bob" in titles(full) and "of bob" not in titles(a.get())
    if "id-numbers" not in server.args and "id-exponent" not in server.args:
        for attempt in ([("changed_thing", {"_id": ida, "title": "stolen"})], [("deleted_thing", ida)]):
            body = "&".join(f"{k}={v if isinstance(v, str) else __import__('urllib.parse').parse.quote(__import__('json').dumps(v))}" for k, v in attempt)
            b.call("POST", "sync", body, {"Content-Type": FORM})
        same(a.state(ida)["title"], "of alice")
    a.post([("tag[alicetag]", {"favorite": True, "color": False, "todo": False})])
    assert "alicetag" not in b.get().tags
    other = server.login(app=OTHER)
    assert ida in other.get().by_id
    gone = a.create({"title": "gone"})[0]
    if "pos-time" not in server.args:  # the positions of both users near each other
        b.create(*[{"title": "many"}] * max(1, min(2000, int(a.pos() - b.pos() + 5))))
    pos = b.pos()
    a.create(*[{"title": "many"}] * max(1, min(2000, int(pos - a.pos() + 5))))
    a.post([("deleted_thing", gone)])
    assert gone not in b.get(from_=0).deleted and gone not in b.get(from_=pos).deleted
    same(a.get(limit=2).total(), 2)
    page = b.get(limit=2)
    rest = b.get(skip=2, limit=100)
    mine = set(b.get().by_id)
    assert set(page.by_id) | set(rest.by_id) <= mine
    a.get(limit=1, from_=0)
    assert set(b.get(skip=1).by_id) <= mine
    # two users, the same local_id
    r1 = a.post([("new_thing", {"local_id": "u", "title": "same"})], new=["u"], from_=0)
    r2 = b.post([("new_thing", {"local_id": "u", "title": "same"})], new=["u"], from_=0)
    assert r1.new["u"] in a.get().by_id and r2.new["u"] in b.get().by_id


def pages(server):
    a, s = server.login(), server.login()
    start = a.pos()
    ids = a.create(*[{"title": f"p{i:02}", "tags": "t"} for i in range(17)])
    mid = a.pos()
    more = a.create(*[{"title": f"q{i:02}"} for i in range(13)])
    gone = ids[:3]
    a.post([("deleted_thing", gone)])
    changed = ids[3:] + more
    for frm in (mid, 0):
        whole = s.get(from_=frm)
        for mode in ("get", "post"):
            for size in (1, 9, 50, 300):
                call = s.get if mode == "get" else lambda **q: s.post([(k.rstrip("_"), str(v)) for k, v in q.items()])
                seen_c, seen_d, skip = [], [], 0
                while True:
                    page = call(from_=frm, limit=size, skip=skip) if skip else call(from_=frm, limit=size)
                    assert len(page.changed) + len(page.deleted) <= size, "limit"
                    same(page.count, whole.count)
                    if page.total() == 0 or skip > 20000:
                        break
                    seen_c += list(page.by_id)
                    seen_d += page.deleted
                    skip += size
                    if size == 1 and skip > 4:
                        break
                if size > 1:
                    same(sorted(seen_c), sorted(whole.by_id))
                    same(sorted(seen_d), sorted(whole.deleted))
                same(len(set(seen_c + seen_d)), len(seen_c + seen_d))
    assert set(s.get(from_=mid).deleted) == set(gone)
    first = s.get(from_=mid, limit=100)
    second = s.get(from_=mid, skip=5)
    same(second.total(), first.total() - 5)
    same(s.get(from_=mid, limit=4).total(), 4)
    # pages of two listings beside each other
    one = s.get(from_=mid, limit=4)
    s.get(from_=start, limit=4)
    rest = s.get(from_=mid, limit=100, skip=4)
    same(one.total() + rest.total(), first.total())
    # writes between pages: what the position of a page says
    frm = s.pos()
    a.post([("changed_thing", [{"_id": i, "title": "w"} for i in more])])
    p1 = s.get(from_=frm, limit=6)
    a.post([("changed_thing", [{"_id": i, "title": "w2"} for i in list(p1.by_id)[:2]])])
    p2 = s.get(from_=frm, limit=100, skip=6)
    if "pages-live" not in server.args:
        known = {**p1.by_id, **p2.by_id, **s.get(from_=p2.pos).by_id}
        same({i: known[i]["title"] for i in more}, {i: s.state(i)["title"] for i in more})
        same(p1.pos, p2.pos)
    p1 = s.get(from_=frm, limit=6)
    assert p1.pos > frm
    after = a.create({"title": "after"})[0]
    p1 = s.get(from_=frm, limit=100)
    assert after in p1.by_id
    # an upload with a page
    r = s.post([("new_thing", [{"local_id": i, "title": f"up{i}"} for i in range(3)])], new=list("012"), from_=frm, limit=1)
    r = s.post([("new_thing", [{"local_id": i, "title": f"uq{i}"} for i in range(3)])], new=list("012"), from_=frm + 0, limit=1, skip=2)
    titles = [t["title"] for t in s.get().changed]
    assert all(f"up{i}" in titles and f"uq{i}" in titles for i in range(3))


def skip_id(server):
    a, s = server.login(), server.login()
    pos = a.pos()
    x, y, z = a.create({"title": "x"}, {"title": "y"}, {"title": "z"})
    for pairs, hidden in (([("skip_id", x)], {x}), ([("skip_id[]", x), ("skip_id[]", y)], {x, y})):
        r = s.post(pairs, from_=pos)
        same(set(r.by_id), {x, y, z} - hidden)
        same(set(s.get(from_=pos).by_id), {x, y, z})
    r = s.post([("skip_id", x), ("changed_thing", {"_id": x, "title": "changed"})])
    same(s.state(x)["title"], "changed")
    a.post([("changed_thing", {"_id": x, "title": "later"})])
    same(s.get(from_=pos).by_id[x]["title"], "later")
    pos = a.pos()
    a.post([("deleted_thing", [x, y])])
    r = s.post([("skip_id", x)], from_=pos)
    same(r.deleted, [y])
    r = s.post([("skip_id[]", x), ("skip_id[]", y)], from_=pos)
    same(r.deleted, [])
    same(sorted(s.get(from_=pos).deleted), sorted([x, y]))


def transport(server):
    s = server.login()
    thing = b"new_thing=%7B%22local_id%22%3A1%2C%22title%22%3A%22one+two%22%7D"
    for kind in (FORM + "; charset=UTF-8", FORM + ";charset=utf-8", FORM.upper()):
        r = check_sync(s.call("POST", "sync", thing, {"Content-Type": kind})[1], ["1"])
        same(s.state(r.new["1"])["title"], "one two")
    r = check_sync(s.call("POST", "sync", (p for p in (thing[:20], thing[20:41], thing[41:])), {"Content-Type": FORM})[1], ["1"])
    same(s.state(r.new["1"])["title"], "one two")
    # the connection after errors
    connection = server.connect()
    if not {"connection-close", "until-close"} & set(server.args):
        for _ in range(2):
            value = server.raw("POST", "sync", thing, {"Content-Type": FORM, "Authorization": "Bearer wrong"}, connection=connection)[1]
            check_error(value)
            check_sync(server.raw("GET", "sync", None, s.head, connection=connection)[1])
        connection.close()
    for pairs in ([("new_thing", "{bad")], [("new_thing", '"text"')], [("changed_thing", "[1")], [("deleted_thing", "[\"a")], [("tag[x]", "nonsense")],
                  [("new_thing", {"local_id": "x"})], [("from", "abc")]):
        check_error(s.bad(pairs))
    check_error(s.call("GET", "nothing/here")[1])
    check_error(server.token(grant_type="password"))
    assert server.base.endswith("/v1/"), server.base
    # a failed upload changes nothing
    pos = s.pos()
    s.bad([("new_thing", {"local_id": 1, "title": "ok"}), ("changed_thing", {"_id": 5})])
    assert not s.get(from_=pos).changed
    check_sync(server.raw("GET", "sync", None, {**s.head, "Accept-Encoding": "gzip"})[1])
    # no cache
    full = s.get()
    ident = s.create({"title": "fresh"})[0]
    assert ident in s.get().by_id


def races(server):
    sessions = [server.login() for _ in range(6)]
    reader, watcher = server.login(), server.login()
    start = reader.pos()
    made, errors = [], []

    def write(s, n):
        try:
            for i in range(4):
                made.append(s.create({"title": f"r{n}-{i}"})[0])
        except Exception as error:
            errors.append(error)
    threads = [threading.Thread(target=write, args=(s, n)) for n, s in enumerate(sessions)]
    for t in threads:
        t.start()
    seen, follow = {}, start
    while any(t.is_alive() for t in threads):
        r = watcher.get(from_=follow)
        seen.update(r.by_id)
        follow = r.pos
    for t in threads:
        t.join()
    assert not errors, errors
    seen.update(watcher.get(from_=follow).by_id)
    same(len(set(made)), 24)
    assert set(made) <= set(reader.get().by_id), "lost"
    assert set(made) <= set(seen), "a follower missed something"
    ident = made[0]
    for i in range(3):
        sessions[0].post([("changed_thing", {"_id": ident, "title": f"now{i}"})])
        same(watcher.state(ident)["title"], f"now{i}")


CHECKS = [empty, positions, users, pages, skip_id, transport, races]
