"""Grants, access tokens and their sessions."""

import base64
import hashlib
import hmac
import re
import secrets
import time
from urllib.parse import unquote_plus

from .errors import ApiError
from .store import CLIENTS, USERS
from .switches import fault, legal

INVALID = "The access token provided is invalid"


def digest(token):
    if fault("auth-token-case"):
        token = token.lower()
    if fault("auth-token-truncated"):
        token = token[:24]
    if fault("auth-token-trimmed"):
        token = re.sub(r"[^A-Za-z0-9]", "", token)
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def new_token():
    if legal("token-base64"):
        return base64.b64encode(secrets.token_bytes(30)).decode()
    if legal("token-long"):
        return ".".join(secrets.token_urlsafe(n) for n in (30, 300, 40))
    return secrets.token_hex(20)


def _error(code, description, status=400, headers=None):
    return ApiError(status, code, description, headers)


# --- clients ------------------------------------------------------------------------------------------------------


def _client(form, headers, grant):
    """The client_id of an authenticated app."""
    ident, secret = form.get("client_id"), form.get("client_secret")
    basic = headers.get("Authorization", "")
    by_basic = basic.lower().startswith("basic ") and not fault("grant-no-basic")
    if by_basic:
        if secret is not None:
            raise _error("invalid_request", "The request contains client credentials more than once")
        try:
            user, _, word = base64.b64decode(basic[6:].strip()).decode().partition(":")
            ident, secret = unquote_plus(user), unquote_plus(word)
        except ValueError:
            ident = secret = None
    if not _client_right(ident, secret, grant):
        shown = {"WWW-Authenticate": 'Basic realm="things"'} if by_basic else {}
        raise _error("invalid_client", "client_id or client_secret is missing or wrong", 401, shown)
    return ident if ident in CLIENTS else "dev"


def _client_right(ident, secret, grant):
    expected = CLIENTS.get(ident)
    if fault("token-no-client"):
        return True
    if fault("token-client-null") and expected == secret:
        return True
    if fault("token-refresh-no-client") and grant == "refresh_token":
        return True
    if fault("token-client-any-id") and secret in CLIENTS.values():
        return True
    if expected is None:
        return False
    if fault("token-client-id-only") or fault("token-refresh-no-secret") and grant == "refresh_token":
        return True
    if fault("token-secret-absent") and secret is None:
        return True
    if fault("token-secret-empty") and secret == "":
        return True
    if fault("token-secret-other") and secret in CLIENTS.values():
        return True
    if secret is None:
        return False
    if fault("token-secret-case"):
        return secret.lower() == expected.lower()
    if fault("token-secret-trim"):
        return secret.strip() == expected
    if fault("token-secret-shorter"):
        return bool(secret) and all(a == b for a, b in zip(secret, expected))
    if fault("token-secret-prefix"):
        return bool(secret) and expected.startswith(secret)
    if fault("token-secret-like"):
        return secret.replace("%", "") == "" and "%" in secret or secret == expected
    if fault("token-secret-length"):
        return len(secret) == len(expected)
    return hmac.compare_digest(secret.encode(), expected.encode())


def _password_right(form):
    name, word = form.get("username"), form.get("password")
    if name is None and not fault("token-user-absent"):
        raise _error("invalid_request", "username is required")
    if word is None and not fault("token-password-absent"):
        raise _error("invalid_request", "password is required")
    if fault("token-user-unknown") and name not in USERS:
        return "alice"
    if fault("token-user-absent") and not name:
        return "alice"
    expected = USERS.get(name)
    if expected is None:
        return None
    if fault("token-no-password") or fault("token-password-absent") and word is None:
        return name
    if fault("token-password-empty") and word == "":
        return name
    if fault("token-password-any") and word in USERS.values():
        return name
    if fault("token-password-case") and word.lower() == expected:
        return name
    if fault("token-password-cap") and word[:8] == expected[:8]:
        return name
    if fault("token-password-trim") and word.strip() == expected:
        return name
    if fault("token-password-username") and word == name:
        return name
    if fault("token-password-secret") and word in CLIENTS.values():
        return name
    return name if word == expected else None


# --- grants -------------------------------------------------------------------------------------------------------


def grant(store, form, headers):
    kind = form.get("grant_type")
    if kind is None and not fault("token-no-grant-type"):
        raise _error("invalid_request", "grant_type is required")
    client = _client(form, headers, kind)
    if kind == "password":
        user = _password_right(form)
        if user is None:
            raise _error("invalid_grant", "username or password is wrong")
        return _begin(store, user, client)
    if kind == "refresh_token":
        return _refresh(store, form, client)
    if kind == "client_credentials" and fault("token-client-credentials"):
        return _begin(store, "alice", client)
    if fault("token-no-grant-type") and form.get("username") in USERS:
        return _begin(store, form["username"], client)
    raise _error("unsupported_grant_type", "grant_type must be refresh_token or password")


def _begin(store, user, client):
    with store.lock:
        if fault("token-same-pair"):
            for session in store.sessions.values():
                if session["user"] == user and session["client"] == client:
                    return dict(session["raw"])
        if fault("token-one-session"):
            for sid in [s["sid"] for s in store.sessions.values() if s["user"] == user]:
                store.end_session(sid)
        if fault("token-one-session-app"):
            for sid in [s["sid"] for s in store.sessions.values() if s["user"] == user and s["client"] == client]:
                store.end_session(sid)
        if fault("token-sessions-three"):
            mine = [s["sid"] for s in store.sessions.values() if s["user"] == user]
            for sid in mine[:-2]:
                store.end_session(sid)
        session = {"sid": f"{client}-{secrets.token_hex(8)}", "user": user, "client": client, "gens": [],
                   "began": int(time.time())}
        if fault("session-per-app"):  # two devices are one session
            session["sid"] = f"{client}-{user}"
            known = store.sessions.get(session["sid"])
            session = known or session
        return _issue(store, session, None)


def _issue(store, session, parent, access=None, request=None):
    seconds = 2 if fault("token-never-expires") or fault("auth-expired-form") else 600 if legal("expires-600") else 3599.5 if legal("expires-fraction") else 3600
    access, request = access or new_token(), request or new_token()
    life = {True: 3.6}.get(fault("token-dies-early"), seconds)
    gen = {"n": len(session["gens"]), "parent": parent, "access": digest(access), "refresh": digest(request),
           "expires": time.time() + life, "used": False}
    if fault("token-refresh-access-lost") and parent is not None:
        gen["access"] = digest(new_token())
    if fault("token-refresh-chain") and parent is not None:
        gen["refresh"] = digest(new_token())
    session["gens"].append(gen)
    response = {"access_token": access, "expires_in": seconds, "request_token": request, "refresh_token": request,
                "token_type": "bearer", "scope": None}
    if fault("token-same-pair"):
        session["raw"] = dict(response)
    if fault("token-same-access") or fault("token-same-request"):
        session["kept"] = [access, request]
    store.save_session(session)
    return _token_shape(response)


def _token_shape(response):
    if fault("token-no-request-token"):
        del response["request_token"]
    if fault("token-type-capital"):
        response["token_type"] = "Bearer"
    if fault("token-type-absent"):
        del response["token_type"]
    if fault("token-scope-text"):
        response["scope"] = ""
    if fault("token-scope-list"):
        response["scope"] = []
    if fault("token-expires-text"):
        response["expires_in"] = str(response["expires_in"])
    if fault("token-expires-zero"):
        response["expires_in"] = 0
    if fault("token-expires-absent"):
        del response["expires_in"]
    if fault("token-expires-null"):
        response["expires_in"] = None
    if fault("token-wrapped"):
        response = {"data": response}
    if fault("token-no-refresh-token") or legal("token-no-refresh-name"):
        del response["refresh_token"]
    if legal("token-extra"):
        response.update(user_id=7, created_at=1.5, id_token=None)
    return response


def _refresh(store, form, client):
    token = form.get("request_token" if fault("token-refresh-name") else "refresh_token")
    if token is None:
        raise _error("invalid_request", "refresh_token is required")
    wrong = _error("invalid_grant", "The refresh_token provided is invalid")
    with store.lock:
        found = store.refresh.get(digest(token))
        if not found and fault("token-access-refreshes"):
            found = store.access.get(digest(token))
        if not found and fault("token-refresh-any") and store.sessions:
            last = list(store.sessions.values())[-1]
            found = (last["sid"], 0)
        if not found:
            raise wrong
        session = store.sessions[found[0]]
        if session["client"] != client and not (fault("token-refresh-any-app") or fault("token-refresh-no-client")
                                                or fault("token-no-client")):
            raise wrong
        gen = session["gens"][found[1]]
        children = [g for g in session["gens"] if g["parent"] == gen["n"]]
        if legal("request-token-once") and children:
            raise wrong
        if any(g["used"] for g in children) and not legal("request-token-always"):
            if not fault("grant-reuse-kept"):
                store.end_session(session["sid"])
                raise wrong
        if fault("grant-no-repeat") and children:
            raise wrong
        gen["used"] = True
        if fault("token-refresh-ends-others"):
            for sid in [s["sid"] for s in store.sessions.values() if s["user"] == session["user"]]:
                if sid != session["sid"]:
                    store.end_session(sid)
        if fault("token-refresh-last-user"):
            last = [s for s in store.sessions.values() if s["client"] == client][-1]
            session = last
        if legal("access-ends-at-refresh"):
            for old in session["gens"]:
                store.access.pop(old["access"], None)
                old["expires"] = 0
        kept = session.get("kept", [None, None])
        if fault("token-refresh-new-session"):
            return _begin(store, session["user"], client)
        return _issue(store, session, gen["n"], kept[0] if fault("token-same-access") else None,
                      kept[1] if fault("token-same-request") else None)


def revoke(store, form, headers):
    client = _client(form, headers, "revoke")
    token = form.get("token")
    if token is None:
        raise _error("invalid_request", "token is required")
    with store.lock:
        known = digest(token)
        found = store.access.get(known) or store.refresh.get(known)
        if not found:
            if fault("revoke-unknown-error"):
                raise _error("invalid_grant", "The token is unknown")
            return {}
        sid = found[0]
        if store.sessions[sid]["client"] != client and not fault("revoke-any-app"):
            return {}
        if fault("revoke-nothing"):
            return {}
        if fault("revoke-token-only"):
            store.access.pop(known, None)
            store.refresh.pop(known, None)
            return {}
        if fault("revoke-access-only") and known in store.refresh:
            return {}
        if fault("revoke-all"):
            user = store.sessions[sid]["user"]
            for other in [s["sid"] for s in store.sessions.values() if s["user"] == user]:
                store.end_session(other)
            return {}
        store.end_session(sid)
    return {}


# --- access tokens ------------------------------------------------------------------------------------------------


def header_token(value):
    """The token of an Authorization header, or None."""
    if value is None or fault("auth-no-header"):
        return None
    text = value.strip()
    if re.match(r"(?i)basic(\s|$)", text):
        return None
    if legal("header-name-only"):
        match = re.fullmatch(r'access_token="?([^"]*)"?', text)
        return match.group(1) if match else text + "?"
    text = re.sub(r"(?i)^(bearer|oauth|token)\s+", "", text)
    if fault("auth-header-name"):
        pass
    else:
        text = re.sub(r"^[A-Za-z_]+\s*=\s*(?=.)", "", text)
    text = text.strip().strip('"')
    return text if text else ""


def invalid_token(place):
    code, description, status = "invalid_grant", INVALID, 401
    if fault("auth-code-invalid-token"):
        code = "invalid_token"
    if fault("auth-description"):
        description = "Invalid access token"
    if fault("auth-description-period"):
        description += "."
    if fault("auth-description-absent"):
        description = None
    if fault("auth-header-differs") and place == "header":
        code = "invalid_token"
    if fault("auth-query-differs") and place == "query":
        description = "access_token is invalid"
    if fault("auth-form-differs") and place == "form":
        code, status = "parameter_invalid", 400
    if fault("auth-status-differs") and place == "query":
        status = 403
    if fault("auth-form-status") and place == "form":
        status = 400
    return ApiError(status, code, description, {"WWW-Authenticate": 'Bearer realm="things", error="invalid_token"'})


def session_of(store, token, place):
    """The session of an access token; marks its pair as used."""
    if token == "" and fault("auth-empty-token") and store.sessions:
        return next(iter(store.sessions.values()))
    if token in ("null", "undefined") and fault("auth-null-token") and store.sessions:
        return next(iter(store.sessions.values()))
    found = store.access.get(digest(token))
    if not found and fault("auth-request-token"):
        found = store.refresh.get(digest(token))
    if not found and fault("auth-secret") and token in CLIENTS.values() and store.sessions:
        return next(iter(store.sessions.values()))
    if not found:
        raise invalid_token(place)
    session = store.sessions[found[0]]
    gen = session["gens"][found[1]]
    expired = time.time() >= gen["expires"]
    if fault("token-never-expires") or fault("auth-expired-form") and place == "form":
        expired = False
    if expired:
        raise invalid_token(place)
    if not gen["used"]:
        gen["used"] = True
        store.save_session(session)
    return session
