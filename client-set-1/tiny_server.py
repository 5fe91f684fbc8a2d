"""A small server of the protocol, for the self-test only. Strict like a server of the core; its freedoms are options."""

import gzip
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

DEFAULTS = dict(
    echo=False, tombs_in_full=False, recognise=True, clears=False, snapshots=True, step=1, reverse=False,
    single_use=False, expires_in=3600, most=0, json_sync=False, moving=0, tags_first_page=False, replaces_settings=False,
    known_codes=True, float_pos=0, nulls=False, cap_new=0, bearer_only=False,
)  # fmt: skip


class Bad(Exception):
    def __init__(self, status, code, text):
        self.status, self.code, self.text = status, code, text


class World:
    """One account and its tokens, with the options of the server."""

    def __init__(self, **options):
        self.o = {**DEFAULTS, **options}
        self.lock = threading.RLock()
        self.counter = 0
        self.things, self.gone, self.settings = {}, {}, {}
        self.made = {}
        self.access, self.refreshes, self.used = {}, {}, set()
        self.sessions = 0
        self.snapshots = {}
        self.log = []
        self.script = []
        self.number = 0
        self.grants = []

    def next(self):
        self.counter += self.o["step"]
        return self.counter

    # -- tokens ---------------------------------------------------------------------------------------------------

    def issue(self, session):
        self.number += 1
        a, r = f"acc{self.number}", f"ref{self.number}"
        self.access[a] = (session, time.time() + self.o["expires_in"])
        self.refreshes[r] = session
        return {"access_token": a, "expires_in": self.o["expires_in"], "request_token": r, "token_type": "bearer", "scope": None}

    def token(self, form):
        f = dict(form)
        self.grants.append(f.get("grant_type"))
        if (f.get("client_id"), f.get("client_secret")) != ("dev", "s3cr+t&%"):
            raise Bad(401, "invalid_client", "no such app")
        if f.get("grant_type") == "password":
            if (f.get("username"), f.get("password")) != ("alice", " wörd+&%=land"):
                raise Bad(400, "invalid_grant", "wrong password")
            self.sessions += 1
            return self.issue(self.sessions)
        if f.get("grant_type") == "refresh_token":
            token = f.get("refresh_token")
            if token not in self.refreshes or self.o["single_use"] and token in self.used:
                raise Bad(400, "invalid_grant", "wrong refresh token")
            self.used.add(token)
            return self.issue(self.refreshes[token])
        raise Bad(400, "unsupported_grant_type", "no such grant")

    def session_of(self, handler, query, form):
        given = []
        head = handler.headers.get("authorization")
        if head:
            for prefix in ("Bearer ", "access_token="):
                if head.startswith(prefix):
                    given.append(head[len(prefix) :])
        given += [v for n, v in query + form if n == "access_token"]
        handler.tokens = given
        if len(set(given)) > 1:
            raise Bad(400, "invalid_request", "two tokens")
        session, until = self.access.get(given[0] if given else None, (None, 0))
        if session is None or until < time.time():
            status = 401 if self.o["known_codes"] else 400
            raise Bad(status, "invalid_grant", "The access token provided is invalid")
        return session

    def revoke_access(self):
        self.access.clear()

    # -- things -----------------------------------------------------------------------------------------------------

    def check(self, thing, key):
        if not isinstance(thing, dict) or key not in thing or not isinstance(thing.get("title"), str):
            raise Bad(400, "parameter_invalid", "a thing needs " + key + " and title")
        if "REJECT" in thing["title"]:
            raise Bad(400, "parameter_invalid", "title is not allowed")
        for name, kinds in (("tags", str), ("url", str), ("html", str), ("archived", bool), ("todoStatus", bool)):
            if thing.get(name) is not None and not isinstance(thing[name], kinds):
                raise Bad(400, "parameter_invalid", name)
        if thing.get("date") is not None and (isinstance(thing["date"], bool) or not isinstance(thing["date"], (int, float))):
            raise Bad(400, "parameter_invalid", "date")

    def write(self, thing, fields, session, change=False):
        kept = {} if change and self.o["clears"] else {k: v for k, v in thing.items() if k != "archived"}
        for name in ("title", "tags", "date", "url", "html", "archived", "todoStatus"):
            if fields.get(name) is not None:
                kept[name] = fields[name]
        kept.setdefault("date", thing.get("date", int(time.time())))
        kept.setdefault("tags", "")
        for name in ("url", "html"):
            if kept.get(name) == "":
                del kept[name]
        if not kept.get("archived"):
            kept.pop("archived", None)
        kept.update(_id=thing["_id"], at=self.next(), by=session, other=thing.get("other", 0))
        if session != thing.get("by", session):
            kept["other"] = thing["at"]
        self.things[thing["_id"]] = kept
        return kept

    def add(self, fields, session=0, identifier=None):
        self.number += 1
        identifier = identifier or f"aB{self.number}"
        return self.write({"_id": identifier, "by": session, "at": 0}, fields, session)["_id"]

    def change(self, identifier, session=0, **fields):
        thing = self.things[identifier]
        self.write(thing, {"title": thing["title"], **fields}, session)

    def delete(self, identifier):
        if self.things.pop(identifier, None):
            self.gone[identifier] = self.next()

    def set_tag(self, name, session=0, **settings):
        old = self.settings.get(name, {"favorite": False, "color": False, "todo": False})
        if self.o["replaces_settings"]:
            old = {"favorite": False, "color": False, "todo": False}
        if settings.get("todo") is True:
            settings["todo"] = "strike"
        self.settings[name] = {**old, **settings, "at": self.next()}

    def todo(self, thing):
        return any(self.settings.get(t, {}).get("todo") for t in thing["tags"].split(" "))

    def show(self, thing):
        done = {k: v for k, v in thing.items() if k not in ("at", "by", "other", "todoStatus")}
        if self.todo(thing):
            done["todoStatus"] = thing.get("todoStatus", False)
        if self.o["nulls"]:
            for name in ("url", "html", "archived", "extra"):
                done.setdefault(name, None)
            done["unknown"] = {"deep": [1, {"x": None}]}
        return done

    def shown_settings(self, s):
        return {k: v for k, v in s.items() if k != "at"} | ({"icon": "x"} if self.o["nulls"] else {})

    def sync(self, session, method, form):
        several = {"new_thing": [], "changed_thing": [], "deleted_thing": [], "skip_id": []}
        tags, number = {}, {}
        for name, value in form:
            plain = name[:-2] if name.endswith("[]") else name
            if plain in several:
                if method == "GET" and plain != "skip_id":
                    raise Bad(400, "parameter_invalid", "upload in a GET")
                if plain in ("new_thing", "changed_thing"):
                    try:
                        value = json.loads(value)
                    except ValueError:
                        raise Bad(400, "parameter_invalid", plain) from None
                elif value.startswith("["):
                    value = json.loads(value)
                several[plain] += value if isinstance(value, list) else [value]
            elif name.startswith("tag[") and name.endswith("]"):
                tags[name[4:-1]] = json.loads(value)
            elif name in ("from", "skip", "limit"):
                try:
                    number[name] = float(value) if "." in value else int(value)
                except ValueError:
                    raise Bad(400, "parameter_invalid", name) from None
                if number[name] < 0:
                    raise Bad(400, "parameter_invalid", name)
        since = number.get("from", 0)
        if self.o["float_pos"]:
            since = round((since) * 1000)
        uploads = len(several["new_thing"]) + len(several["changed_thing"]) + len(several["deleted_thing"])
        if self.o["most"] and uploads > self.o["most"]:
            raise Bad(413, "too_large", f"at most {self.o['most']} things")
        names = []
        for n in several["new_thing"]:
            self.check(n, "local_id")
            if isinstance(n["local_id"], (bool, dict, list)):
                raise Bad(400, "parameter_invalid", "local_id")
            names.append(str(n["local_id"]))
        if len(set(names)) < len(names):
            raise Bad(400, "parameter_invalid", "shared local_id")
        for c in several["changed_thing"]:
            self.check(c, "_id")
        for d in several["deleted_thing"]:
            if not isinstance(d, str) or not d.isalnum():
                raise Bad(400, "parameter_invalid", "deleted_thing")
        for name, s in tags.items():
            if not isinstance(s, dict) or "todo" in s and not isinstance(s["todo"], bool) and s["todo"] not in ("strike", "dont-strike"):
                raise Bad(400, "parameter_invalid", "tag")
            if s.get("color") and not (isinstance(s["color"], str) and s["color"].startswith("#")):
                raise Bad(400, "parameter_invalid", "color")
            if any(v is None for v in s.values()):
                raise Bad(400, "parameter_invalid", "tag")
        new, own, missing = {}, set(), []
        for n in several["new_thing"]:
            key = (session, str(n["local_id"]), "from" in number and number["from"])
            known = self.made.get(key)
            if self.o["recognise"] and "from" in number and known:
                identifier = known
                if identifier in self.things:
                    self.write(self.things[identifier], n, session)
                else:
                    missing.append(identifier)
            else:
                identifier = self.add(n, session)
                self.made[key] = identifier
            new[str(n["local_id"])] = identifier
            own.add(identifier)
        for c in several["changed_thing"]:
            own.add(c["_id"])
            if c["_id"] in self.things:
                self.write(self.things[c["_id"]], c, session, True)
            else:
                missing.append(c["_id"])
        for d in several["deleted_thing"]:
            self.delete(d)
            own.add(d)
        for name, s in tags.items():
            self.set_tag(name, session, **s)
        if since > self.counter:
            since = 0
        key = (session, since)
        if self.o["snapshots"] and key in self.snapshots and number.get("skip") and not uploads and not tags:
            listing, pos, count = self.snapshots[key]
        else:
            changed = [t for t in self.things.values() if t["at"] > since]
            if not self.o["echo"]:
                changed = [t for t in changed if t["_id"] not in own or (t["other"] > since or since == 0 and t["other"])]
            changed = sorted(changed, key=lambda t: t["at"], reverse=self.o["reverse"])
            gone = [i for i, at in self.gone.items() if at > since and (since or self.o["tombs_in_full"])]
            gone = [i for i in gone if i not in several["deleted_thing"] or self.o["echo"]] + [m for m in missing]
            listing = [("c", self.show(t)) for t in changed] + [("d", i) for i in dict.fromkeys(gone)]
            listing = [(k, v) for k, v in listing if (v if k == "d" else v["_id"]) not in several["skip_id"]]
            pos = self.counter
            count = len(listing)
            if not uploads:
                self.snapshots[key] = listing, pos, count
        part = listing[number.get("skip", 0) :]
        if "limit" in number:
            part = part[: number["limit"]]
        if self.o["moving"]:
            self.counter += self.o["moving"]
        out = {"pos": pos / 1000 if self.o["float_pos"] else pos}
        things = {}
        if new:
            things["new"] = dict(reversed(new.items()))
        deleted = [v for k, v in part if k == "d"]
        if deleted:
            things["deleted"] = deleted  # before changed, which is legal
        changed = [v for k, v in part if k == "c"]
        if changed:
            things["changed"] = changed
        first = number.get("skip", 0) == 0
        if since == 0:
            shown = {n: s for n, s in self.settings.items() if s["favorite"] or s["color"] or s["todo"]}
        else:
            shown = {n: s for n, s in self.settings.items() if s["at"] > since}
        shown.update({n: self.settings[n] for n in tags})
        if shown and (first or not self.o["tags_first_page"]):
            out["tags"] = {n: self.shown_settings(s) for n, s in shown.items()}
        if things:
            out["things"] = things
        elif self.o["nulls"]:
            out["things"] = None
        if self.o["nulls"]:
            out.setdefault("tags", None)
            out["server"] = {"name": "tiny"}
        if count + len(new):
            out["thingCount"] = count + len(new)
        if self.o["reverse"]:
            out = dict(reversed(out.items()))
        return out

    def operation(self, name, method, session, query, form):
        f = dict(form)
        for b in ("archived", "todoStatus"):
            if b in f:
                if str(f[b]).lower() not in ("true", "false", "1", "0"):
                    raise Bad(400, "parameter_invalid", b)
                f[b] = str(f[b]).lower() in ("true", "1")
        if "date" in f:
            f["date"] = float(f["date"])
            f["date"] = int(f["date"]) if f["date"].is_integer() else f["date"]
        wanted = "POST" if name in ("thing/add", "thing/change", "thing/delete") else "GET"
        if method != wanted:
            raise Bad(405, "method_not_allowed", "use " + wanted)
        if name == "thing/add":
            self.check({**f, "_id": ""}, "_id")
            return self.show(self.things[self.add(f, session)])
        if name in ("thing/change", "thing/delete") and f.get("_id") not in self.things:
            raise Bad(404, "not_found", "no such thing")
        if name == "thing/change":
            old = self.things[f["_id"]]
            self.write(old, {"archived": old.get("archived"), "title": old["title"], **f}, session)
            return self.show(self.things[f["_id"]])
        if name == "thing/delete":
            self.delete(f["_id"])
            return {"deleted_thing": f["_id"]}
        if name == "things/get":
            return [self.show(t) for t in self.things.values() if not t.get("archived")]
        if name == "tags/get":
            return {"pos": self.counter, "favorite": {}, "other": {}}
        return {"username": "alice", "date": 1, "pos": self.counter, "thingCount": len(self.things)}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.serve("GET")

    def do_POST(self):
        self.serve("POST")

    def body(self):
        if self.headers.get("transfer-encoding", "") == "chunked":
            data = b""
            while True:
                size = int(self.rfile.readline(), 16)
                data += self.rfile.read(size)
                self.rfile.readline()
                if size == 0:
                    return data
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def serve(self, method):
        world = self.server.world
        parts = urlsplit(self.path)
        data = self.body()
        step = {}
        base = self.server.base
        operation = parts.path[len(base) :] if parts.path.startswith(base) else None
        entry = {"method": method, "op": operation, "path": self.path, "auth": self.headers.get("authorization"), "body": data.decode("utf-8", "replace")}
        entry["type"] = self.headers.get("content-type")
        self.tokens = []
        with world.lock:
            world.log.append(entry)
            is_upload = method == "POST" and any(
                n.startswith(("new_thing", "changed_thing", "deleted_thing", "tag[")) for n, _ in parse_qsl(data.decode("latin-1"))
            )
            for s in world.script:
                meant = s.get("op", operation) == operation and s.get("upload", is_upload) == is_upload
                if meant and s.get("skip", 0) <= 0:
                    step = s
                    s["times"] = s.get("times", 1) - 1
                    if s["times"] <= 0:
                        world.script.remove(s)
                    break
                s["skip"] = s.get("skip", 0) - meant
        if step.get("before"):
            step["before"]()
        status, headers = 200, {"Content-Type": "application/json", "Cache-Control": "no-store"}
        try:
            if step.get("status"):
                status, out = step["status"], step.get("json", {"error": "temporarily_unavailable", "error_description": "later"})
            else:
                out = self.answer(world, method, operation, parts.query, data, entry)
        except Bad as bad:
            status, out = bad.status, {"error": bad.code, "error_description": bad.text}
            if step.get("all_200"):
                status = 200
        except Exception as crash:
            world.log.append({"crash": repr(crash)})
            status, out = 500, {"error": "server_error", "error_description": repr(crash)}
        entry["status"] = status
        if step.get("after"):
            step["after"]()
        if step.get("drop"):
            self.close_connection = True
            self.connection.close()
            return
        text = step.get("text")
        raw = text.encode() if isinstance(text, str) else text if text is not None else json.dumps(out, ensure_ascii=step.get("ascii", True)).encode()
        headers.update(step.get("headers", {}))
        if step.get("no_type"):
            del headers["Content-Type"]
        if step.get("gzip") and "gzip" in (self.headers.get("accept-encoding") or ""):
            raw = gzip.compress(raw)
            headers["Content-Encoding"] = "gzip"
        if step.get("br") and "br" in (self.headers.get("accept-encoding") or ""):
            raw = b"\x0b\x02\x80" + raw
            headers["Content-Encoding"] = "br"
        chunk = step.get("chunk")
        head = f"HTTP/1.1 {status} X\r\n" + "".join(f"{k}: {v}\r\n" for k, v in headers.items())
        head += "Transfer-Encoding: chunked\r\n\r\n" if chunk else f"Content-Length: {len(raw)}\r\n\r\n"
        cut = step.get("cut")
        try:
            if chunk:
                self.wfile.write(head.encode())
                for i in range(0, len(raw), chunk):
                    piece = raw[i : i + chunk]
                    self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                    if cut and i > cut:
                        self.close_connection = True
                        self.connection.close()
                        return
                self.wfile.write(b"0\r\n\r\n")
            else:
                self.wfile.write(head.encode() + (raw[:cut] if cut else raw))
                if cut or step.get("close"):
                    self.close_connection = True
        except OSError:
            self.close_connection = True

    def answer(self, world, method, operation, query, data, entry):
        pairs = dict(keep_blank_values=True, strict_parsing=False, encoding="utf-8", errors="strict")
        query = parse_qsl(query, **pairs)
        entry["query"] = query
        form = []
        kind = (self.headers.get("content-type") or "").split(";")[0]
        if method == "POST":
            if kind == "application/x-www-form-urlencoded":
                try:
                    form = parse_qsl(data.decode("ascii"), **pairs)
                except ValueError:
                    raise Bad(400, "parameter_invalid", "form") from None
            elif kind == "application/json" and operation and operation.startswith("thing"):
                form = list(json.loads(data).items())
            else:
                raise Bad(415, "unsupported_media_type", "form")
        entry["form"] = form
        with world.lock:
            if operation == "token" and method == "POST":
                return world.token(form)
            if operation is None:
                raise Bad(404, "not_found", "no such path")
            if operation == "revoke" and method == "POST":
                session = world.refreshes.get(dict(form).get("token"))
                if session is None:
                    raise Bad(400, "invalid_request", "no such token")
                world.access = {a: s for a, s in world.access.items() if s[0] != session}
                world.refreshes = {a: s for a, s in world.refreshes.items() if s != session}
                return {}
            session = world.session_of(self, query if operation != "x" else [], form)
            entry["session"] = session
            if operation == "sync":
                return world.sync(session, method, form if method == "POST" else query)
            if operation in ("thing/add", "thing/change", "thing/delete", "things/get", "tags/get", "user/get"):
                return world.operation(operation, method, session, query, form)
            raise Bad(404, "not_found", "no such operation")


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        pass  # connections that the client or a script broke


def start(world, base="/deep/v1/"):
    server = Server(("127.0.0.1", 0), Handler)
    server.world, server.base = world, base
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    server.url = f"http://127.0.0.1:{server.server_port}{base}"
    return server
