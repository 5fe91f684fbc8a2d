"""Checks of token and of access tokens."""

import time

from .client import CLIENT, FORM, OTHER, Session, check_error, check_sync, is_number, same

RIGHT = {"grant_type": "password", "username": "alice", "password": "wonderland", **CLIENT}


def refused(server, **fields):
    value = server.token(**fields)
    check_error(value)
    assert "access_token" not in value, f"issued for {fields}"


def response(server):
    pair = server.token(**RIGHT)
    assert isinstance(pair.get("access_token"), str) and isinstance(pair.get("request_token"), str), pair
    assert is_number(pair.get("expires_in")) and pair["expires_in"] > 0, pair
    same(pair.get("token_type"), "bearer")
    assert "scope" in pair and pair["scope"] is None, pair
    again = server.token(**RIGHT)
    assert again["access_token"] != pair["access_token"] and again["request_token"] != pair["request_token"]
    body = "grant_type=p%61ssword&client_id=d%65v&client_secret=s%33cret&username=%61lice&password=wonder%6cand"
    assert "access_token" in server.raw("POST", "token", body, {"Content-Type": FORM})[1]
    assert "access_token" in server.raw("POST", "token", body, {"Content-Type": FORM + "; charset=UTF-8"})[1]


def clients(server):
    server.login()
    for grant in ({}, ):
        for change in ({"client_secret": None}, {"client_secret": ""}, {"client_secret": "wrong"}, {"client_secret": "S3CRET"},
                       {"client_secret": "other-secret"}, {"client_secret": " s3cret "}, {"client_secret": "s3cretx"},
                       {"client_secret": "s3c"}, {"client_secret": "%"}, {"client_secret": "x" * 6}, {"client_id": "nobody"},
                       {"client_id": "nobody", "client_secret": None}, {"client_id": None}, {"client_id": None, "client_secret": None}):
            refused(server, **{**RIGHT, **change})


def users(server):
    server.login()
    for change in ({"password": None}, {"password": ""}, {"password": "wrong"}, {"password": "Wonderland"}, {"password": "builder"},
                   {"password": "wonderlaXX"}, {"password": " wonderland "}, {"password": "alice"}, {"password": "s3cret"},
                   {"username": "nobody"}, {"username": None}, {"username": ""}, {"grant_type": "client_credentials"},
                   {"grant_type": None, "password": "wrong"}, {"grant_type": "implicit"}):
        refused(server, **{**RIGHT, **change})
    refused(server, grant_type="client_credentials", **CLIENT)


def refresh(server):
    pair = server.token(**RIGHT)
    newest = server.login("bob")
    names = [pair["access_token"]]
    for _ in range(3):
        nxt = server.token(grant_type="refresh_token", refresh_token=pair["request_token"], **CLIENT)
        assert nxt.get("access_token") and nxt.get("request_token"), nxt
        assert nxt["access_token"] not in names and nxt["request_token"] != pair["request_token"]
        names.append(nxt["access_token"])
        pair = nxt
        Session(server, pair).get()
    for change in ({"client_secret": None}, {"client_secret": "wrong"}, OTHER, {"refresh_token": "wrong"}, {"client_id": None},
                   {"client_id": "nobody"}, {"refresh_token": pair["access_token"]}, {"refresh_token": None}, {"refresh_token": ""}):
        refused(server, **{"grant_type": "refresh_token", "refresh_token": pair["request_token"], **CLIENT, **change})
    newest.create({"title": "of bob"})
    nxt = server.token(grant_type="refresh_token", refresh_token=pair["request_token"], **CLIENT)
    session = Session(server, nxt)
    assert "of bob" not in [t["title"] for t in session.get().changed]
    newest.get()


def sessions(server):
    all_ = [server.login() for _ in range(5)]
    other = server.login(app=OTHER)
    nxt = server.token(grant_type="refresh_token", refresh_token=other.pair["request_token"], **OTHER)
    assert "access_token" in nxt
    for session in all_:
        session.get()


def places(server):
    s = server.login()
    token = s.pair["access_token"]
    s.get()
    from urllib.parse import quote
    q = quote(token, safe="")
    check_sync(server.raw("GET", f"sync?access_token={q}")[1])
    check_sync(server.raw("POST", f"sync?access_token={q}", "", {"Content-Type": FORM})[1])
    check_sync(server.form("sync", {"access_token": token})[1])
    mark = s.create({"title": "private"})[0]
    before = s.pos()
    for value in (server.raw("GET", "sync"), server.form("sync", {"new_thing": '{"local_id":"x","title":"no"}'}),
                  server.form("sync", {"from": "0"})):
        check_error(value[1])
    wrong = ["wrong", "", token[:-1], token + "x", token.swapcase(), token + "-", token[:-1] + "!", s.pair["request_token"],
             "null", "undefined", "s3cret"]
    for bad in wrong:
        q = quote(bad, safe="")
        tries = [server.raw("GET", f"sync?access_token={q}"), server.form("sync", {"access_token": bad, "from": "0"})]
        if bad:
            tries.append(server.raw("GET", "sync", None, {"Authorization": s.head["Authorization"].replace(token, bad)}))
        for status, value, _ in tries:
            check_error(value)
            if bad:
                same((value["error"], value["error_description"]), ("invalid_grant", "The access token provided is invalid"))
        assert len({t[0] for t in tries}) == 1, "other status"
    assert s.pos() == before or "pos-moves" in server.args
    assert mark in s.get().by_id


def expiry(server):
    pair = server.token(**RIGHT)
    s = Session(server, pair)
    if pair["expires_in"] < 10:
        time.sleep(pair["expires_in"] + 0.3)
        check_error(server.raw("GET", "sync", None, s.head)[1])
        check_error(server.form("sync", {"access_token": pair["access_token"]})[1])
    else:
        time.sleep(3.8)
        s.get()


CHECKS = [response, clients, users, refresh, sessions, places]
LATE = [expiry]
