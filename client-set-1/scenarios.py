"""Scenarios of the self-test. Each takes a Kit, and fails with an exception when the client does something wrong."""

import hashlib
import json
import os
import re
import threading
import time
from email.utils import formatdate

PASSWORD = " wörd+&%=land"
SECRET = "s3cr+t&%"
NASTY = " a+b %41 & <b>é e\u0301 \U0001f600\r\n\ttab=x; __proto__ "
API, REPLICA = [], []
MEMORY = 22  # megabytes, measured 18 for the right client


def api(f):
    API.append(f)
    return f


def replica(f):
    REPLICA.append(f)
    return f


def eq(got, want, what=""):
    assert got == want, f"{what}: got {got!r}, wanted {want!r}"


def fails(kit, call, *kinds):
    try:
        call()
    except kit.Error as e:
        assert e.kind in kinds, f"error {e.kind}, wanted {kinds}"
        check_message(e.message)
        return e
    raise AssertionError("no error was reported")


def check_message(text):
    for secret in (PASSWORD, SECRET, "acc1", "ref1", "s3cr%2Bt"):
        assert secret not in text, f"secret in error: {text}"


def uploads(world):
    return [e for e in world.log if e.get("op") == "sync" and e["method"] == "POST" and any("thing" in n or "tag[" in n for n, _ in e.get("form", []))]


# ------------------------------------------------------------------------------------------------- api


@api
def round_trip(kit):
    w, c = kit.api()
    for text in (NASTY, "", "plain", "\U0001f600", "line\u2028\x01"):
        r = c.sync({"from": 0, "new_thing": [{"local_id": "__proto__", "title": text, "html": NASTY, "url": "http://x/?a=1&b=%20+", "tags": "a B é", "date": 12.75, "archived": True, "todoStatus": True}]})
        i = r["things"]["new"]["__proto__"]
        t = w.things[i]
        eq(t["title"], text)
        eq((t["html"], t["url"], t["tags"], t["date"], t.get("archived"), t["todoStatus"]), (NASTY, "http://x/?a=1&b=%20+", "a B é", 12.75, True, True))
        back = [x for x in c.sync({})["things"]["changed"] if x["_id"] == i]
        eq(back[0]["title"], text)
    assert w.log[0]["op"] == "token" and w.log[0]["path"].startswith("/deep/v1/token")


@api
def parameters(kit):
    w, c = kit.api()
    c.sync({"from": 0, "new_thing": [{"local_id": n, "title": f"t{n}"} for n in range(4)]})
    ids = list(w.things)
    eq(len(ids), 4)
    eq(c.sync({"from": 0, "limit": 0}).get("things"), None)
    eq([t["_id"] for t in c.sync({"skip": 2, "limit": 1})["things"]["changed"]], [ids[2]])
    eq(c.sync({"skip": 2, "limit": 1})["thingCount"], 4)
    c.sync({"changed_thing": [{"_id": ids[0], "title": "x", "date": 0, "todoStatus": True, "url": "http://u"}, {"_id": ids[1], "title": "y"}]})
    eq((w.things[ids[0]]["title"], w.things[ids[0]]["date"], w.things[ids[1]]["title"]), ("x", 0, "y"))
    c.sync({"changed_thing": [{"_id": ids[0], "title": "", "todoStatus": False, "url": ""}]})
    eq((w.things[ids[0]]["title"], w.things[ids[0]]["todoStatus"], w.things[ids[0]].get("url")), ("", False, None))
    c.sync({"changed_thing": [{"_id": ids[0], "title": "z", "archived": False}]})
    eq({t["_id"] for t in c.sync({"skip_id": ids[:2]})["things"]["changed"]}, set(ids[2:]))
    c.sync({"deleted_thing": ids[:2]})
    eq(set(w.gone), set(ids[:2]))
    c.sync({"deleted_thing": [ids[2]]})
    eq(len(w.gone), 3)
    c.sync({"tag": {"a]b": {"favorite": True, "todo": True}, "x&y+z=1": {"favorite": True, "color": "#ff0000"}, "": {"favorite": True}, "a[]": {"favorite": True}}})
    eq(set(w.settings), {"a]b", "x&y+z=1", "", "a[]"})
    eq(w.settings["x&y+z=1"]["color"], "#ff0000")
    for e in w.log:
        assert e.get("status", 200) < 300, e
        assert "acc" not in e["path"] and "w%C3" not in e["path"] and "thing=" not in e["path"], "a secret or an upload in the URL"
        assert not (e.get("auth") and any(n == "access_token" for n, _ in e.get("form", []))), "token in two ways"


@api
def positions(kit):
    for big in (5, 2**31 + 11, 2**53 - 2001):
        w, c = kit.api()
        w.counter = big
        w.add({"title": "x"})
        p = c.sync({})["pos"]
        eq(p, big + 1)
        w.add({"title": "y"})
        r = c.sync({"from": p})
        eq([t["title"] for t in r["things"]["changed"]], ["y"])


@api
def repeated_download(kit):
    w, c = kit.api()
    p = c.sync({})["pos"]
    c.sync({"from": p})
    w.add({"title": "n"})
    eq(len(c.sync({"from": p})["things"]["changed"]), 1)


@api
def decoding(kit):
    for order in (False, True):
        w, c = kit.api(nulls=True, reverse=order)
        w.add({"title": "x"})
        w.add({"title": "gone"})
        w.delete(list(w.things)[-1])
        w.add({"title": "y", "url": "u", "html": "h"})
        for step in ({"no_type": True}, {"headers": {"Content-Type": "text/plain"}}, {"headers": {"Content-Type": "application/json; charset=utf-8"}}, {"gzip": True}, {"br": True}, {"chunk": 1}, {"ascii": False, "chunk": 3, "gzip": True}):
            w.script.append({"op": "sync", **step})
            r = c.sync({"from": 1})
            eq(r["pos"], 4)
            eq([t["title"] for t in r["things"]["changed"]], ["y"])
            eq(len(r["things"]["deleted"]), 1)
            assert "archived" not in r["things"]["changed"][0]
            eq(r["things"]["changed"][0]["html"], "h")
            full = c.sync({})
            x = [t for t in full["things"]["changed"] if t["title"] == "x"][0]
            assert "url" not in x and "html" not in x, x
    w, c = kit.api()
    eq(c.sync({}), {"pos": 0})


@api
def bad_answers(kit):
    w, c = kit.api()
    c.sync({})
    for step, kinds in (
        ({"text": "<html>x</html>", "headers": {"Content-Type": "text/html"}}, ("unexpected_response",)),
        ({"text": ""}, ("unexpected_response", "network")),
        ({"text": "[]"}, ("unexpected_response",)),
        ({"text": '{"pos":"7"}'}, ("unexpected_response",)),
        ({"status": 500, "text": "<html>oops</html>"}, ("unexpected_response", "rejected")),
        ({"status": 400, "json": {"error": "parameter_invalid", "error_description": "from"}}, ("rejected",)),
        ({"status": 200, "json": {"error": "server_error", "error_description": "hm"}}, ("rejected",)),
    ):
        w.script.append({"op": "sync", **step})
        before = len(w.log)
        e = fails(kit, lambda: c.sync({"from": 1}), *kinds)
        eq(len(w.log) - before, 1, "requests")
        if step.get("status") == 400:
            eq({**e.as_object(), "message": ""}, {"kind": "rejected", "status": 400, "code": "parameter_invalid", "message": ""})
        eq(c.sync({})["pos"], 0)
    w.script.append({"op": "thing/delete", "status": 404, "json": {"error": "not_found", "error_description": "x"}})
    fails(kit, lambda: c.thing_delete("zz"), "rejected")


@api
def streaming(kit):
    w, c = kit.api()
    w.add({"title": "gone first"})
    gone = list(w.things)[0]
    for n in range(40):
        w.add({"title": f"{NASTY}{n}"})
    w.delete(gone)
    for number in range(3):
        w.delete(list(w.things)[number])
    h = hashlib.sha256()
    for t in sorted(w.things.values(), key=lambda t: t["at"]):
        h.update(f"{t['_id']}\n{t['title']}\n".encode())
    want = {"count": 37, "deleted": 4, "digest": h.hexdigest(), "pos": w.counter}
    for limit in (None, 5, 1000, 37):
        for step in ({}, {"chunk": 7}, {"ascii": False, "chunk": 5}, {"cut": 60}, {"chunk": 9, "cut": 1000}, {"gzip": True}):
            for where in (0, 2):
                w.script[:] = [{"op": "sync", "skip": where, **step}] if step else []
                eq(c.list(1, limit), want, f"{limit} {step}")
    for where in (1, 3):
        w.script[:] = [{"op": "sync", "skip": where, "before": w.revoke_access}]
        eq(c.list(1, 5), want, "401 in the middle")
    w.script.clear()
    eq(c.list(), {**want, "deleted": 0})
    w.log.clear()
    c.list(1, 5)
    assert 8 <= len(w.log) <= 10, len(w.log)
    for t in list(w.things)[:20]:
        w.delete(t)
    eq((c.list(42, 5)["count"], c.list(42, 5)["deleted"]), (0, 23))
    empty_w, empty = kit.api()
    eq(empty.list(None, 5)["count"], 0)
    empty_w.script.append({"op": "sync", "text": '{"things":{"deleted":["x"],"changed":[{"_id":"a","title":"\\ud83d\\ude00","tags":"","date":1}]},"thingCount":2,"pos":12345678}', "chunk": 1})
    r = empty.list()
    eq((r["count"], r["deleted"], r["pos"]), (1, 1, 12345678))
    eq(r["digest"], hashlib.sha256("a\n\U0001f600\n".encode()).hexdigest())
    moving_w, moving = kit.api(moving=1)
    for n in range(6):
        moving_w.add({"title": str(n)})
    moving_w.o["snapshots"] = False
    eq(moving.list(None, 2)["pos"], 6)


@api
def truncated_for_good(kit):
    w, c = kit.api()
    for n in range(20):
        w.add({"title": f"t{n}"})
    for step in ({"cut": 400}, {"chunk": 50, "cut": 300}, {"cut": 100, "gzip": True}):
        w.script[:] = [{"op": "sync", "times": 99, **step}]
        fails(kit, c.list, "network", "unexpected_response")
        fails(kit, lambda: c.sync({}), "network", "unexpected_response")


@api
def refresh(kit):
    for codes in (True, False):
        w, c = kit.api(single_use=True, known_codes=codes)
        c.sync({})
        for n in range(3):
            w.revoke_access()
            new = c.sync({"from": 0, "new_thing": [{"local_id": n, "title": f"after {n}"}]})
            assert new["things"]["new"]
        eq(len(w.things), 3)
        eq(w.grants, ["password"] + ["refresh_token"] * 3)
        assert "ref" not in kit.stderr.getvalue(), "tokens on standard error"
    w, c = kit.api(expires_in=120)
    for n in range(4):
        c.sync({})
    eq(len(w.grants), 1, "grants")
    w, c = kit.api(expires_in=2, single_use=True)
    c.sync({})
    c.sync({})
    eq(len(w.grants), 1)
    r = c.refresh()
    assert "scope" not in r and r["token_type"] == "bearer" and r["request_token"].startswith("ref"), r
    w.refreshes.clear()
    w.revoke_access()
    fails(kit, lambda: c.sync({}), "signed_out")
    n = len(w.log)
    fails(kit, lambda: c.sync({}), "signed_out")
    assert len(w.log) - n <= 1, "requests after the end"
    c.token("alice", PASSWORD)
    eq(c.sync({})["pos"], 0)


@api
def refresh_troubles(kit):
    w, c = kit.api()
    c.sync({})
    w.revoke_access()
    w.script.append({"op": "token", "drop": True})
    c.sync({})
    w.revoke_access()
    w.script.append({"op": "token", "status": 503})
    c.sync({})
    w.revoke_access()
    w.script.append({"op": "token", "status": 503, "times": 9})
    fails(kit, lambda: c.sync({}), "rejected", "network")
    w.script.clear()
    c.sync({})
    w.script.append({"op": "sync", "times": 99, "status": 401, "json": {"error": "invalid_grant", "error_description": "The access token provided is invalid"}})
    n = len(w.grants)
    fails(kit, lambda: c.sync({}), "signed_out", "rejected")
    assert len(w.grants) - n <= 2, "refreshes without end"
    eq(w.sessions, 1, "sessions")


@api
def wrong_password(kit):
    w, c = kit.api(password="wrong one")
    e = fails(kit, lambda: c.sync({}), "rejected", "signed_out")
    assert "wrong one" not in e.message and "wrong+one" not in e.message
    w.script.append({"op": "token", "status": 500, "text": "<html>"})
    e = fails(kit, lambda: c.sync({}), "unexpected_response", "rejected")
    w, c = kit.api()
    c.sync({})
    w.script.append({"op": "sync", "status": 403, "json": {"error": "nope", "error_description": "token acc1 with s3cr+t&%"}})
    fails(kit, lambda: c.sync({}), "rejected")


@api
def two_at_once(kit):
    w, c = kit.api(single_use=True)
    c.sync({})
    w.revoke_access()
    gate = threading.Barrier(2, timeout=2)

    def meet():
        try:
            gate.wait()
        except threading.BrokenBarrierError:
            pass

    w.script.append({"op": "sync", "times": 2, "before": lambda: (meet(), w.revoke_access() if False else None)})
    grants = len(w.grants)
    errors, answers = [], []

    def one(n):
        try:
            answers.append(c.sync({"from": 0, "new_thing": [{"local_id": n, "title": f"title {n}"}]})["things"]["new"])
        except BaseException as e:
            errors.append(e)

    threads = [threading.Thread(target=one, args=(n,)) for n in range(2)]
    [t.start() for t in threads]
    [t.join(10) for t in threads]
    assert not errors, errors
    eq(len(w.grants) - grants, 1, "refreshes")
    eq(sorted(k for a in answers for k in a), ["0", "1"])
    first_w, first = kit.api()
    threads = [threading.Thread(target=first.sync, args=({},)) for n in range(3)]
    [t.start() for t in threads]
    [t.join(10) for t in threads]
    eq(len(first_w.grants), 1, "grants at the start")


@api
def retries(kit):
    w, c = kit.api()
    c.sync({})
    for value, least in (("2", 2), (formatdate(time.time() + 4, usegmt=True), 2.5), (None, 0.1)):
        for status in (429, 503):
            kit.pauses.clear()
            w.script.append({"op": "sync", "status": status, "headers": {"Retry-After": value} if value else {}})
            eq(c.sync({"from": 0, "new_thing": [{"local_id": 1, "title": "x"}]})["things"]["new"].keys(), {"1"})
            assert kit.pauses and kit.pauses[0] >= least, (value, kit.pauses)
            assert kit.pauses[0] < 10
    eq(len(w.things), 1 if w.o["recognise"] else 6)
    n = len(w.log)
    w.script.append({"op": "sync", "status": 503, "times": 99})
    fails(kit, lambda: c.sync({}), "rejected")
    assert len(w.log) - n < 8, len(w.log) - n
    w.script.clear()
    c.session.forget()
    kit.pauses.clear()
    w.script.append({"op": "token", "status": 429, "headers": {"Retry-After": "3"}, "json": {"error": "slow_down", "error_description": "x"}})
    c.token("alice", PASSWORD)
    assert kit.pauses and kit.pauses[0] >= 3, kit.pauses
    w.script.append({"op": "sync", "status": 429, "text": "busy", "headers": {"Content-Type": "text/plain"}})
    c.sync({})


@api
def unsafe_not_repeated(kit):
    w, c = kit.api()
    c.sync({})
    w.script.append({"op": "sync", "drop": True})
    try:
        c.sync({"new_thing": [{"local_id": 1, "title": "x"}]})
    except kit.Error as e:
        eq(e.kind, "network")
    eq(len(w.things), 1)
    w.script.append({"op": "thing/add", "drop": True})
    try:
        c.thing_add({"title": "y"})
    except kit.Error as e:
        eq(e.kind, "network")
    eq(len(w.things), 2)


@api
def redirects(kit):
    w, c = kit.api()
    other_w, _ = kit.api()
    c.sync({})
    target = kit.servers[-1].url + "sync"
    w.script.append({"op": "sync", "status": 302, "text": "", "headers": {"Location": "sync"}})
    try:
        r = c.sync({"new_thing": [{"local_id": 1, "title": "x"}]})
        assert "new" in r.get("things", {}), "a lost upload was reported as success"
    except kit.Error:
        pass
    for code in (301, 302, 307):
        w.script.append({"op": "sync", "status": code, "text": "", "headers": {"Location": target}})
        try:
            r = c.sync({"new_thing": [{"local_id": 1, "title": "x"}]})
            assert "new" in r.get("things", {}), "a lost upload was reported as success"
        except kit.Error:
            pass
    for e in other_w.log:
        assert not e.get("auth"), "the token went elsewhere"


@api
def connections(kit):
    w, c = kit.api()
    c.sync({})
    w.script.append({"op": "sync", "close": True})
    c.sync({})
    time.sleep(0.05)
    r = c.sync({"new_thing": [{"local_id": 1, "title": "x"}]})
    assert r["things"]["new"]
    w.script.append({"op": "sync", "status": 400, "json": {"error": "parameter_invalid", "error_description": "x" * 40}})
    try:
        c.sync({"from": 3})
    except kit.Error:
        pass
    eq(c.sync({})["pos"], 1)
    c.thing_delete(list(w.things)[0])
    eq(len([e for e in w.log if e["op"] == "sync"]), 5, "requests")


@api
def operations(kit):
    w, c = kit.api()
    t = c.thing_add({"title": NASTY, "tags": "a b", "archived": False, "todoStatus": True, "date": 5, "html": "<p>"})
    eq(w.things[t["_id"]]["title"], NASTY)
    eq(w.things[t["_id"]]["todoStatus"], True)
    c.thing_change({"_id": t["_id"], "archived": True})
    eq(w.things[t["_id"]]["archived"], True)
    c.thing_change({"_id": t["_id"], "title": "new"})
    eq((w.things[t["_id"]]["tags"], w.things[t["_id"]].get("archived"), w.things[t["_id"]]["html"]), ("a b", True, "<p>"))
    c.thing_change({"_id": t["_id"], "archived": False, "title": "n2"})
    eq(w.things[t["_id"]].get("archived"), None)
    eq([x["title"] for x in c.things_get()], ["n2"])
    eq(c.get("user/get")["username"], "alice")
    eq(c.get("tags/get")["favorite"], {})
    eq(c.thing_delete(t["_id"]), {"deleted_thing": t["_id"]})
    eq(fails(kit, lambda: c.thing_delete(t["_id"]), "rejected").code, "not_found")


@api
def revoke(kit):
    w, c = kit.api()
    c.sync({})
    c.revoke()
    assert not w.refreshes and not w.access, "the session did not end"
    n = len(w.log)
    fails(kit, lambda: c.sync({}), "signed_out")
    eq(len(w.log), n)


@api
def with_tokens(kit):
    w, c = kit.api(signed_in=True)
    eq(c.sync({})["pos"], 0)
    w.revoke_access()
    eq(c.sync({})["pos"], 0)
    w.revoke_access()
    eq(c.sync({})["pos"], 0)
    eq(w.grants, ["refresh_token"] * 2)
    for e in w.log:
        assert not any(n in ("access_token",) for n, _ in e.get("query", []) if e["op"] == "sync"), "token in the URL"


@api
def slow_first_byte(kit):
    w, c = kit.api()
    w.script.append({"op": "sync", "before": lambda: time.sleep(2.2)})
    eq(c.sync({})["pos"], 0)
    eq(len(w.log), 2, "requests")


@api
def memory(kit):
    w, c = kit.api()
    items = ",".join('{"_id":"a%d","title":"%s","tags":"","date":1}' % (n, "x" * 400) for n in range(20000))
    w.script.append({"op": "sync", "text": '{"pos":1,"thingCount":20000,"things":{"changed":[%s]}}' % items})
    import gc
    import tracemalloc

    gc.collect()
    c.token("alice", PASSWORD)
    tracemalloc.start()
    try:
        eq(c.list()["count"], 20000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # The server of this test makes its own copies.
    assert peak < MEMORY << 20, f"{peak / (1 << 20):.1f} MB"


# ------------------------------------------------------------------------------------------------- replica


def titles(r):
    return sorted(t["title"] for t in r.read()["things"])


def one(r, title):
    found = [t for t in r.read()["things"] if t["title"] == title]
    assert len(found) == 1, f"{len(found)} things {title!r}: {titles(r)}"
    return found[0]


def same(kit, *replicas):
    """The replicas hold the same, and what a fresh full sync gives."""
    fresh = kit.replica()
    fresh.sync()
    want = canonical(fresh)
    for r in replicas:
        eq(canonical(r), want, "replica")


def canonical(r):
    held = r.read()
    things = [{k: float(v) if k == "date" else v for k, v in t.items() if k != "ref"} for t in held["things"]]
    things = sorted(json.dumps(t, sort_keys=True) for t in things)
    tags = {n: s for n, s in held["tags"].items() if any(s.values())}
    return things, tags


WORLDS = [
    dict(),
    dict(echo=True, tombs_in_full=True, step=1000003, single_use=True),
    dict(reverse=True, clears=True, replaces_settings=True, nulls=True, tags_first_page=True),
    dict(moving=1, snapshots=False, echo=True),
    dict(float_pos=1, nulls=True, tombs_in_full=True),
]


@replica
def converge(kit):
    for options in WORLDS:
        w = kit.world(**options)
        a, b = kit.replica(), kit.replica()
        ref = a.create({"title": NASTY, "tags": "shop B", "date": 12.5, "html": NASTY, "url": "http://x?a=1+2&b=%41", "archived": True, "todoStatus": True})
        a.create({"title": "Same"})
        a.create({"title": "Same"})
        a.create({"title": "zero", "date": 0})
        a.create({"title": "minus", "date": -5})
        a.set_tag("shop", {"todo": True, "favorite": True})
        a.sync()
        eq(a.state()["pending"], 0)
        b.sync()
        same(kit, a, b)
        t = one(b, NASTY)
        eq((t["html"], t["url"], t["tags"], t["date"], t["archived"], t["todoStatus"]), (NASTY, "http://x?a=1+2&b=%41", "shop B", 12.5, True, True))
        eq((one(a, "zero")["date"], one(b, "minus")["date"]), (0, -5))
        eq(one(a, NASTY)["ref"], ref)
        a.change(ref, {"title": "two"})
        b.change(t["ref"], {"tags": "B shop now"})
        b.sync()
        a.sync()
        b.sync()
        same(kit, a, b)
        t = one(b, "two")
        eq((t["tags"], t["html"], t.get("archived"), t["todoStatus"], t["date"]), ("B shop now", NASTY, True, True, 12.5), "after two changes")
        eq(t.get("url"), "http://x?a=1+2&b=%41")
        a.change(ref, {"url": "", "archived": False, "todoStatus": False})
        a.sync()
        b.sync()
        same(kit, a, b)
        t = one(b, "two")
        eq((t.get("url"), t.get("archived"), t["todoStatus"]), (None, None, False))
        a.change(ref, {"tags": ""})
        a.sync()
        eq(one(a, "two")["tags"], "")
        b.sync()
        same(kit, a, b)
        b.delete(one(b, "two")["ref"])
        b.delete(one(b, "zero")["ref"])
        b.sync()
        a.sync()
        eq(titles(a), sorted(["Same", "Same", "minus"]))
        same(kit, a, b)
        eq(len(w.things), 3)
        for e in w.log:
            assert e.get("status", 200) < 300 or e.get("op") == "token", e


@replica
def offline_view(kit):
    w = kit.world()
    a = kit.replica()
    r = a.create({"title": "x"})
    eq(titles(a), ["x"])
    a.change(r, {"title": "y", "archived": True})
    eq(titles(a), ["y"])
    a.sync()
    a.change(r, {"title": "z"})
    eq(titles(a), ["z"])
    eq(a.state()["pending"] > 0, True)
    a.delete(r)
    eq(titles(a), [])
    assert a.state()["pending"] > 0
    a.sync()
    eq(a.state()["pending"], 0)
    a.set_tag("q", {"favorite": True})
    assert a.state()["pending"] > 0
    eq(a.read()["tags"]["q"]["favorite"], True)
    w.script.append({"op": "sync", "upload": True, "drop": True, "times": 9})
    a.create({"title": "w"})
    fails(kit, a.sync, "network")
    eq(a.state()["pending"], 2)
    assert a.state()["error"]
    w.script.clear()
    a.sync()
    eq((a.state()["pending"], a.state()["error"]), (0, None))
    eq(a.state()["lost"], [])


@replica
def kills(kit):
    kit.world()
    a = kit.replica()
    a.create({"title": "one"})
    a = kit.killed(a)
    eq(titles(a), ["one"])
    a.sync()
    ref = one(a, "one")["ref"]
    a.change(ref, {"title": "two"})
    a = kit.killed(a)
    a = kit.killed(a)
    eq(titles(a), ["two"])
    a.sync()
    a.set_tag("t", {"favorite": True})
    a = kit.killed(a)
    eq(a.read()["tags"].get("t", {}).get("favorite"), True)
    a.delete(one(a, "two")["ref"])
    a = kit.killed(a)
    a = kit.killed(a)
    eq(titles(a), [])
    a.sync()
    a = kit.killed(a)
    b = kit.replica()
    b.sync()
    eq(titles(b), [])
    eq(b.read()["tags"]["t"]["favorite"], True)


@replica
def lost_response(kit):
    for how in ({"drop": True}, {"cut": 30}, {"cut": 30, "chunk": 10}):
        for kill in (0, 1, 2):
            w = kit.world()
            a = kit.replica()
            a.sync()
            a.create({"title": "one"})
            a.create({"title": "two"})
            w.script.append({"op": "sync", "upload": True, "times": 9, **how})
            fails(kit, a.sync, "network", "unexpected_response")
            if kill != 1:
                w.add({"title": "other"})
            w.script.clear()
            for _ in range(kill):
                a = kit.killed(a)
            one(a, "one")
            a.change(one(a, "one")["ref"], {"title": "1!"})
            a.create({"title": "three"})
            a.sync()
            eq(sorted(t["title"] for t in w.things.values() if t["title"] != "other"), ["1!", "three", "two"], f"{how} {kill}")
            same(kit, a)
            for e in w.log:
                assert e.get("status", 200) < 300, e
    w = kit.world()
    a = kit.replica()
    a.create({"title": "gone"})
    w.script.append({"op": "sync", "upload": True, "times": 9, "drop": True})
    fails(kit, a.sync, "network")
    w.script.clear()
    w.delete(list(w.things)[0])
    a.sync()
    a.sync()
    eq((titles(a), len(w.things)), ([], 0))
    w = kit.world()
    a = kit.replica()
    r = a.create({"title": "del"})
    w.script.append({"op": "sync", "upload": True, "times": 9, "drop": True})
    fails(kit, a.sync, "network")
    w.script.clear()
    a.delete(r)
    a.sync()
    eq((titles(a), len(w.things)), ([], 0))


@replica
def kill_under_way(kit):
    w = kit.world()
    a = kit.replica()
    a.sync()
    a.create({"title": "one"})
    reached, go = threading.Event(), threading.Event()
    w.script.append({"op": "sync", "upload": True, "after": lambda: (reached.set(), go.wait(5)), "drop": True})
    thread = kit.background(a.sync)
    assert reached.wait(5)
    b = kit.killed(a)
    go.set()
    thread.join(5)
    b = kit.killed(b)
    one(b, "one")
    b.sync()
    eq(len(w.things), 1, "things")
    same(kit, b)


@replica
def edit_while_syncing(kit):
    for echo in (False, True):
        w = kit.world(echo=echo)
        a = kit.replica()
        a.sync()
        r = a.create({"title": "one"})
        gone = a.create({"title": "gone"})
        old = a.create({"title": "old"})
        a.sync()
        a.change(old, {"title": "old 2"})
        a.change(gone, {"title": "gone 2"})
        new = a.create({"title": "new"})
        new2 = a.create({"title": "new2"})
        done = []

        def edit():
            if not done:
                done.append(a.change(old, {"title": "old 3"}))
                a.change(new, {"title": "new 2"})
                a.delete(new2)
                a.delete(gone)
                a.create({"title": "late"})

        w.script.append({"op": "sync", "upload": True, "after": edit})
        a.sync()
        a.sync()
        eq(titles(a), ["late", "new 2", "old 3", "one"])
        eq(sorted(t["title"] for t in w.things.values()), ["late", "new 2", "old 3", "one"])
        same(kit, a)
        eq(a.read()["things"] and one(a, "one")["ref"], r)


@replica
def two_syncs(kit):
    w = kit.world(recognise=False)
    a = kit.replica()
    a.sync()
    a.create({"title": "one"})
    reached = threading.Event()
    w.script.append({"op": "sync", "upload": True, "before": lambda: (reached.set(), time.sleep(0.3))})
    t = kit.background(a.sync)
    reached.wait(5)
    a.sync()
    t.join(10)
    eq(len(w.things), 1)


@replica
def deletions(kit):
    for options in ({}, {"echo": True, "reverse": True}):
        w = kit.world(**options)
        i = w.add({"title": "x", "tags": "a"})
        j = w.add({"title": "j"})
        keep = w.add({"title": "keep"})
        a = kit.replica()
        a.sync()
        a.change(one(a, "x")["ref"], {"title": "typed"})
        w.delete(i)
        w.delete(w.add({"title": "never seen"}))
        a.sync()
        eq(titles(a), ["j", "keep"])
        eq([x["title"] for x in a.state()["lost"]], ["typed"])
        a = kit.killed(a)
        eq([x["title"] for x in a.state()["lost"]], ["typed"])
        eq(len(w.things), 2)
        a.delete(one(a, "j")["ref"])
        w.change(j, title="changed")
        a.sync()
        eq((titles(a), list(w.things)), (["keep"], [keep]))
        ref = one(a, "keep")["ref"]
        a.change(ref, {"title": "mine"})
        w.script.append({"op": "sync", "upload": True, "before": lambda: w.delete(keep)})
        a.sync()
        eq(titles(a), [])
        eq([x["title"] for x in a.state()["lost"]], ["typed", "mine"])
        w.gone.pop(i)
        w.add({"title": "back"}, identifier=i)
        a.sync()
        eq(titles(a), ["back"])
        w.delete(i)
        a.create({"title": "n"})
        w.script.append({"op": "sync", "upload": True, "before": lambda: w.add({"title": "at the same time", "url": "u"})})
        a.sync()
        a.sync()
        eq(titles(a), ["at the same time", "n"])
        same(kit, a)
    w = kit.world()
    i = w.add({"title": "x"})
    a = kit.replica()
    a.sync()
    a.create({"title": "n"})
    w.script.append({"op": "sync", "upload": True, "before": lambda: w.delete(i)})
    a.sync()
    a.sync()
    eq(titles(a), ["n"])
    text = '{"pos":9,"things":{"changed":[{"_id":"q","title":"q","tags":"","date":1}],"deleted":["q","unknown1"]},"thingCount":3}'
    w.script.append({"op": "sync", "upload": False, "text": text})
    a.sync()
    eq(titles(a), ["n"])
    a.set_tag("z", {"favorite": True})
    w.script.append({"op": "sync", "upload": True, "text": text})
    a.sync()
    eq(titles(a), ["n"])


@replica
def merging(kit):
    w = kit.world()
    i = w.add({"title": "t", "tags": "a", "url": "u", "html": "h", "archived": True, "date": 7.5})
    a = kit.replica()
    a.sync()
    a.change(one(a, "t")["ref"], {"title": "t2"})
    w.change(i, html="h2", url="", archived=True)
    a.sync()
    t = w.things[i]
    eq((t["title"], t["html"], t.get("url"), t.get("archived"), t["date"]), ("t2", "h2", None, True, 7.5))
    w.change(i, archived=False, html="")
    a.sync()
    t = one(a, "t2")
    eq((t.get("archived"), t.get("html"), t.get("url")), (None, None, None))
    same(kit, a)
    a.change(t["ref"], {"tags": "z b a", "html": "x"})
    w.script.append({"op": "sync", "upload": True, "before": lambda: w.change(i, title="theirs", tags="theirs")})
    a.sync()
    a.sync()
    eq(w.things[i]["tags"], "z b a")
    same(kit, a)
    sent = [v for e in uploads(w) for n, v in e["form"] if n.startswith("changed_thing")]
    assert all('"title"' in v for v in sent), sent
    a.change(t["ref"], {"title": "t3"})
    w.script.append({"op": "sync", "upload": True, "before": lambda: w.change(i, url="late")})
    a.sync()
    eq(one(a, "t3").get("url"), "late")
    w.set_tag("a", todo=True)
    c = w.add({"title": "c", "tags": "a", "todoStatus": True})
    a.sync()
    a.change(one(a, "c")["ref"], {"title": "c2"})
    a.sync()
    eq(w.things[c]["todoStatus"], True)
    w.change(c, todoStatus=False)
    a.sync()
    eq(one(a, "c2")["todoStatus"], False)
    longtext = "h" * 70000
    w.change(c, html=longtext + "\r\n", title="  NFD e\u0301 ")
    a.sync()
    t = one(a, "  NFD e\u0301 ")
    eq(len(t["html"]), 70002)
    r = a.create({"title": "  NFC e\u0301 ", "tags": "Zeta alpha", "date": 3.25})
    a.sync()
    t = w.things[one(a, "  NFC e\u0301 ")["_id"]]
    eq((t["tags"], t["date"]), ("Zeta alpha", 3.25))
    a.change(r, {"title": ""})
    a.sync()
    eq(w.things[t["_id"]]["title"], "")


@replica
def tags(kit):
    for options in ({}, {"replaces_settings": True, "tags_first_page": True}, {"reverse": True}):
        w = kit.world(**options)
        w.set_tag("shop", favorite=True, color="#ff0000", todo=True)
        w.set_tag("hue", color="#00ff00")
        w.set_tag("__proto__", favorite=True)
        w.set_tag("A]é &+", favorite=True)
        for title, words in (("s", "shop"), ("n", "shopping"), ("h", "hue"), ("p", "")):
            w.add({"title": title, "tags": words, "todoStatus": True})
        a, b = kit.replica(), kit.replica()
        a.sync()
        b.sync()
        eq(set(a.read()["tags"]), {"shop", "hue", "__proto__", "A]é &+"})
        eq(a.read()["tags"]["hue"]["color"], "#00ff00")
        eq(a.read()["tags"]["__proto__"]["color"], False)
        eq({t["title"]: t.get("todoStatus") for t in a.read()["things"]}, {"s": True, "n": None, "h": None, "p": None})
        w.set_tag("shop", todo=False, favorite=True, color="#ff0000")
        a.sync()
        assert "todoStatus" not in one(a, "s")
        w.set_tag("shop", todo="dont-strike", favorite=True, color="#ff0000")
        w.set_tag("hue", todo=True)
        a.sync()
        eq(one(a, "s")["todoStatus"], True)
        eq(one(a, "h")["todoStatus"], True)
        eq(a.read()["tags"]["__proto__"]["favorite"], True)
        w.set_tag("__proto__", favorite=False)
        a.sync()
        eq(a.read()["tags"].get("__proto__", {}).get("favorite", False), False)
        b.sync()
        b.set_tag("A]é &+", {"color": "#abcdef"})
        b.set_tag("New", {"todo": True})
        b.sync()
        eq({k: w.settings["A]é &+"][k] for k in ("favorite", "color", "todo")}, {"favorite": True, "color": "#abcdef", "todo": False})
        eq(w.settings["New"]["todo"], "strike")
        a.sync()
        eq(a.read()["tags"]["A]é &+"]["color"], "#abcdef")
        same(kit, a, b)
        a.set_tag("hue", {"favorite": True})
        w.set_tag("hue", favorite=False, color="#111111")
        w.script.append({"op": "sync", "upload": True, "before": lambda: w.set_tag("while", favorite=True)})
        a.sync()
        a.sync()
        eq((w.settings["hue"]["favorite"], w.settings["hue"]["color"]), (True, "#111111"))
        assert a.read()["tags"]["while"]["favorite"]
        same(kit, a)


@replica
def positions_of_replica(kit):
    for start in (5, 999_999_999, 2**31 + 5, 2**53 - 5000):
        w = kit.world()
        w.counter = start
        w.add({"title": "x"})
        a = kit.replica()
        a.sync()
        w.log.clear()
        w.add({"title": "y"})
        i = w.add({"title": "z"})
        a.sync()
        assert [e for e in w.log if ("from", str(start + 1)) in e["query"] + e["form"]], w.log
        eq(titles(a), ["x", "y", "z"])
        w.delete(i)
        a.sync()
        eq(titles(a), ["x", "y"])
        w.log.clear()
        a.create({"title": "own"})
        a.sync()
        w.log.clear()
        a.sync()
        assert [e for e in w.log if ("from", str(w.counter)) in e["query"] + e["form"]], w.log
    w = kit.world()
    w.counter = 1000
    for n in range(3):
        w.add({"title": str(n)})
    a = kit.replica()
    a.sync()
    w.counter = 50  # a backup was restored
    for n, t in enumerate(w.things.values()):
        t["at"] = 48 + n
    a.sync()
    w.add({"title": "after"})
    a.sync()
    eq(titles(a), ["0", "1", "2", "after"])
    w.log.clear()
    a.sync()
    assert ("from", "51") in w.log[0]["query"] + w.log[0]["form"], w.log


@replica
def broken_downloads(kit):
    w = kit.world()
    a = kit.replica()
    a.sync()
    for step in ({"cut": 80}, {"cut": 90, "chunk": 20}, {"drop": True}, {"text": "<html>"}, {"status": 500, "text": "oops"}, {"text": ""}):
        w.add({"title": f"x{len(w.things)}"})
        w.add({"title": f"x{len(w.things)}"})
        a.create({"title": f"mine{len(w.things)}"})
        if "text" in step and "status" not in step:
            w.script.append({"op": "sync", "times": 9, "headers": {"Content-Type": "text/html"}, **step})
        else:
            w.script.append({"op": "sync", "times": 9, **step})
        fails(kit, a.sync, "network", "unexpected_response", "rejected")
        assert a.state()["error"], "no error in state"
        assert a.state()["pending"] > 0
        w.script.clear()
        a.sync()
        eq(a.state()["error"], None)
        same(kit, a)
    w.script.append({"op": "sync", "upload": False, "times": 9, "text": "<html>"})
    fails(kit, a.sync, "unexpected_response")
    w.script.clear()
    for step in ({"status": 200, "text": "<html>"}, {"status": 500}, {"status": 503}, {"status": 429}):
        a.create({"title": f"late{len(w.things)}"})
        n = len(w.things)
        w.script.append({"op": "sync", "upload": True, "times": 20, **step})
        fails(kit, a.sync, "network", "unexpected_response", "rejected")
        eq(a.state()["lost"], [])
        w.script.clear()
        a.sync()
        eq(len(w.things), n + 1)
        same(kit, a)


@replica
def pages(kit):
    for options in ({}, {"tags_first_page": True}, {"moving": 1}, {"reverse": True}):
        w = kit.world(**options)
        w.set_tag("f", favorite=True)
        for n in range(25):
            w.add({"title": f"t{n}", "tags": "f"})
        a = kit.replica()
        a.create({"title": "mine before the first sync"})
        a.sync()
        same(kit, a)
        eq(a.read()["tags"].get("f", {}).get("favorite"), True)
        ids = list(w.things)
        for i in ids[:15]:
            w.delete(i)
        for n in range(13):
            w.add({"title": f"u{n}"})
        w.set_tag("g", favorite=True)
        a.sync()
        same(kit, a)
        for i in list(w.things)[:9]:
            w.delete(i)
        a.sync()
        same(kit, a)
    for trouble in ({"before": "401"}, {"status": 500, "text": "oops"}, {"cut": 100, "times": 9}, {"before": "write"}):
        for where in (1, 2):
            w = kit.world()
            for n in range(25):
                w.add({"title": f"t{n}"})
            a = kit.replica()
            step = dict(trouble)
            if step.get("before") == "401":
                step["before"] = w.revoke_access
            if step.get("before") == "write":
                step["before"] = lambda: w.add({"title": "meanwhile"})
            w.script.append({"op": "sync", "upload": False, "skip": where, **step})
            try:
                a.sync()
            except kit.Error:
                pass
            w.script.clear()
            a = kit.killed(a)
            a.sync()
            same(kit, a)
    w = kit.world(snapshots=False)
    for n in range(25):
        w.add({"title": f"t{n}"})
    a = kit.replica()
    first = list(w.things)[0]
    w.script.append({"op": "sync", "upload": False, "skip": 1, "before": lambda: w.change(first, title="moved")})
    a.sync()
    a.sync()
    same(kit, a)


@replica
def rejections(kit):
    w = kit.world()
    a = kit.replica()
    a.sync()
    for n in range(9):
        a.create({"title": "REJECT me" if n == 4 else f"ok{n}"})
    a.sync()
    eq(len(w.things), 8)
    eq([x["title"] for x in a.state()["lost"]], ["REJECT me"])
    eq(a.state()["pending"], 0)
    a.change(one(a, "ok1")["ref"], {"title": "REJECT that"})
    a.create({"title": "fine"})
    a.sync()
    eq([x["title"] for x in a.state()["lost"]], ["REJECT me", "REJECT that"])
    same(kit, a)
    w.o["most"] = 5
    for n in range(12):
        a.create({"title": f"many{n}"})
    a.sync()
    eq(len(a.state()["lost"]), 2)
    same(kit, a)
    eq(len(w.things), 21)


@replica
def many(kit):
    w = kit.world()
    a = kit.replica()
    for n in range(230):
        a.create({"title": f"n{n}", "tags": "x"})
    a.sync()
    eq((len(w.things), a.state()["pending"]), (230, 0))
    assert max(len(e["body"]) for e in w.log) < 400_000
    some = [t["ref"] for t in a.read()["things"]][:20]
    for r in some:
        a.delete(r)
    a.sync()
    eq((len(w.things), a.state()["pending"]), (210, 0))
    same(kit, a)


@replica
def identifiers(kit):
    w = kit.world()
    for i in ("abc", "ABC", "007", "7", "1e3", "x" * 100 + "1", "x" * 100 + "2", "a"):
        w.add({"title": i}, identifier=i)
    a = kit.replica()
    a.sync()
    same(kit, a)
    for n, i in enumerate(list(w.things)):
        a.change(one(a, i)["ref"], {"title": f"c{n}"})
    a.sync()
    same(kit, a)
    w.delete("007")
    w.delete("x" * 100 + "1")
    w.delete("ABC")
    a.sync()
    same(kit, a)


@replica
def sessions(kit):
    w = kit.world(single_use=True)
    a = kit.replica()
    a.sync()
    for _ in range(3):
        w.revoke_access()
        a = kit.killed(a)
        a.sync()
        w.revoke_access()
        a.sync()
    eq(w.sessions, 1, "sessions")
    for root, _, files in os.walk(a.folder):
        for f in files:
            assert PASSWORD not in open(os.path.join(root, f), encoding="utf-8").read().encode().decode("unicode_escape", "replace")
            assert "\\u00f6rd+&%" not in open(os.path.join(root, f), encoding="utf-8").read(), "the password is stored"
    a = kit.replica()
    a.sync()
    a.create({"title": "kept"})
    w.refreshes.clear()
    w.revoke_access()
    fails(kit, a.sync, "signed_out")
    eq(titles(a), ["kept"])
    a = kit.killed(a)
    eq(titles(a), ["kept"])
    a.sync()
    eq(len(w.things), 1)
    eq(re.findall("kept", str(w.things)), ["kept"])
