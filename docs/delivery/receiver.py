import base64, hashlib, hmac, http.server, json, os, time
key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
class Receiver(http.server.BaseHTTPRequestHandler):
    timeout = 15  # seconds, for a sender that stops
    def do_POST(self):
        header = lambda name: self.headers.get(name, "").encode("latin-1", "replace")
        length, sent_at = (int(text[:12]) if text.isdigit() else 0 for text in (header("content-length"), header("webhook-timestamp")))
        try: body = self.rfile.read(length)
        except OSError: self.close_connection = True; return
        signed = b".".join((header("webhook-id"), header("webhook-timestamp"), body))
        own = b"v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256))
        is_ours = any(hmac.compare_digest(own, one) for one in header("webhook-signature").split(b" "))
        is_fresh = abs(time.time() - sent_at) < 300
        if is_ours and is_fresh: print("sync up to", json.loads(body)["data"]["pos"], flush=True)
        self.send_response(204 if is_ours and is_fresh else 401); self.end_headers()
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
