"""Routes: from a request to the body of its response."""

from .auth import grant, header_token, revoke, session_of
from .errors import ApiError, invalid
from .forms import decode_form
from .http_layer import FORM, JSON
from .other_ops import OPERATIONS
from .params import Bag, Params
from .switches import fault, legal
from .sync_op import sync
from .values import parse_json


def base_path():
    if fault("base-no-version"):
        return "/api/"
    return "/some/place/v1/" if legal("base-prefix") else "/v1/"


class App:
    def __init__(self, store):
        self.store, self.base = store, base_path()

    def __call__(self, handler, method, path, query):
        name = path[len(self.base):] if path.startswith(self.base) else None
        if name in ("token", "revoke"):
            return self._credentials(handler, method, name, query)
        if name == "sync":
            methods = ("GET", "POST")
        elif name in OPERATIONS:
            methods = OPERATIONS[name][0]
            if name == "test" and fault("test-get-only"):
                methods = ("GET",)
        else:
            raise ApiError(200 if fault("unknown-operation-200") else 404, "not_found", "There is no such operation")
        if method not in methods:
            if fault("method-any"):
                method = methods[0]
            else:
                allow = {} if fault("method-no-allow") else {"Allow": ", ".join(methods)}
                raise ApiError(405, "method_not_allowed", f"{name} has the methods {', '.join(methods)}", allow)
        return self._operation(handler, method, name, query)

    def _credentials(self, handler, method, name, query):
        if method != "POST" and not fault("token-get"):
            raise ApiError(405, "method_not_allowed", f"{name} has the method POST", {"Allow": "POST"})
        data = handler.read_body()
        kind = handler.body_type()
        if method == "GET":
            pairs = decode_form(query.encode("latin-1"))
        elif kind == JSON and name == "revoke":
            value = parse_json(data.decode("utf-8", "replace"), "the body")
            pairs = list(value.items()) if isinstance(value, dict) else []
        elif kind != FORM and not fault("type-any"):
            raise self._media(kind)
        elif fault("token-form-raw"):
            pairs = [tuple((p.split("=", 1) + [""])[:2]) for p in data.decode("latin-1").split("&") if p]
        else:
            pairs = decode_form(data)
        form = {}
        for key, value in pairs:
            form[key] = value
        return (grant if name == "token" else revoke)(self.store, form, handler.headers)

    def _media(self, kind):
        return ApiError(415, "unsupported_media_type", f"This operation does not accept {kind or 'this'}")

    def _operation(self, handler, method, name, query):
        bag = Bag(decode_form(query.encode("latin-1")))
        session = None
        header = header_token(handler.headers.get("Authorization"))
        in_query = bag.get("access_token")
        if fault("auth-no-query") or fault("auth-query-get-only") and method == "POST":
            in_query = None
        if header is not None:
            session = session_of(self.store, header, "header")
        if in_query is not None and (header is None or in_query != header):
            if header is not None and not fault("auth-two-tokens"):
                raise ApiError(400, "invalid_request", "The request contains more than one access token")
            session = session_of(self.store, in_query, "query")
        body = self._body(handler, session) if method == "POST" else None
        in_form = body.get("access_token") if body and not fault("auth-no-form") else None
        if in_form is not None:
            if not isinstance(in_form, str):
                raise invalid("access_token must be text")
            known = header if header is not None else in_query
            if known is not None and known != in_form and not fault("auth-two-tokens"):
                raise ApiError(400, "invalid_request", "The request contains more than one access token")
            if fault("auth-same-twice") and known is not None:
                raise ApiError(400, "invalid_request", "The request contains more than one access token")
            session = session_of(self.store, in_form, "form")
        if session is None:
            session = self._without_token(method)
        account = self._account(session)
        params = Params(bag, body)
        if name == "sync":
            return self._sync(account, session, params, method)
        return OPERATIONS[name][1](self.store, account, session, params)

    def _sync(self, account, session, params, method):
        store = self.store
        if session is GUEST:
            return {"pos": 0}
        if fault("user-change-others") or fault("user-delete-others"):
            self._lend(account, params, method)
        return sync(store, account, session, params, method)

    def _lend(self, account, params, method):
        """Looks an _id up among the things of all users (a fault)."""
        from .params import changed_things, ids_of
        if method != "POST":
            return
        changes = changed_things(params) if fault("user-change-others") else []
        for ident, fields in changes:
            for other in self.store.accounts.values():
                if other is not account and ident in other.things:
                    other.change(ident, fields, "nobody")
                    self.store.commit(other)
        for ident in ids_of(params, "deleted_thing") if fault("user-delete-others") else []:
            for other in self.store.accounts.values():
                if other is not account and ident in other.things:
                    other.delete(ident, "nobody")
                    self.store.commit(other)

    def _without_token(self, method):
        if fault("auth-none") or fault("auth-none-get") and method == "GET" or fault("auth-none-post") and method == "POST":
            return {"sid": "guest", "user": "alice", "client": "dev", "began": 0}
        if fault("auth-none-empty"):
            return GUEST
        raise ApiError(401, "invalid_request", "An access token is required; send it in the Authorization header",
                       {} if fault("auth-no-challenge") else {"WWW-Authenticate": 'Bearer realm="things"'})

    def _account(self, session):
        accounts = self.store.accounts
        if fault("user-per-app"):
            from .account import Account
            return accounts.setdefault(session["user"] + "/" + session["client"], Account(session["user"]))
        if fault("user-per-session"):
            from .account import Account
            return accounts.setdefault(session["sid"], Account(session["user"]))
        if fault("user-last") and self.store.sessions:
            return accounts[list(self.store.sessions.values())[-1]["user"]]
        return accounts[session["user"]]

    def _body(self, handler, session):
        data = handler.read_body()
        kind = handler.body_type()
        if kind == JSON and not fault("json-body"):
            if session is None and len(data) > 65536:
                raise ApiError(413, "too_large", "A JSON body without a token in header or query may have 64 KiB")
            try:
                text = data.decode("utf-8") if data else "{}"
            except UnicodeDecodeError:
                raise invalid("the body is not UTF-8")
            value = parse_json(text, "the body")
            if not isinstance(value, dict):
                raise invalid("the body must be an object")
            return Bag(list(value.items()), native=True)
        if kind != FORM and data and not fault("type-any"):
            raise self._media(kind)
        return Bag(decode_form(data))


GUEST = {"sid": "guest", "user": "alice", "client": "dev", "began": 0}
