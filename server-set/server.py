"""Run the server: python3 server.py --port P [--fault ID] [--legal ID] [--data FILE]."""

import argparse
import json
import os
import signal
import sys
import threading

from thingserver import http_layer, switches
from thingserver.app import App
from thingserver.store import Store

HERE = os.path.dirname(os.path.abspath(__file__))


def catalog(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--fault", action="append", default=[])
    parser.add_argument("--legal", action="append", default=[])
    parser.add_argument("--data")
    parser.add_argument("--list-faults", action="store_true")
    parser.add_argument("--list-legal", action="store_true")
    args = parser.parse_args()
    if args.list_faults or args.list_legal:
        for entry in catalog("faults.json" if args.list_faults else "legal.json"):
            print(entry["id"])
        return
    faults = [i for text in args.fault for i in text.split(",") if i]
    legals = [i for text in args.legal for i in text.split(",") if i]
    known = {e["id"] for e in catalog("faults.json")}, {e["id"] for e in catalog("legal.json")}
    for ident, ids in [(f, known[0]) for f in faults] + [(g, known[1]) for g in legals]:
        if ident not in ids:
            sys.exit(f"there is no switch {ident}")
    switches.activate(faults, legals)
    app = App(Store(args.data))
    http_layer.Handler.app = staticmethod(app)
    server = http_layer.Server(("127.0.0.1", args.port), http_layer.Handler)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown, daemon=True).start())
    print(json.dumps({"base_url": f"http://127.0.0.1:{server.server_address[1]}{app.base}",
                      "fault": faults, "legal": legals}), flush=True)
    server.serve_forever(poll_interval=0.05)
    server.socket.close()


if __name__ == "__main__":
    main()
