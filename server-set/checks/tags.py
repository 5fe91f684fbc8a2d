"""Checks of archived things, todos and tag settings."""

from .client import same

NONE = {"favorite": False, "color": False, "todo": False}


def todo(server):
    s = server.login()
    s.post([("tag[todo]", {"favorite": False, "color": False, "todo": False})])
    words = ["plain", "shop", "shopping", "Shop", "x shop", "y\u00a0shop", "liked", "colored", "liked shop", "todo", "unshop"]
    ids = s.create(*[{"title": f"w{w}", "tags": w} for w in words])
    ids += s.create({"title": "s1", "tags": "shop", "todoStatus": True}, {"title": "s2", "tags": "plain", "todoStatus": True},
                    {"title": "s3", "tags": "shop", "archived": True, "todoStatus": True})
    words += ["shop", "plain", "shop"]

    def expect(on, done=()):
        full = s.get().by_id
        for i, ident in enumerate(ids):
            todo = any(w in on for w in words[i].split(" "))
            same(full[ident].get("todoStatus"), (i in done) if todo else None, words[i])
    n = len(words)
    expect([])
    s.post([("tag[liked]", {"favorite": True, "color": False, "todo": False}), ("tag[colored]", {"favorite": False, "color": "#ff0000", "todo": False})])
    expect([])
    s.post([("tag[shop]", {"favorite": False, "color": False, "todo": True})])
    expect(["shop"], {n - 3, n - 1})
    s.post([("tag[plain]", {"favorite": False, "color": False, "todo": True})])
    expect(["shop", "plain"], {n - 3, n - 2, n - 1})
    s.post([("tag[plain]", NONE)])
    expect(["shop"], {n - 3, n - 1})

    def put(i, **fields):
        s.post([("changed_thing", {"_id": ids[i], "title": "c", **fields})])
    for value in (True, False, True):
        put(1, tags="shop", todoStatus=value)
        same(s.state(ids[1]).get("todoStatus"), value)
    put(1, tags="", todoStatus=True)
    assert "todoStatus" not in s.state(ids[1])
    if "change-clears" not in server.args:
        put(1, tags="shop")
        same(s.state(ids[1]).get("todoStatus"), True)
    put(1, tags="shop", todoStatus=True, archived=True)
    same(s.state(ids[1]).get("todoStatus"), True)
    other = server.login("bob")
    i = other.create({"title": "b", "tags": "shop"})[0]
    assert "todoStatus" not in other.state(i)
    done = server.login().get().by_id
    assert ids[1] in done and ids[n - 3] in done


COLORS = ["#000000", "#00ff00", "#abc", "#FFCC00", "#012345", False]


def settings(server):
    a, b = server.login(), server.login()

    def one(name, **given):
        pos = a.pos()
        r = a.post([(f"tag[{name}]", given)], from_=pos)
        assert r.pos > pos
        r = b.get(from_=pos)
        assert "things" not in r.raw and "thingCount" not in r.raw and "tags" in r.raw, r.raw
        same(list(r.tags), [name])
        got = r.tags[name]
        same(got["favorite"], given["favorite"])
        same(bool(got["todo"]), given["todo"])
        color = got["color"]
        same(color.lower() if color else color, given["color"].lower() if given["color"] else False)
        full = b.get()
        if given["favorite"] or given["color"] or given["todo"]:
            same(full.tags[name], got)
        return got
    a.create({"title": "carries", "tags": "s0 s1"})
    for i, color in enumerate(COLORS):
        for favorite in (True, False):
            for todo in (False, True):
                one(f"s{i}", favorite=favorite, color=color, todo=todo)
        one(f"s{i}", **NONE)
    names = ["Work", "work", "WORK", "café", "cafe", "cafe\u0301", "straße", "strasse", "a]b", "a[b]c", "a.b", "a_b", "日本", "__proto__", "constructor",
             "007", "7", "#h", "h", "longlonglonglonglonglong1", "longlonglonglonglonglong2", "c+d", "e&f=g", "long", "-", "x" * 200, "l]"]
    pos = a.pos()
    a.post([(f"tag[{n}]", {"favorite": True, "color": f"#0000{i:02x}", "todo": False}) for i, n in enumerate(names)])
    r = b.get(from_=pos)
    full = b.get()
    for tags in (r.tags, full.tags):
        for i, name in enumerate(names):
            assert name in tags, name
            same((tags[name]["favorite"], tags[name]["color"].lower()), (True, f"#0000{i:02x}"), name)
    same(len(r.tags), len(names))
    a.post([("tag[long]", NONE)])
    same(b.get().tags["longlonglonglonglonglong1"]["favorite"], True)
    a.post([("tag[q1]", {"favorite": True, "color": "#112233", "todo": False}), ("tag[q2]", {"favorite": True, "color": "#112233", "todo": False}),
            ("new_thing", {"local_id": 1, "title": "beside"})], new=["1"])
    full = b.get().tags
    same((full["q1"]["favorite"], full["q1"]["color"], full["q2"]["color"]), (True, "#112233", "#112233"))
    r = b.get(limit=1)
    assert "q1" in r.tags
    r = b.get(from_=b.pos())
    assert not r.tags
    for given in ({**NONE, "favorite": True}, {**NONE, "color": "#445566"}, {**NONE, "todo": True}):
        a.post([("tag[lonely]", given)])
        assert "lonely" in b.get().tags, given


def numbered(server):
    s = server.login("bob")
    if not s.get().tags:
        s.post([(f"tag[{i}]", {"favorite": True, "color": False, "todo": False}) for i in range(3)])
        same(sorted(s.get().tags), ["0", "1", "2"])


CHECKS = [todo, settings]
FIRST = [numbered]
