"""See that the server is right, and that each switch has an effect: python3 selfcheck.py [right|legal|faults] [ID…]."""

import http.client
import json
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from checks import full, listing, restart, tags, things, tokens
from checks.client import HERE, Server

CORE = tags.FIRST + tokens.CHECKS + listing.CHECKS + things.CHECKS + tags.CHECKS + restart.CHECKS + tokens.LATE
FIRST = {  # where an effect of a class is likely
    "restart": restart.CHECKS, "tag settings": tags.FIRST + [tags.settings], "archived and todos": [tags.todo, things.changes],
    "changes": [things.changes, things.others_changes, things.deletions], "deletions": [things.deletions],
    "text": [things.text], "dates": [things.dates], "pages and skip_id": [listing.pages, listing.skip_id],
    "listings": [listing.positions, listing.pages, things.dates, things.text],
}
EXPECT = (AssertionError, KeyError, IndexError, TypeError, AttributeError, ValueError, OSError, http.client.HTTPException)


def load(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


def run(checks, faults=(), legals=(), stop=True):
    """Failures as (name of the check, message)."""
    folder = tempfile.mkdtemp(prefix="server-set-")
    data, failures = os.path.join(folder, "data"), []
    server = Server(faults, legals, data)
    try:
        for check in checks:
            try:
                check(server)
            except EXPECT as error:
                where = error.__traceback__
                while where.tb_next:
                    where = where.tb_next
                failures.append((check.__name__, f"{type(error).__name__} {where.tb_frame.f_code.co_name}:{where.tb_lineno} {error}"[:300]))
                if stop:
                    break
    finally:
        server.stop()
        if os.path.exists(data):
            os.remove(data)
        os.rmdir(folder)
    return failures


def main():
    what, ids = (sys.argv[1] if len(sys.argv) > 1 else "right"), set(sys.argv[2:])
    if what == "right":
        began = time.time()
        failures = run(CORE + full.CHECKS, stop=False)
        print(*[": ".join(f) for f in failures] or ["right"], sep="\n")
        print(f"{time.time() - began:.1f} s")
        sys.exit(bool(failures))
    entries = [e for e in load("legal.json" if what == "legal" else "faults.json") if not ids or e["id"] in ids]

    def one(entry):
        checks = CORE + (full.CHECKS if entry["profile"] != "core" else [])
        if what == "faults" and entry["profile"] == "full":
            checks = full.CHECKS + CORE
        if what == "faults":
            checks = FIRST.get(entry["class"], []) + checks
        if what == "legal":
            checks = CORE + (full.CHECKS if entry["profile"] == "all" else [])
            return entry, run(checks, legals=[entry["id"]], stop=False)
        return entry, run(checks, faults=[entry["id"]])
    wrong = 0
    with ThreadPoolExecutor(2) as pool:
        for entry, failures in pool.map(one, entries):
            bad = bool(failures) if what == "legal" else not failures
            wrong += bad
            if bad or ids or what == "faults":
                text = failures and " | ".join(": ".join(f) for f in failures) or "no effect"
                print("WRONG" if bad else "ok", entry["id"], text, flush=True)
    print(f"{len(entries)} switches, {wrong} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
