"""Checks of new things, text, dates, changes and deletions."""

import json
import time

from .client import FORM, OTHER, check_error, check_sync, same

J = json.dumps


def local_ids(server):
    s = server.login()
    keys = [0, 1, 2, 7, -5, 3000000000, 1700000000123, "n", "-x", " a ", "Abc", "abc", "007", "7x", "__proto__", "k" * 60, "é", "e\u0301"]
    wanted = [str(k) for k in keys]
    r = s.post([("new_thing", [{"local_id": k, "title": f"t{i}"} for i, k in enumerate(keys)])], new=wanted)
    full = s.get()
    for i, key in enumerate(wanted):
        same(full.by_id[r.new[key]]["title"], f"t{i}")
    check_sync_count(r)
    r = s.post([("new_thing", [{"local_id": k, "title": "c"} for k in (2, 0, 1)])], new=["0", "1", "2"])
    same(len(set(r.new.values())), 3)
    r = s.post([("new_thing", [{"local_id": k, "title": "c"} for k in (0, 1, 2)])], new=["0", "1", "2"])


def check_sync_count(r):
    same(r.count, r.total(), "thingCount")


def several(server):
    s = server.login()

    def upload(pairs, n, raw=None):
        keys = [f"k{i}" for i in range(n)]
        pairs = [(name, [{"local_id": keys[i], "title": keys[i]} for i in part] if isinstance(part, list)
                  else {"local_id": keys[part], "title": keys[part]}) for name, part in pairs]
        before = set(s.get().by_id)
        r = s.post(pairs, new=keys)
        now = s.get()
        same(sorted(now.by_id[i]["title"] for i in set(now.by_id) - before), sorted(keys))
        same([now.by_id[r.new[k]]["title"] for k in keys], keys)
        return [r.new[k] for k in keys]
    upload([("new_thing", 0)], 1)
    ids = upload([("new_thing", [0, 1, 2])], 3)
    upload([("new_thing[]", 0), ("new_thing[]", 1), ("new_thing[]", 2)], 3)
    upload([("new_thing", 0), ("new_thing[]", 1), ("new_thing[]", 2)], 3)
    upload([("new_thing", [0, 1]), ("new_thing[]", 2)], 3)
    body = "new_thing[]=" + "%7B%22local_id%22%3A%22a%22%2C%22title%22%3A%22raw+one%22%7D"
    check_sync(s.call("POST", "sync", body, {"Content-Type": FORM})[1], ["a"])
    body = "new_thing%5b%5d=%7b%22local_id%22%3a%22a%22%2c%22title%22%3a%22c%c3%a9%22%7d"
    r = check_sync(s.call("POST", "sync", body, {"Content-Type": FORM})[1], ["a"])
    same(s.state(r.new["a"])["title"], "cé")

    def change(pairs):
        s.post([(n, [{"_id": ids[i], "title": x} for i, x in p] if isinstance(p, list) else {"_id": ids[p[0]], "title": p[1]}) for n, p in pairs])
        same([s.state(i)["title"] for i in ids], ["x", "y", "z"])
        s.post([("changed_thing", [{"_id": i, "title": "old"} for i in ids])])
    s.post([("changed_thing", {"_id": ids[0], "title": "one"})])
    same(s.state(ids[0])["title"], "one")
    change([("changed_thing", [(0, "x"), (1, "y"), (2, "z")])])
    change([("changed_thing[]", (0, "x")), ("changed_thing[]", (1, "y")), ("changed_thing[]", (2, "z"))])
    change([("changed_thing", (0, "x")), ("changed_thing[]", (1, "y")), ("changed_thing[]", (2, "z"))])
    for spell in ("plain", "array", "bracket", "mixed"):
        ids = s.create(*[{"title": f"d{i}"} for i in range(3)])
        pairs = {"plain": [("deleted_thing", ids[0])], "array": [("deleted_thing", ids)], "bracket": [("deleted_thing[]", i) for i in ids],
                 "mixed": [("deleted_thing", ids[0])] + [("deleted_thing[]", i) for i in ids[1:]]}[spell]
        before = s.pos()
        s.post(pairs, from_=before)
        gone = ids[:1] if spell == "plain" else ids
        full = s.get().by_id
        same([i in full for i in ids], [i not in gone for i in ids])
        r = server.login().get(from_=before)
        same(sorted(r.deleted), sorted(gone))


def many(server):
    s = server.login("bob")
    r = s.post([("new_thing", [{"local_id": i, "title": f"m{i}"} for i in range(140)])], new=[str(i) for i in range(140)])
    ids = [r.new[str(i)] for i in range(140)]
    r2 = server.login("bob").get()
    assert set(ids) <= set(r2.by_id), "missing in a full sync"
    same(r2.count, len(r2.changed))
    pairs = [("new_thing[]", {"local_id": i, "title": f"f{i}"}) for i in range(60)]
    s.post(pairs, new=[str(i) for i in range(60)])
    pos = s.pos()
    s.post([("changed_thing", [{"_id": i, "title": "ch"} for i in ids])])
    r = s.get(from_=pos)
    same(set(r.by_id), set(ids))
    assert all(t["title"] == "ch" for t in r.changed)
    pos = r.pos
    s.post([("deleted_thing", ids[:70])])
    r = s.get(from_=pos)
    same(sorted(r.deleted), sorted(ids[:70]))
    r = s.post([("new_thing", [{"local_id": i, "title": f"cut{i}"} for i in range(4)])], new=list("0123"), limit=2, from_=r.pos)
    full = s.get()
    assert all(i in full.by_id for i in r.new.values())


TEXTS = ["plain", "  both ends  ", "a  b", "<b>bold</b> & co", "&amp; &#39;", "line\r\nline\nline", "e\u0301 é", "ﬁ Ａ ㍿", "😀 👩‍👩‍👧", "C:\\new\\\\x",
         "a\u200bb\ufeffc", "tab\there", "ls\u2028ps\u2029", "nb\u00a0sp", "x" * 700, "日本語 ελληνικά עברית", "100%", "%41 %2B %C3%A9", "1+1=2&b=3;c",
         "12345", "true", "null", "\"quoted\" 'single'", "<script>alert(1)</script>", "lower case", "{\"a\":[1]}", "\\u0041 \\n", "#hash", "é" * 300,
         "ends\n", "\u0001\u007f", "[]", "{}"]


def text(server):
    s = server.login()
    ids = s.create(*[{"title": t, "html": t, "url": t} for t in TEXTS])
    for form in range(2):
        full = s.get().by_id
        for ident, wanted in zip(ids, TEXTS):
            for name in ("title", "html", "url"):
                same(full[ident].get(name), wanted, name)
        s.post([("changed_thing", [{"_id": i, "title": t, "html": t, "url": t} for i, t in zip(ids, TEXTS)])])
    urls = ["http://Example.ORG", "http://a.b/c d?e=ü#frag", "mailto:x@y", "https://a.b/" + "p" * 300, "javascript:1"]
    htmls = ["<p onclick=\"x()\">a</p>", "h" * 70000, "x<br>\r\n<script src='a'></script>y"]
    ids = s.create(*[{"title": "u", "url": u} for u in urls], *[{"title": "h", "html": h} for h in htmls])
    full = s.get().by_id
    same([full[i].get("url") for i in ids[:len(urls)]], urls)
    same([full[i].get("html") for i in ids[len(urls):]], htmls)
    assert "html" not in full[ids[0]] and "url" not in full[ids[-1]]
    tags = ["", "a", "Shop Work", "café naïve 日本", "#one @two", "a,b c.d x/y", " ".join(f"t{i}" for i in range(15)), "z\u00a0y"]
    ids = s.create(*[{"title": "t", "tags": t} for t in tags])
    full = s.get().by_id
    same([sorted(full[i]["tags"].split(" ")) for i in ids], [sorted(t.split(" ")) for t in tags])
    same(s.state(s.create({"title": ""})[0])["title"], "")


def dates(server):
    s = server.login()
    values = [1700000000, 1700000123, 0, -86400, 1700000000.5, 4000000000, 13000000000, 1234567890, 1]
    ids = s.create(*[{"title": f"d{v}", "date": v} for v in values])
    full = s.get().by_id
    for ident, value in zip(ids, values):
        assert full[ident]["date"] == value, (full[ident]["date"], value)
    before = time.time()
    ident = s.create({"title": "none"})[0]
    assert abs(s.state(ident)["date"] - before) < 5
    s.post([("changed_thing", {"_id": ident, "title": "none", "date": 1600000000})])
    same(int(s.state(ident)["date"]), 1600000000)
    pos = s.pos()
    ids = s.create({"title": "same", "date": 5, "html": "<i>x</i>"}, {"title": "same", "date": 5})
    r = s.get(from_=pos)
    same(set(r.by_id), set(ids))
    same(r.by_id[ids[0]].get("html"), "<i>x</i>")


def retries(server):
    a, b = server.login(), server.login()
    ids = set()
    for number, (s, frm, title, url) in enumerate([(a, 0, "one", None), (b, 0, "two", None), (a, 1, "three", None), (a, 2, "three", None),
                                                   (a, 3, "x", "http://u/"), (a, 4, "y", "http://u/"), (server.login(app=OTHER), 0, "four", None),
                                                   (server.login("bob"), 0, "one", None)]):
        thing = {"local_id": "same" if number not in (3, 5) else f"l{number}", "title": title, **({"url": url} if url else {})}
        r = s.post([("new_thing", thing)], new=[thing["local_id"]], from_=frm if frm < 1 else a.pos())
        ids |= set(r.new.values())
    same(len(ids), 8)


def changes(server):
    a, b = server.login(), server.login()
    ident, other, third = a.create({"title": "t", "tags": "a b", "url": "http://u", "html": "<p>", "date": 1000}, {"title": "o"}, {"title": "p"})

    def change(s, **fields):
        pos = s.pos()
        r = s.post([("changed_thing", {"_id": ident, "title": "t", **fields})], from_=pos)
        r = server_other.get(from_=pos)
        assert r.pos > pos and set(r.by_id) == {ident} and not r.deleted, r.raw
        full = s.get().by_id
        same(full[ident], r.by_id[ident])
        return r.by_id[ident]
    server_other = b
    full = {"tags": "a b", "url": "http://u", "html": "<p>", "date": 1000}
    same(change(a, **{**full, "title": "new"})["title"], "new")
    same(change(a, **{**full, "title": "new", "tags": "c"})["tags"], "c")
    same(change(a, **{**full, "url": "http://v"})["url"], "http://v")
    same(change(a, **{**full, "html": "<q>"})["html"], "<q>")
    assert change(a, **{**full, "date": 999})["date"] == 999
    same(change(a, **{**full, "date": 999, "archived": True}).get("archived"), True)
    assert "archived" not in change(a, **{**full, "date": 999})
    same(change(a, **full, archived=True).get("archived"), True)
    assert "archived" not in change(a, **full, archived=False)
    same(change(a, **full, archived=True).get("archived"), True)
    server_other = a
    same(change(b, **{**full, "title": "from b"})["title"], "from b")
    same(change(b, **{**full, "title": "from b again", "tags": "z"})["tags"], "z")
    server_other = b
    same(change(a, **{**full, "title": "from a"})["title"], "from a")
    if "unknown-id-error" not in server.args:
        a.post([("changed_thing", [{"_id": "zzzunknown", "title": "q"}, {"_id": other, "title": "behind"}])])
        same(a.state(other)["title"], "behind")
        a.post([("deleted_thing", ["zzzunknown", third])])
        assert a.state(third) is None
    pos = a.pos()
    created = a.create({"title": "arch", "archived": True})[0]
    same(b.get().by_id[created].get("archived"), True)
    same(b.get(from_=pos).by_id[created].get("archived"), True)


def others_changes(server):
    """C-4.3-38: what others changed in a thing that the client changes itself."""
    a, b = server.login(), server.login()
    ident = a.create({"title": "start", "html": "h0"})[0]
    pos = a.pos()
    b.post([("changed_thing", {"_id": ident, "title": "b", "html": "h1"})], from_=pos)
    r = a.post([("changed_thing", {"_id": ident, "title": "a"})], from_=pos)
    same(r.by_id[ident]["title"], "a")
    r = a.get(from_=pos)
    same(r.by_id[ident]["title"], "a")
    pos = a.pos()
    b.post([("changed_thing", {"_id": ident, "title": "b2"})], from_=pos)
    a.post([("changed_thing", {"_id": ident, "title": "a2"})], from_=pos + 0)
    r = a.post([("changed_thing", {"_id": ident, "title": "a3"})], from_=pos)
    same(r.by_id[ident]["title"], "a3")
    r = a.get(from_=pos)
    same(r.by_id[ident]["title"], "a3")
    r = a.post([("changed_thing", {"_id": ident, "title": "a4"})], from_=0)
    same(r.by_id[ident]["title"], "a4")


def deletions(server):
    a, b, c = server.login(), server.login(), server.login(app=OTHER)
    made = a.create({"title": "twin", "url": "http://t", "tags": "onlytag", "date": time.time()}, {"title": "twin", "url": "http://t"}, {"title": "x", "url": "http://t"})
    a.post([("tag[onlytag]", {"favorite": True, "color": "#123456", "todo": False})])
    start = a.pos()
    a.post([("changed_thing", {"_id": made[0], "title": "changed", "tags": "onlytag"})], from_=start)
    before = a.pos()
    r = a.post([("deleted_thing", made[0])], from_=before)
    assert r.pos > before
    for s in (a, b, c, b):
        for frm in (start, before):
            r = s.get(from_=frm)
            assert made[0] in r.deleted and made[0] not in r.by_id, r.raw
            same(r.count, r.total())
        full = s.get()
        assert made[0] not in full.by_id and made[1] in full.by_id and made[2] in full.by_id
        assert "onlytag" in full.tags
    again = a.pos()
    try:
        a.post([("deleted_thing", made[0])], from_=again)
    except AssertionError:
        assert "unknown-id-error" in server.args
    assert made[0] not in b.get().by_id
    assert made[0] in b.get(from_=start).deleted
    a.post([("deleted_thing", made[1])], from_=again)
    same(b.state(made[2]) is not None, True)
    # with new things; IDs are not given again
    before = a.pos()
    r = a.post([("new_thing", {"local_id": 1, "title": "n"}), ("deleted_thing", made[2])], new=["1"], from_=before)
    assert made[2] not in b.get().by_id and made[2] in b.get(from_=before).deleted
    last = r.new["1"]
    a.post([("deleted_thing", last)])
    assert a.create({"title": "fresh"})[0] not in (*made, last)
    # a late change
    late = a.create({"title": "late"})[0]
    p0 = a.pos()
    a.post([("deleted_thing", late)])
    p1 = b.get(from_=p0).pos
    try:
        a.post([("changed_thing", {"_id": late, "title": "back"})])
    except AssertionError:
        assert "unknown-id-error" in server.args
    r = b.get(from_=p1)
    full = b.get().by_id
    shown = [t for t in full.values() if t["title"] == "back"]
    assert all(t["_id"] in r.by_id for t in shown), "came back, but not for all"
    # many
    ids = a.create(*[{"title": f"g{i}"} for i in range(60)])
    pos = a.pos()
    a.post([("deleted_thing", ids)])
    same(set(b.get(from_=pos).deleted), set(ids))


CHECKS = [local_ids, several, text, dates, retries, changes, others_changes, deletions, many]
