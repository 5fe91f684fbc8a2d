"""Checks of requirements outside the core, as far as the server implements them."""

import base64
import json
import time
import urllib.parse

from .client import CLIENT, FORM, OTHER, Session, check_error, check_sync, same

JSON = {"Content-Type": "application/json"}


def error(answer, status, code):
    check_error(answer[1])
    same((answer[0], answer[1]["error"]), (status, code))
    return answer


def op(s, name, method="POST", **fields):
    if method == "GET":
        return s.call("GET", f"{name}?{urllib.parse.urlencode(fields)}")
    return s.call("POST", name, json.dumps(fields), JSON)


def requests(server):
    s = server.login()
    r = check_sync(s.call("POST", "sync", json.dumps({"from": None, "new_thing": [{"local_id": "j", "title": "json", "date": "1700000000", "archived": "1"}]}), JSON)[1], ["j"])
    thing = s.state(r.new["j"])
    same((thing["title"], thing["date"], thing["archived"]), ("json", 1700000000, True))
    ident = r.new["j"]
    for value, wanted in ((1, True), (0, None), ("TRUE", True), ("false", None), ("False", None), ("1", True), ("0", None), (True, True)):
        s.post([("changed_thing", {"_id": ident, "title": "b", "archived": value})])
        same(s.state(ident).get("archived"), wanted, value)
    for value in ("yes", 2, [], "", 0.5):
        error(s.call("POST", "sync", json.dumps({"changed_thing": {"_id": ident, "title": "b", "archived": value}}), JSON), 400, "parameter_invalid")
    for field, value in (("title", 5), ("title", "a\0b"), ("title", "\ud83d"), ("title", None), ("date", "x"), ("url", []), ("tags", 1)):
        thing = {"_id": ident, "title": "b", **{field: value}}
        error(s.call("POST", "sync", json.dumps({"changed_thing": thing}), JSON), 400, "parameter_invalid")
    error(s.call("POST", "sync", json.dumps({"new_thing": {"local_id": "x"}}), JSON), 400, "parameter_invalid")
    error(s.call("POST", "sync", json.dumps({"new_thing": [{"local_id": "x", "title": "1"}, {"local_id": "x", "title": "2"}]}), JSON), 400, "parameter_invalid")
    error(s.call("POST", "sync", "<x/>", {"Content-Type": "text/xml"}), 415, "unsupported_media_type")
    pos = s.pos()
    r = check_sync(s.call("POST", f"sync?from={pos}&unknown=1", "other=2", {"Content-Type": FORM})[1])
    same(r.total(), 0)
    deep = lambda n: '{"local_id":"d","title":"deep","x":' + "[" * (n - 1) + "]" * (n - 1) + "}"
    s.post([("new_thing", deep(30))], new=["d"])
    check_error(s.bad([("new_thing", deep(40))]))
    upload = urllib.parse.quote(json.dumps({"local_id": "g", "title": "by get"}))
    pos = s.pos()
    error(s.call("GET", f"sync?new_thing={upload}"), 400, "parameter_invalid")
    assert not s.get(from_=pos).changed
    s.post([("new_thing[]", [{"local_id": 1, "title": "a"}, {"local_id": 2, "title": "b"}]), ("new_thing[0]", {"local_id": 3, "title": "c"})], new=["1", "2", "3"])
    s.post([("new_thing", {"local_id": "", "title": ""})], new=[""])
    assert "" in [t["title"] for t in s.get().changed]
    for pairs in ([("tag[f][favorite]", "true"), ("tag[f][color]", "#FFF")], [("tag", {"f": {"favorite": True, "color": "#FFF"}})], [("tag", {"f": '{"favorite":true,"color":"#FFF"}'})]):
        r = s.post(pairs, from_=s.pos())
        same(r.tags, {"f": {"favorite": True, "color": "#fff", "todo": False}})
        s.post([("tag[f]", {"favorite": False, "color": False})])
    error(s.call("POST", "sync", json.dumps({"tag": [1]}), JSON), 400, "parameter_invalid")
    ids = s.create({"title": "k1"}, {"title": "k2"})
    same(set(s.post([("skip_id", ids)], from_=pos).by_id) & set(ids), set())
    before = time.time()
    assert abs(s.state(s.create({"title": "now"})[0])["date"] - before) < 5


def sync(server):
    a, b = server.login(), server.login()
    r = b.get(from_=2**52)
    same(len(r.changed), len(b.get().changed))
    pos = a.pos()
    x, y, z = a.create({"title": "x", "date": 300, "url": "u", "tags": "t"}, {"title": "y", "date": 200}, {"title": "z", "date": 100})
    r = b.get(from_=pos)
    same([t["_id"] for t in r.changed], [x, y, z])
    r = b.get(from_=pos, skip_id=x)
    same(r.count, 2)
    same(b.get(from_=pos, limit=0).total(), 0)
    a.post([("deleted_thing", [y])])
    mid = pos
    pos = a.pos()
    a.post([("changed_thing", {"_id": x, "title": "x", "url": None})])
    same(a.state(x).get("url"), "u")
    a.post([("changed_thing", {"_id": x, "title": "x", "url": "", "tags": ""})])
    same((a.state(x).get("url"), a.state(x)["tags"]), (None, ""))
    a.post([("deleted_thing", z)])
    r = b.get(from_=pos)
    same(r.deleted, [z])
    r = b.get(from_=pos, limit=1)
    same((len(r.changed), r.deleted), (1, []))
    r = a.post([("changed_thing", [{"_id": z, "title": "late"}, {"_id": "nothing0", "title": "q"}])], from_=a.pos())
    same(sorted(r.deleted), sorted([z, "nothing0"]))
    assert "q" not in [t["title"] for t in a.get().changed]
    a.post([("deleted_thing", "nothing1")])
    w = a.create({"title": "w"})[0]
    pos = a.pos()
    r = a.post([("changed_thing", {"_id": w, "title": "w2"}), ("deleted_thing", w)], from_=pos)
    same(r.raw, {"pos": r.pos})
    r = a.post([("tag[part]", {"color": "#abc", "favorite": True})], from_=0)
    same(r.tags["part"], {"favorite": True, "color": "#abc", "todo": False})
    a.post([("tag[part]", {"todo": True})])
    same(a.get().tags["part"], {"favorite": True, "color": "#abc", "todo": "strike"})
    r = a.post([("tag[part]", {"favorite": False, "color": False, "todo": False})])
    same(r.tags["part"], {"favorite": False, "color": False, "todo": False})


def retries(server):
    a = server.login()
    pos = a.pos()

    def send(frm=pos, **thing):
        return a.post([("new_thing", {"local_id": "r", **thing})], new=["r"], **({} if frm is None else {"from_": frm})).new["r"]
    first = send(title="one", date=5)
    same(send(title="one", html="second"), first)
    same(a.state(first).get("html"), "second")
    assert send(title="two", date=6) != first
    assert send(None, title="one") != first
    third = send(title="three")
    same(send(title="three"), third)
    server.restart()
    same(send(title="three"), third)
    nxt = server.token(grant_type="refresh_token", refresh_token=a.pair["request_token"], **CLIENT)
    a = Session(server, nxt)
    same(send(title="three"), third)
    a.post([("changed_thing", {"_id": third, "title": "three"})])
    assert send(title="three") != third


def grants(server):
    basic = {"Authorization": "Basic " + base64.b64encode(b"dev:s3cret").decode()}
    right = {"grant_type": "password", "username": "alice", "password": "wonderland"}
    pair = server.form("token", right, basic)[1]
    same(pair["refresh_token"], pair["request_token"])
    error(server.form("token", {**right, "client_id": "dev"}), 401, "invalid_client")
    error(server.raw("GET", "token?" + urllib.parse.urlencode({**right, **CLIENT})), 405, "method_not_allowed")
    fields = {"grant_type": "refresh_token", "refresh_token": pair["request_token"], **CLIENT}
    one, two = server.token(**fields), server.token(**fields)
    assert "access_token" in two, two
    Session(server, two).get()
    check_error(server.token(**fields))
    check_error(server.raw("GET", "sync", None, Session(server, two).head)[1])
    for word in ("Bearer {}", "OAuth {}", "Token {}", "{}", "access_token={}", 'token="{}"', "bearer {}"):
        s = server.login()
        check_sync(server.raw("GET", "sync", None, {"Authorization": word.format(s.pair["access_token"])})[1])
    token, wrong = s.pair["access_token"], server.login().pair["access_token"]
    error(server.raw("GET", f"sync?access_token={wrong}", None, s.head), 400, "invalid_request")
    error(server.form("sync", {"access_token": wrong}, s.head), 400, "invalid_request")
    check_sync(server.form("sync", {"access_token": token}, s.head)[1])
    answer = error(server.raw("GET", "sync"), 401, "invalid_request")
    assert "WWW-Authenticate" in answer[2]
    answer = error(s.call("PUT", "sync", "x=1", {"Content-Type": FORM}), 405, "method_not_allowed")
    assert "GET" in answer[2]["Allow"]
    error(s.call("GET", "nothing"), 404, "not_found")
    for which in ("access_token", "request_token"):
        s, t = server.login(), server.login()
        server.form("revoke", {"token": s.pair[which], **OTHER})
        s.get()
        same(server.form("revoke", {"token": s.pair[which], **CLIENT})[1], {})
        error(server.raw("GET", "sync", None, s.head), 401, "invalid_grant")
        check_error(server.token(grant_type="refresh_token", refresh_token=s.pair["request_token"], **CLIENT))
        t.get()
    same(server.form("revoke", {"token": "unknown", **CLIENT})[0:2], (200, {}))


def things(server):
    a, b, s = server.login(), server.login("bob"), server.login()
    pos = s.pos()
    thing = op(a, "thing/add", title="https://example.org/q", tags="qta qta qtb")[1]
    same((thing["url"], thing["title"]), ("https://example.org/q", "https://example.org/q"))
    assert thing["_id"] in s.get(from_=pos).by_id
    assert op(a, "thing/add", title="https://example.org/q")[1]["_id"] != thing["_id"]
    again = op(a, "thing/add", title="other", url="https://example.org/q", prevent_duplicate=True)[1]
    same(again["duplicate"], True)
    fresh = op(a, "thing/add", title="https://example.org/q", url="https://example.org/z", prevent_duplicate=True)[1]
    assert "duplicate" not in fresh
    pos = s.pos()
    changed = op(a, "thing/change", _id=thing["_id"], archived=True)[1]
    same((changed["archived"], changed["tags"], changed["url"]), (True, "qta qta qtb", thing["url"]))
    assert thing["_id"] in s.get(from_=pos).by_id
    changed = op(a, "thing/change", _id=thing["_id"], title="T")[1]
    same((changed["archived"], changed["title"]), (True, "T"))
    error(op(a, "thing/change", _id="unknown", title="x"), 404, "not_found")
    error(op(b, "thing/change", _id=thing["_id"], title="x"), 404, "not_found")
    error(op(a, "thing/delete", _id="unknown"), 404, "not_found")
    ids = lambda **q: [t["_id"] for t in op(a, "things/get", "GET", **q)[1]]
    default, both, only = ids(), ids(archived="include"), ids(archived="true")
    assert thing["_id"] not in default and thing["_id"] in both and thing["_id"] in only and fresh["_id"] not in only
    same(ids(archived="include", tag="qta"), [thing["_id"]])
    same(ids(archived="include", tag="QTA"), [])
    same(ids(archived="include", tag="qt"), [])
    same(ids(skip=1, limit=2), default[1:3])
    a.post([("tag[fav]", {"favorite": True}), ("tag[qta]", {"favorite": True})])
    counts = op(a, "tags/get", "GET")[1]
    same((counts["favorite"]["qta"], counts["favorite"]["fav"], counts["other"]["qtb"]), (1, 0, 1))
    assert "qta" not in counts["other"]
    same(op(a, "tags/get", "GET", from_=1)[0], 200)
    pos = a.pos()
    same(op(a, "tags/get", "GET", **{"from": pos})[1], {"pos": pos, "favorite": {}, "other": {}})
    pos = s.pos()
    same(op(a, "thing/delete", _id=fresh["_id"])[1], {"deleted_thing": fresh["_id"]})
    same(s.get(from_=pos).deleted, [fresh["_id"]])
    user = op(a, "user/get", "GET")[1]
    same((user["username"], user["pos"], user["thingCount"]), ("alice", a.pos(), len(a.get().changed)))
    assert user["date"] > 1e9
    same(op(a, "test", "GET")[1]["user"], "alice")
    same(s.call("POST", "test", "", {"Content-Type": FORM})[1]["user"], "alice")


def sessions(server):
    a, b, other = server.login(), server.login(), server.login("bob")
    listed = op(a, "session/list", "GET")[1]
    assert len(listed) > 1 and len([s for s in listed if s["current"]]) == 1
    for entry in listed:
        assert set(entry) <= {"id", "kind", "current", "date", "name", "client_id", "began"}, entry
    mine = {s["id"] for s in listed}
    bobs = {s["id"] for s in op(other, "session/list", "GET")[1]}
    assert not mine & bobs
    b_id = [s["id"] for s in op(b, "session/list", "GET")[1] if s["current"]][0]
    error(op(other, "session/revoke", id=b_id), 404, "not_found")
    same(op(a, "session/revoke", id=b_id)[1], {"revoked_session": b_id})
    check_error(server.raw("GET", "sync", None, b.head)[1])
    a.get()
    error(op(a, "session/revoke", id=b_id), 404, "not_found")


CHECKS = [requests, sync, grants, things, sessions, retries]
