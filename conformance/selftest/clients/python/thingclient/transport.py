"""HTTP/1.1 with kept connections, gzip and streaming bodies. It neither follows redirects nor retries."""

import http.client
import select
import threading
import zlib
from urllib.parse import urljoin, urlsplit

from .errors import network, unexpected
from .switches import fault, habit

TIMEOUT = 30.0


class Response:
    def __init__(self, transport, connection, raw):
        self.transport = transport
        self.connection = connection
        self.raw = raw
        self.status = raw.status
        self.finished = False

    def header(self, name):
        return self.raw.getheader(name)

    def chunks(self):
        """Yields the decoded body. Raises network when the body is not whole."""
        gzip = (self.header("content-encoding") or "").strip().lower()
        if fault("gzip-not-decoded"):
            gzip = ""
        if gzip not in ("", "identity", "gzip", "x-gzip"):
            raise unexpected("the response has an unknown content encoding", self.status)
        pieces = self._gunzip(self._pieces()) if "gzip" in gzip else self._pieces()
        yield from pieces
        self.finished = True
        self.raw.close()
        self.transport.release(self)

    def _pieces(self):
        size = 7 if habit("small-reads") else 16384
        while True:
            try:
                piece = self.raw.read1(size)
            except (OSError, http.client.HTTPException, ValueError):
                if fault("truncated-body-accepted"):
                    return
                raise network("the connection broke inside the response") from None
            if not piece:
                break
            yield piece
        if self.raw.length not in (None, 0) and not fault("truncated-body-accepted"):
            raise network("the connection ended inside the response")

    def _gunzip(self, pieces):
        stream = None
        try:
            for piece in pieces:
                while piece:
                    if stream is None or stream.eof:
                        stream = zlib.decompressobj(31)
                    out = stream.decompress(piece, 1 << 20)
                    if out:
                        yield out
                    piece = stream.unused_data if stream.eof else stream.unconsumed_tail
                    if fault("gzip-one-chunk"):
                        stream = zlib.decompressobj(31)
        except zlib.error:
            raise unexpected("the response is not gzip", self.status) from None
        if fault("gzip-one-chunk"):
            return
        if stream is not None and not stream.eof and not fault("truncated-body-accepted"):
            raise network("the connection ended inside the response")

    def close(self):
        if not self.finished:
            if fault("error-body-left-unread"):
                self.transport.idle.append(self.connection)
                return
            self.connection.close()


class Transport:
    """One server. Thread-safe: each request has a connection of its own while it runs."""

    def __init__(self, base_url):
        self.base_url = base_url if base_url.endswith("/") else base_url + "/"
        self.lock = threading.Lock()
        self.idle = []

    def url(self, operation):
        if fault("path-double-slash"):
            return self.base_url + "/" + operation
        if fault("base-path-lost"):
            return urljoin(self.base_url, "/v1/" + operation)
        return self.base_url + operation

    def _open(self, parts):
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        return kind(parts.hostname, parts.port, timeout=2.0 if fault("timeout-too-short") else TIMEOUT)

    def _acquire(self, parts):
        with self.lock:
            if fault("connection-shared"):
                if not self.idle:
                    self.idle.append(self._open(parts))
                return self.idle[0]
            while self.idle:
                connection = self.idle.pop()
                if connection.sock is None:
                    continue
                if fault("stale-connection-used"):
                    return connection
                if select.select([connection.sock], [], [], 0)[0]:
                    connection.close()  # the server ended it, or sent something unasked
                    continue
                return connection
        return self._open(parts)

    def release(self, response):
        if response.raw.will_close or habit("no-keep-alive") or fault("connection-shared"):
            if not fault("connection-shared"):
                response.connection.close()
            return
        with self.lock:
            self.idle.append(response.connection)

    def close(self):
        with self.lock:
            for connection in self.idle:
                connection.close()
            self.idle.clear()

    def request(self, method, url, headers, body=None, hops=0):
        """Sends one request and returns its Response. Raises network."""
        parts = urlsplit(url)
        target = (parts.path or "/") + ("?" + parts.query if parts.query else "")
        headers = dict(headers)
        headers.setdefault("Accept", "*/*" if habit("accept-any") else "application/json")
        headers["Accept-Encoding"] = "identity" if habit("no-gzip") else "gzip"
        if fault("br-claimed"):
            headers["Accept-Encoding"] = "br, gzip"
        if habit("no-keep-alive"):
            headers["Connection"] = "close"
        if habit("more-headers"):
            headers.update({"User-Agent": "thing client/1.0 (set 1)", "X-Request-Id": "7f", "Accept-Language": "de"})
        if habit("cache-headers"):
            headers.update({"Cache-Control": "no-cache", "Pragma": "no-cache"})
        if habit("get-with-length") and method == "GET":
            headers["Content-Length"] = "0"
        chunked = habit("chunked-bodies") and body is not None
        if chunked:
            headers["Transfer-Encoding"] = "chunked"
        connection = self._acquire(parts)
        try:
            sent = (body[i : i + 50] for i in range(0, len(body), 50)) if chunked else body
            connection.request(method, target, body=sent, headers=headers, encode_chunked=chunked)
            raw = connection.getresponse()
        except (OSError, http.client.HTTPException) as problem:
            connection.close()
            raise network(f"no response ({type(problem).__name__})") from None
        location = raw.getheader("location")
        if location and raw.status in (301, 302, 303, 307, 308) and hops < 5:
            if fault("redirect-carries-token"):
                connection.close()
                return self.request(method, urljoin(url, location), headers, body, hops + 1)
            if fault("redirect-post-becomes-get"):
                connection.close()
                if urlsplit(urljoin(url, location)).netloc != parts.netloc:
                    headers.pop("Authorization", None)
                headers.pop("Content-Type", None)
                return self.request("GET", urljoin(url, location), headers, None, hops + 1)
        return Response(self, connection, raw)
