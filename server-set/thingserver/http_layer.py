"""HTTP: reading requests, writing responses, errors."""

import functools
import gzip
import json
import re
import socket
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .errors import ApiError, DropConnection
from .switches import fault, legal

MAX_BODY = 32 * 1024 * 1024
FORM, JSON = "application/x-www-form-urlencoded", "application/json"


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = True

    def handle_error(self, request, client_address):
        pass  # a client that went away


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    rbufsize = 65536
    app = None  # the application: app(handler, method, path, query) gives the body of a response
    cache = {}

    def log_message(self, *args):
        pass

    def send_error(self, code, message=None, explain=None):
        """Errors of http.server itself, as JSON."""
        self.close_connection = True
        self.answer(code, {"error": "parameter_invalid", "error_description": message or "The request cannot be read as HTTP"})

    def do_any(self):
        self.body_bytes = None
        status, headers = 200, {}
        path, _, query = self.path.partition("?")
        path = re.sub(r"^https?://[^/]+", "", path)
        try:
            key = self._cache_key()
            if key and key in self.cache and self.cache[key][0] > time.monotonic():
                body = self.cache[key][1]
            else:
                body = self.app(self, self.command, path, query)
                if key:
                    self.cache[key] = (time.monotonic() + 2, body)
        except DropConnection:
            self.close_connection = True
            return
        except ApiError as error:
            status, headers, body = error.status, error.headers, {"error": error.code, "error_description": error.description}
        except Exception as error:  # a bug
            traceback.print_exc()
            status, body = 500, {"error": "server_error", "error_description": f"The server failed: {type(error).__name__}"}
        try:
            self.drain()
        except ApiError:
            self.close_connection = True
        self.answer(status, body, headers)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = do_any

    def _cache_key(self):
        if self.command != "GET":
            return None
        if fault("cache-no-user"):
            return self.path.split("access_token")[0]
        if fault("cache-user"):
            return self.path + str(self.headers.get("Authorization"))
        return None

    # --- the body of a request ----------------------------------------------------------------------------------

    def drain(self):
        if self.body_bytes is None and not fault("keepalive-body-unread"):
            self.read_body()

    def read_body(self):
        if self.body_bytes is not None:
            return self.body_bytes
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            if fault("chunked-rejected"):
                self.close_connection, self.body_bytes = True, b""
                raise ApiError(411, "parameter_invalid", "Content-Length is required")
            self.body_bytes = self._chunks()
            if fault("chunked-first"):
                self.body_bytes = self.first_chunk
            if fault("chunked-ignored"):
                self.body_bytes = b""
        else:
            try:
                length = int(self.headers.get("Content-Length") or 0)
            except ValueError:
                length = -1
            if length < 0 or length > MAX_BODY:
                self.close_connection, self.body_bytes = True, b""
                raise ApiError(413, "too_large", f"The request body is larger than {MAX_BODY} bytes")
            self.body_bytes = self.rfile.read(length)
        return self.body_bytes

    def _chunks(self):
        parts, total, self.first_chunk = [], 0, b""
        while True:
            line = self.rfile.readline(1000)
            try:
                size = int(line.split(b";")[0].strip(), 16)
            except ValueError:
                size = -1
            if size < 0 or total + size > MAX_BODY:
                self.close_connection, self.body_bytes = True, b""
                raise ApiError(413 if size > 0 else 400, "too_large" if size > 0 else "parameter_invalid", "The body cannot be read")
            if size == 0:
                while self.rfile.readline(8000) not in (b"\r\n", b"\n", b""):
                    pass
                return b"".join(parts)
            parts.append(self.rfile.read(size))
            self.first_chunk = self.first_chunk or parts[0]
            total += size
            self.rfile.readline(10)

    def body_type(self):
        text = self.headers.get("Content-Type", "")
        if fault("type-exact"):
            return text
        kind = text.split(";")[0].strip()
        return kind if fault("type-case") else kind.lower()

    # --- responses ----------------------------------------------------------------------------------------------

    def answer(self, status, body, headers=None):
        head = {"Content-Type": "application/json", "Cache-Control": "no-store"}
        head.update(headers or {})
        is_error = isinstance(body, dict) and "error" in body
        if is_error:
            status, body = self._error_shape(status, body)
        data = body if isinstance(body, bytes) else encode(body)
        if isinstance(body, bytes):
            head["Content-Type"] = "text/html"
        if legal("content-type-text"):
            head["Content-Type"] = "text/plain"
        if legal("content-type-charset"):
            head["Content-Type"] = "application/json; charset=utf-8"
        if fault("json-bom"):
            data = b"\xef\xbb\xbf" + data
        if fault("json-guard"):
            data = b")]}',\n" + data
        if legal("gzip") and "gzip" in self.headers.get("Accept-Encoding", ""):
            data, head["Content-Encoding"] = gzip.compress(data, 1), "gzip"
        if legal("more-headers"):
            head.update({"X-Frame-Options": "DENY", "Server-Timing": "a;dur=1", "Vary": "*", "ETag": '"1"', "x-lower": "1"})
        if legal("slow"):
            time.sleep(0.05)
        if legal("connection-close"):
            self.close_connection = True
        if self.close_connection:
            head["Connection"] = "close"
        self._write(status, head, data)

    def _error_shape(self, status, body):
        if legal("error-200"):
            status = 200
        if legal("error-400"):
            status = 400
        if legal("error-418"):
            status = 418
        if legal("error-codes") and body["error"] != "invalid_grant":
            body = dict(body, error="E_" + body["error"].upper())
        if legal("extra-in-errors"):
            body = dict(body, error_uri="https://example.org/", code=17, details=[])
        if fault("error-no-description") or body.get("error_description") is None:
            body = {"error": body["error"]}
        if fault("error-message"):
            body = {"message": body.get("error_description"), "code": body["error"]}
        if fault("error-nested"):
            body = {"error": {"code": body["error"], "message": body.get("error_description")}}
        if fault("error-code-number"):
            body = dict(body, error=status)
        if fault("error-list"):
            body = [body]
        if fault("error-description-list"):
            body = dict(body, error_description=[body.get("error_description")])
        if fault("error-text"):
            body = str(body.get("error_description")).encode()
        if fault("error-empty"):
            body = b""
        if fault("error-html-400") and status == 400:
            body = b"<html><body><h1>Bad Request</h1></body></html>"
        if fault("error-html-404") and status == 404:
            body = b"<html><body><h1>Not Found</h1></body></html>"
        if fault("error-token-text") and status in (400, 401) and "/token" in self.path:
            body = b"invalid credentials"
        return status, body

    def _write(self, status, head, data):
        length = len(data)
        if fault("length-characters"):
            length = len(data.decode("utf-8", "replace"))
        chunked = legal("chunked") and self.request_version != "HTTP/1.0"
        if chunked:
            head["Transfer-Encoding"] = "chunked"
        elif legal("until-close"):
            self.close_connection, head["Connection"] = True, "close"
        else:
            head["Content-Length"] = str(length)
        lines = [f"HTTP/1.1 {status} {'OK' if status < 300 else 'Error'}"] + [f"{k}: {v}" for k, v in head.items()]
        start = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
        if self.command == "HEAD":
            data = b""
        data = data[:length]
        try:
            if chunked:
                size = max(1, len(data) // 7)
                pieces = [data[i:i + size] for i in range(0, len(data), size)]
                self.wfile.write(start + b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in pieces) + b"0\r\n\r\n")
            elif legal("small-packets"):
                for i in range(0, len(start + data), 700):
                    self.wfile.write((start + data)[i:i + 700])
            else:
                self.wfile.write(start + data)
        except (BrokenPipeError, ConnectionResetError, socket.timeout):
            self.close_connection = True


# --- JSON ---------------------------------------------------------------------------------------------------------


@functools.lru_cache(None)
def _escape_all(char):
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02X}" for i in range(0, len(units), 2))


def _every_string(value):
    """JSON with an escape for every character of a string that is not part of a key."""
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(k) + ":" + _every_string(v) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_every_string, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(map(_escape_all, value)) + '"'
    return json.dumps(value)


def _numbers(value, form):
    """Other spellings of the same numbers."""
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(k) + ":" + _numbers(v, form) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_numbers(v, form) for v in value) + "]"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value}.0" if form == "fraction" else f"{value}e0"
    return json.dumps(value)


def encode(value):
    """A JSON value as bytes."""
    if legal("json-escape-all"):
        return _every_string(value).encode()
    if legal("number-fraction") or legal("number-exponent"):
        return _numbers(value, "fraction" if legal("number-fraction") else "exponent").encode()
    if legal("json-ascii"):
        return json.dumps(value).encode()
    if legal("json-pretty"):
        return ("\n  " + json.dumps(value, indent=4, ensure_ascii=False).replace("\n", "\r\n") + "\n\n").encode("utf-8", "replace")
    if legal("json-slash"):
        return json.dumps(value, ensure_ascii=False).replace("/", "\\/").encode("utf-8", "replace")
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if fault("json-raw-newline"):
        text = re.sub(r"(?<!\\)\\n", "\n", text)
    if fault("json-raw-quote"):
        text = text.replace('\\"', '"')
    if fault("json-raw-backslash"):
        text = text.replace("\\\\", "\\")
    if fault("json-cesu"):
        return b"".join(_cesu(c) for c in text)
    if fault("json-latin1"):
        return text.encode("latin-1", "replace")
    return text.encode("utf-8", "replace")


def _cesu(char):
    if ord(char) < 0x10000:
        return char.encode("utf-8", "replace")
    units = char.encode("utf-16-be")
    return b"".join(chr(units[i] << 8 | units[i + 1]).encode("utf-8", "surrogatepass") for i in (0, 2))
