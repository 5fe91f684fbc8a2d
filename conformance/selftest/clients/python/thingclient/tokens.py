"""The tokens of one session: one grant and one refresh at a time."""

import sys
import threading
import time

from . import forms
from .errors import ClientError, unexpected
from .switches import fault, habit


class Session:
    """Holds the token pair. `send` posts a form to the token endpoint; `save` keeps a pair before it is used."""

    def __init__(self, client_id, client_secret, send, username=None, password=None, tokens=None, save=None):
        self.client_id = client_id
        self.client_secret = client_secret
        self.send = send
        self.save = save or (lambda pair: None)
        self.lock = threading.RLock()
        self.credentials = (username, password) if username is not None else None
        self.access_token = None
        self.refresh_token = None
        self.expires_at = None
        self.valid_for = None
        self.ended = False
        if tokens:
            self._take(tokens)

    def _take(self, answer):
        access = answer.get("access_token")
        if not isinstance(access, str) or not access:
            raise unexpected("the token response has no access_token")
        if fault("token-scope-required") and len(answer["scope"]) < 0:
            raise unexpected("the token response has no scope")
        refresh = answer.get("request_token") or answer.get("refresh_token")
        if fault("token-other-field"):
            refresh = answer.get("refresh_token")
        if fault("token-old-refresh-kept") and self.refresh_token:
            refresh = self.refresh_token
        self.refresh_token = refresh or self.refresh_token
        self.access_token = access
        seconds = answer.get("expires_in")
        if isinstance(seconds, (int, float)) and not isinstance(seconds, bool):
            self.valid_for = float(seconds)
            self.expires_at = time.time() + seconds
        else:
            self.valid_for = self.expires_at = None
        self.ended = False

    def pair(self):
        return {
            "access_token": self.access_token,
            "request_token": self.refresh_token,
            "expires_at": self.expires_at,
        }

    def secrets(self):
        values = [self.client_secret, self.access_token, self.refresh_token]
        return [v for v in values + [(self.credentials or (0, None))[1]] if v]

    def _app(self):
        return [("client_id", self.client_id), ("client_secret", self.client_secret)]

    def _stale(self):
        if self.expires_at is None or habit("refresh-only-after-401"):
            return False
        margin = min(30.0, self.valid_for * 0.1)
        if habit("refresh-at-half-time"):
            margin = self.valid_for / 2
        if fault("token-margin-fixed"):
            margin = 300.0
        now = time.time() * 1000 if fault("token-lifetime-milliseconds") else time.time()
        return now >= self.expires_at - margin

    def access(self):
        """A token that should be valid; obtains or refreshes it first when needed."""
        if fault("token-grant-per-caller") and self.access_token is None and self.credentials:
            return self._grant_password(*self.credentials) and self.access_token
        with self.lock:
            if self.ended and not fault("revoke-keeps-tokens"):
                raise ClientError("signed_out", "the session has ended")
            if self.access_token is None:
                if self.credentials is None:
                    raise ClientError("signed_out", "there are no tokens")
                self._grant_password(*self.credentials)
            elif self._stale():
                self._refresh()
            return self.access_token

    def sign_in(self, username, password):
        with self.lock:
            return self._grant_password(username, password)

    def _grant_password(self, username, password):
        if fault("password-trimmed"):
            password = password.strip()
        form = [("grant_type", "password"), *self._app(), ("username", username), ("password", password)]
        answer = self.send(form)
        self._take(answer)
        if not fault("token-password-each-time"):
            self.credentials = None  # no longer needed
        self.save(self.pair())
        return answer

    def renew(self, failed):
        """Replaces the access token that failed, unless another caller did so already."""
        if fault("token-refresh-per-caller"):
            return self._refresh()
        with self.lock:
            if self.access_token != failed and not fault("token-refreshed-again"):
                return None
            return self._refresh()

    def refresh(self):
        with self.lock:
            if self.access_token is None and self.credentials:
                return self._grant_password(*self.credentials)
            return self._refresh()

    def _refresh(self):
        if fault("token-password-each-time") and self.credentials:
            return self._grant_password(*self.credentials)
        if self.ended or not self.refresh_token:
            self.ended = True
            raise ClientError("signed_out", "there is no refresh token")
        name = "request_token" if fault("token-refresh-wrong-name") else "refresh_token"
        app = self._app()[:1] if fault("token-refresh-without-secret") else self._app()
        form = [("grant_type", "refresh_token"), *app, (name, self.refresh_token)]
        before = self.refresh_token
        try:
            answer = self.send(form)
        except ClientError as problem:
            if fault("token-refresh-failure-ends") and problem.kind != "rejected":
                self.ended = True
                raise ClientError("signed_out", "the refresh failed") from None
            if fault("token-refresh-503-ends") and problem.kind == "rejected":
                problem.status = 400
            if problem.kind == "rejected" and (
                problem.code == "invalid_grant" or problem.status in (400, 401, 403) and problem.code != "invalid_client"
            ):
                if fault("token-end-reported-as-network"):
                    raise ClientError("network", "the server cannot be reached") from None
                if self.credentials and not fault("token-password-each-time"):
                    return self._grant_password(*self.credentials)  # stored tokens of an earlier run
                self.ended = True
                raise ClientError("signed_out", "the session has ended", problem.status, problem.code) from None
            raise
        self._take(answer)
        if fault("token-written-to-log"):
            print(f"refreshed {before} -> {self.access_token}", file=sys.stderr, flush=True)
        self.save(self.pair())
        return answer

    def forget(self):
        with self.lock:
            self.ended = True
            if not fault("revoke-keeps-tokens"):
                self.access_token = self.refresh_token = None
            self.credentials = None


def token_request(form):
    """Headers and body of a token request."""
    if fault("token-request-json"):
        return {"Content-Type": "application/json"}, forms.dump(dict(form)).encode(), ""
    if fault("token-request-in-query"):
        return {"Content-Type": "application/x-www-form-urlencoded"}, b"", "?" + forms.encode(form)
    kind = "application/x-www-form-urlencoded"
    if habit("charset-in-content-type"):
        kind += "; charset=utf-8"
    body = forms.encode(form)
    if fault("token-form-not-encoded"):
        body = "&".join(f"{n}={v}" for n, v in form)
    return {"Content-Type": kind}, body.encode(), ""
