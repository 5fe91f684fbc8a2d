"""What a restart must keep."""

from .client import CLIENT, Session, same


def restart(server):
    s, other = server.login(), server.login()
    ids = s.create(*[{"title": f"ü{i} 日本", "tags": "rt ä", "html": "a\nb", "url": "http://ü", "date": 1000 + i, "archived": i == 1, "todoStatus": i == 2} for i in range(5)])
    s.post([("tag[rt]", {"favorite": True, "color": "#abcdef", "todo": True})])
    p0 = s.pos()
    s.post([("changed_thing", {"_id": ids[0], "title": "changed", "tags": "rt"})])
    p1 = s.pos()
    s.post([("deleted_thing", ids[3:])])
    p2 = s.pos()
    s.post([("tag[last]", {"favorite": True, "color": False, "todo": False})])
    p3 = s.pos()
    before = {p: strip(other.get(from_=p).raw) for p in (0, p0, p1, p2, p3)}
    server.restart()
    for p, r in before.items():
        same(strip(other.get(from_=p).raw), r, f"from={p}")
    new = s.create({"title": "after"}, {"title": "after2"})
    assert not set(new) & set(ids), "an _id is given again"
    r = other.get(from_=p3)
    same(set(r.by_id), set(new))
    assert r.pos > p3
    s.post([("deleted_thing", new[1])])
    pos = r.pos
    same(other.get(from_=pos).deleted, [new[1]])
    nxt = server.token(grant_type="refresh_token", refresh_token=s.pair["request_token"], **CLIENT)
    Session(server, nxt).get()
    server.restart()
    assert new[1] in other.get(from_=pos).deleted and new[1] not in other.get().by_id


def strip(r):
    things = dict(r.get("things", {}))
    if "changed" in things:
        things["changed"] = sorted(things["changed"], key=lambda t: t["_id"])
    if "deleted" in things:
        things["deleted"] = sorted(things["deleted"])
    return {**{k: v for k, v in r.items() if k != "pos"}, "things": things}


CHECKS = [restart]
