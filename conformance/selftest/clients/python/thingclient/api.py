"""The client library: one call is one operation of the server."""

import hashlib
import json

from . import forms, retries
from .errors import ClientError, unexpected
from .jsonstream import Reader
from .switches import fault, habit
from .tokens import Session, token_request
from .transport import Transport

FORM = "application/x-www-form-urlencoded"
THING_FIELDS = ("_id", "title", "tags", "date", "url", "html", "archived", "todoStatus")
THING_MEMBERS = {*THING_FIELDS, "duplicate"}


def read_json(reader):
    value = reader.value()
    reader.end()
    return value


def decode_thing(value):
    """The known members of a thing that are not null. Raises unexpected_response."""
    if not isinstance(value, dict):
        raise unexpected("a thing is not an object")
    if fault("unknown-members-refused") and set(value) - THING_MEMBERS:
        raise unexpected("a thing has an unknown member")
    done = {k: value[k] for k in THING_FIELDS if value.get(k) is not None}
    if fault("null-becomes-text"):
        done = {k: "None" if value[k] is None else value[k] for k in THING_FIELDS if k in value}
    if fault("received-archived-by-presence") and "archived" in value:
        done["archived"] = True
    for name in ("_id", "title", "tags", "url", "html"):
        if not isinstance(done.get(name, ""), str):
            raise unexpected(f"{name} of a thing is not text")
    if fault("text-nfc-received"):
        import unicodedata

        done["title"] = unicodedata.normalize("NFC", done.get("title", ""))
    if fault("id-lower-case") and "_id" in done:
        done["_id"] = done["_id"].lower()
    if fault("thing-without-url-refused") and "url" not in done and "html" not in done:
        done["url"] = value["url"]
    if "_id" not in done:
        raise unexpected("a thing has no _id")
    return done


def read_sync(reader, on_changed, on_deleted):
    """Reads a sync response as a stream. Returns its other members; `pos_text` is the position as sent."""
    head = {"new": None}
    try:
        return _read_sync(reader, on_changed, on_deleted, head)
    except ClientError as problem:
        if fault("truncated-body-accepted") and problem.kind == "network":
            return {"pos": 0, "pos_text": "0", **head}
        raise


def _read_sync(reader, on_changed, on_deleted, head):
    if reader.peek() != "{":
        raise unexpected("the response is not a JSON object")
    for name in reader.members():
        if name == "pos":
            head["pos"], head["pos_text"] = reader.value(raw=True)
            if fault("pos-expected-first") and head.get("things_seen"):
                del head["pos"]
        elif name == "things" and reader.peek() == "{":
            head["things_seen"] = True
            for part in reader.members():
                if part == "new":
                    head["new"] = reader.value()
                elif part == "changed" and reader.peek() == "[":
                    for _ in reader.elements():
                        on_changed(decode_thing(reader.value()))
                    head["changed_seen"] = True
                    if fault("stream-ends-after-changed"):
                        head.setdefault("pos", 0)
                        head.setdefault("pos_text", "0")
                        return head
                elif part == "deleted" and reader.peek() == "[":
                    for _ in reader.elements():
                        identifier = reader.value()
                        if fault("deleted-expected-after-changed") and not head.get("changed_seen"):
                            continue
                        on_deleted(identifier)
                elif reader.value() is None and fault("null-crash"):
                    len(None)
        else:
            value = reader.value()
            if value is None and fault("null-crash"):
                len(value)
            if name in ("thingCount", "tags", "error", "error_description") and value is not None:
                head[name] = value
            elif fault("unknown-members-refused") and name != "things":
                raise unexpected(f"unknown member {name}")
    reader.end()
    return head


class Client:
    def __init__(self, base_url, client_id, client_secret, username=None, password=None, tokens=None, save=None):
        self.transport = Transport(base_url)
        self.session = Session(client_id, client_secret, self._post_token, username, password, tokens, save)
        self.cache = {}

    # -- one request --------------------------------------------------------------------------------------

    def _scrub(self, text):
        if fault("secret-in-error"):
            return text
        for secret in self.session.secrets():
            text = text.replace(secret, "***")
        return text

    def _reader(self, response):
        kind = response.header("content-type") or ""
        if response.status < 300:
            if fault("content-type-required") and "json" not in kind:
                raise unexpected("the response is not application/json", response.status)
            if fault("content-type-exact") and kind != "application/json":
                raise unexpected("the response is not application/json", response.status)
        latin = fault("latin1-without-charset") and "charset" not in kind
        if fault("body-read-whole"):
            return Reader([b"".join(response.chunks())])
        return Reader(response.chunks(), "latin-1" if latin else "utf-8")

    def _error(self, response):
        """The ClientError of a response that is no success."""
        if fault("error-body-left-unread"):
            return ClientError("rejected", "the server responded with an error", response.status)
        text = b""
        try:
            for chunk in response.chunks():
                text += chunk
                if len(text) > 1 << 20:
                    break
        except ClientError as problem:
            if problem.kind == "network" and response.status not in (429, 503):
                return problem
        wait = retries.wait_of(response.header("retry-after"))
        if fault("error-body-must-be-json"):
            body = json.loads(text)
        else:
            try:
                body = json.loads(text.decode("utf-8"))
            except (ValueError, RecursionError):
                body = None
        if isinstance(body, dict) and isinstance(body.get("error"), str):
            told = body.get("error_description")
            message = self._scrub(told if isinstance(told, str) else body["error"])
            return ClientError("rejected", message, response.status, body["error"], wait)
        if response.status in (401, 429, 503):
            return ClientError("rejected", f"the server responded {response.status}", response.status, None, wait)
        return ClientError("unexpected_response", f"the server responded {response.status}", response.status)

    def _once(self, method, operation, query, form, token, consume, body=None):
        headers = {}
        pairs = list(query)
        url = self.transport.url(operation)
        fields = list(form) if form is not None else None
        places = {"header"}
        if habit("token-in-form") and fields is not None and body is None:
            places = {"form"}
        if fault("token-in-query"):
            places = {"query"}
        if fault("token-two-ways"):
            places = {"header", "query"}
        if "header" in places:
            scheme = "access_token=" if habit("token-name-value") else "Bearer "
            headers["AUTHORIZATION" if habit("header-upper-case") else "Authorization"] = scheme + token
        if "query" in places:
            pairs.append(("access_token", token))
        if "form" in places:
            fields.append(("access_token", token))
        if fault("token-stale-second") and fields is not None:
            self.first_token = getattr(self, "first_token", token)
            fields.append(("access_token", self.first_token))
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = body.encode()
        elif fields is not None:
            headers["Content-Type"] = FORM + ("; charset=UTF-8" if habit("charset-in-content-type") else "")
            if fault("upload-in-query"):
                pairs += fields
                fields = []
            data = forms.encode(fields).encode("utf-8")
        else:
            data = None
        if pairs:
            url += "?" + forms.encode(pairs)
        if method == "GET" and fault("response-cached") and url in self.cache:
            return self.cache[url]
        if fault("upload-lost-on-second-try") and getattr(self, "tries", 0) and data:
            data = b""
        response = self.transport.request(method, url, headers, data)
        try:
            if not 200 <= response.status < 300:
                if fault("error-read-as-empty"):
                    return {"pos": 0, "pos_text": "0", "new": None}
                problem = self._error(response)
                if fault("secret-in-error"):
                    problem.message += f" ({method} {url} {headers})"
                raise problem
            if fault("html-read-as-empty") and "html" in (response.header("content-type") or ""):
                return {"pos": 0, "pos_text": "0", "new": None}
            result = consume(self._reader(response))
            if isinstance(result, dict) and isinstance(result.get("error"), str) and "pos" not in result:
                if not fault("error-with-200-accepted"):
                    told = result.get("error_description")
                    message = self._scrub(told if isinstance(told, str) else result["error"])
                    raise ClientError("rejected", message, response.status, result["error"])
            if fault("response-cached"):
                self.cache[url] = result
            return result
        finally:
            response.close()

    def call(self, method, operation, query=(), form=None, consume=read_json, safe=None, body=None):
        """One operation, with refresh and retries. `consume` may run again from the start."""
        safe = method == "GET" if safe is None else safe
        attempt = renewed = 0
        self.tries = 0
        while True:
            token = self.session.access()
            try:
                return self._once(method, operation, query, form, token, consume, body)
            except ClientError as problem:
                expired = problem.code == "invalid_grant" or problem.status == 401
                if fault("token-expiry-by-status-only"):
                    expired = problem.status == 401
                if fault("token-never-refreshed"):
                    expired = False
                if expired and (renewed == 0 or fault("token-refresh-loop") and renewed < 25):
                    renewed += 1
                    self.tries += 1
                    self.session.renew(token)
                    continue
                if expired:
                    raise ClientError("signed_out", problem.message, problem.status, problem.code) from None
                wait = retries.delay(problem, attempt, safe)
                if wait is None:
                    raise
                attempt += 1
                self.tries += 1
                retries.pause(wait)

    # -- tokens ---------------------------------------------------------------------------------------------

    def _post_token(self, form):
        attempt = 0
        refresh = ("grant_type", "refresh_token") in form
        while True:
            try:
                headers, data, suffix = token_request(form)
                response = self.transport.request("POST", self.transport.url("token") + suffix, headers, data)
                try:
                    if not 200 <= response.status < 300:
                        raise self._error(response)
                    answer = read_json(self._reader(response))
                finally:
                    response.close()
                if not isinstance(answer, dict):
                    raise unexpected("the token response is not an object")
                if isinstance(answer.get("error"), str) and "access_token" not in answer:
                    raise ClientError("rejected", self._scrub(str(answer.get("error_description"))), 200, answer["error"])
                return answer
            except ClientError as problem:
                if fault("secret-in-error"):
                    problem.message += " " + repr(form)
                # A grant has no effect that a second one would harm, so both may be repeated.
                safe = not (refresh and fault("token-refresh-failure-ends"))
                wait = retries.delay(problem, attempt, safe)
                if fault("token-refresh-503-ends") and refresh:
                    wait = None
                if wait is None:
                    raise
                attempt += 1
                retries.pause(wait)

    def token(self, username, password):
        return _present(self.session.sign_in(username, password))

    def refresh(self):
        return _present(self.session.refresh())

    def revoke(self):
        if fault("revoke-only-local"):
            self.session.forget()
            return
        if self.session.access_token is not None:
            self.session.access()
            token = "" if fault("revoke-without-token") else self.session.refresh_token or self.session.access_token
            form = [("token", token), *self.session._app()]
            headers = {"Content-Type": FORM, "Authorization": "Bearer " + self.session.access_token}
            response = self.transport.request("POST", self.transport.url("revoke"), headers, forms.encode(form).encode())
            try:
                if response.status >= 400:
                    raise self._error(response)
                for _ in response.chunks():
                    pass
            finally:
                response.close()
        self.session.forget()

    # -- sync -----------------------------------------------------------------------------------------------

    def read(self, position=None, skip=None, limit=None, on_changed=None, on_deleted=None, make=None):
        """One download. With `make`, each attempt calls it for fresh (on_changed, on_deleted, result)."""
        query = []
        if position is not None:
            query.append(("from", forms.number(position)))
        if fault("skip-as-page") and skip and limit:
            skip = skip // limit
        if skip is not None:
            query.append(("skip", forms.number(skip)))
        if limit is not None and not (fault("limit-zero-left-out") and limit == 0):
            query.append(("limit", forms.number(limit)))

        def consume(reader):
            changed, deleted, result = make() if make else (on_changed, on_deleted, None)
            head = read_sync(reader, changed, deleted)
            _check_head(head)
            head["result"] = result
            return head

        if habit("always-post"):
            return self.call("POST", "sync", form=query, consume=consume, safe=True)
        return self.call("GET", "sync", query=query, consume=consume)

    def upload(self, pairs, position=None, skip=None, limit=None, safe=False):
        """One upload. Returns the head of the response with the lists `changed` and `deleted`."""
        form = []
        if position is not None:
            form.append(("from", forms.number(position)))
        if skip is not None:
            form.append(("skip", forms.number(skip)))
        if limit is not None:
            form.append(("limit", forms.number(limit)))

        def consume(reader):
            changed, deleted = [], []
            head = read_sync(reader, changed.append, deleted.append)
            _check_head(head)
            head["result"] = {"changed": changed, "deleted": deleted}
            return head

        if fault("upload-by-get"):
            return self.call("GET", "sync", query=form + list(pairs), consume=consume)
        return self.call("POST", "sync", form=form + list(pairs), consume=consume, safe=safe)

    def sync(self, parameters):
        """sync with the parameters of the protocol. Returns the response, decoded."""
        p = parameters
        lists = {k: p.get(k) or [] for k in ("new_thing", "changed_thing", "deleted_thing", "skip_id")}
        pairs = forms.upload(*[lists[k] for k in ("new_thing", "changed_thing", "deleted_thing")], p.get("tag"), lists["skip_id"])
        bounds = (p.get("from"), p.get("skip"), p.get("limit"))
        if pairs:
            harmless = not lists["new_thing"] and not lists["changed_thing"] and not p.get("tag")
            head = self.upload(pairs, *bounds, safe=harmless)
            lists = head.get("result") or {"changed": [], "deleted": []}
        else:

            def make():
                lists = {"changed": [], "deleted": []}
                return lists["changed"].append, lists["deleted"].append, lists

            head = self.read(*bounds, make=make)
            lists = head.get("result") or {"changed": [], "deleted": []}
        result = {k: head[k] for k in ("pos", "thingCount", "tags") if head.get(k) is not None}
        if "thingCount" in result and fault("thing-count-recounted"):
            result["thingCount"] = len(lists["changed"]) + len(lists["deleted"])
        things = {k: v for k, v in lists.items() if v}
        new = head.get("new")
        if new and fault("new-dunder-ignored"):
            new = {k: v for k, v in new.items() if not k.startswith("__")}
        if new:
            things["new"] = new
        if things:
            result["things"] = things
        return result

    def list(self, position=None, limit=None):
        """Reads a listing without keeping its things: count, deleted, digest, pos."""
        total = _Digest()
        first = None
        skip = 0
        if fault("list-in-one-request"):
            limit = None
        while True:
            shared = total
            page = [total]

            def make(shared=shared, page=page):
                fresh = shared if fault("list-retry-counts-twice") else shared.copy()
                page[0] = fresh
                return fresh.changed, fresh.deleted, fresh

            part = None if limit is None else skip or (0 if habit("skip-zero-sent") else None)
            where = None if fault("page-without-from") and skip else position
            try:
                head = self.read(where, part, limit, make=make)
            except ClientError as problem:
                if fault("list-error-ends-it") and problem.kind == "network":
                    return page[0].result(first or 0)
                raise
            got = head["result"].count + head["result"].gone - total.count - total.gone
            changed = head["result"].count - total.count
            total = head["result"]
            if first is None or fault("list-pos-of-last-page"):
                first = head["pos"]
            advance = changed if fault("page-skip-counts-changed") else got
            skip += advance
            if fault("page-missed-after-401") and getattr(self, "tries", 0):
                skip += limit or 0
            listed = head["thingCount"] if fault("thing-count-required") else head.get("thingCount") or 0
            if fault("page-of-deletions-ends") and changed == 0 or fault("list-first-page-only"):
                break
            if limit is None or advance == 0 or limit == 0 or skip >= listed or skip > 10_000_000:
                break
        if fault("list-counts-by-thing-count"):
            total.count = head.get("thingCount") or 0
        return total.result(first)

    # -- the other operations ---------------------------------------------------------------------------------

    def _post(self, operation, fields, safe=False):
        fields = {k: v for k, v in fields.items() if v is not None}
        if fault("operations-by-get"):
            return self.call("GET", operation, query=[(k, _plain(v)) for k, v in fields.items()])
        if habit("operations-json"):
            return self.call("POST", operation, form=[], body=forms.dump(fields), safe=safe)
        return self.call("POST", operation, form=[(k, _plain(v)) for k, v in fields.items()], safe=safe)

    def _thing(self, answer):
        if not isinstance(answer, dict):
            raise unexpected("the response is not an object")
        return {**decode_thing(answer), **({"duplicate": True} if answer.get("duplicate") is True else {})}

    def thing_add(self, fields):
        return self._thing(self._post("thing/add", forms.thing(fields), safe=fault("retry-thing-add")))

    def thing_change(self, fields):
        return self._thing(self._post("thing/change", forms.thing(fields, True), safe=False))

    def thing_delete(self, identifier):
        try:
            return _present(self._post("thing/delete", {"_id": identifier}, safe=True))
        except ClientError as problem:
            if fault("delete-error-swallowed") and problem.kind == "rejected":
                return {}
            raise

    def things_get(self):
        answer = self.call("GET", "things/get")
        if not isinstance(answer, list):
            raise unexpected("the response is not an array")
        return [decode_thing(v) for v in answer]

    def get(self, operation):
        answer = self.call("GET", operation)
        if not isinstance(answer, dict):
            raise unexpected("the response is not an object")
        return _present(answer)


def _plain(value):
    if isinstance(value, bool):
        if fault("bool-as-python"):
            return "yes" if value else "no"
        return ("1" if value else "0") if habit("operations-bool-digit") else ("true" if value else "false")
    return value if isinstance(value, str) else forms.number(value)


def _present(answer):
    if not isinstance(answer, dict):
        raise unexpected("the response is not an object")
    return {k: v for k, v in answer.items() if v is not None}


def _check_head(head):
    if isinstance(head.get("error"), str) and "pos" not in head:
        if fault("error-with-200-accepted"):
            head.update(pos=0, pos_text="0")
        return
    pos = head.get("pos")
    if fault("pos-expected-first") and pos is None:
        head.update(pos=0, pos_text="0")
        return
    if isinstance(pos, bool) or not isinstance(pos, (int, float)):
        raise unexpected("the response has no pos")
    if head["new"] is not None and not isinstance(head["new"], dict):
        raise unexpected("things.new is not an object")


class _Digest:
    def __init__(self):
        self.hash = hashlib.sha256()
        self.count = self.gone = 0
        self.kept = []

    def copy(self):
        other = _Digest()
        other.hash = self.hash.copy()
        other.count, other.gone, other.kept = self.count, self.gone, self.kept
        return other

    def changed(self, thing):
        self.count += 1
        if fault("list-keeps-things"):
            self.kept.append((thing, dict(thing), json.dumps(thing)))
        self.hash.update(f"{thing['_id']}\n{thing.get('title', '')}\n".encode("utf-8", "surrogatepass"))

    def deleted(self, identifier):
        self.gone += 1

    def result(self, position):
        return {"count": self.count, "deleted": self.gone, "digest": self.hash.hexdigest(), "pos": position}
