#!/usr/bin/env python3
"""Random histories of two adapters with lost responses and real kills: stress.py [SEED [ROUNDS [--fault ID]]]."""

import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import scenarios  # noqa: E402
import tiny_server  # noqa: E402


class Device:
    def __init__(self, url, options):
        self.folder = tempfile.mkdtemp(prefix="set1-")
        self.options = options
        self.account = dict(base_url=url, client_id="dev", client_secret=scenarios.SECRET, username="alice", password=scenarios.PASSWORD)
        self.start()

    def start(self):
        command = [sys.executable, os.path.join(HERE, "adapter.py"), *self.options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self("open", folder=self.folder, **self.account)

    def send(self, command, **members):
        self.process.stdin.write(json.dumps({"id": 1, "command": command, **members}) + "\n")
        self.process.stdin.flush()

    def __call__(self, command, **members):
        self.send(command, **members)
        return json.loads(self.process.stdout.readline())

    def kill(self):
        self.process.kill()
        self.process.wait()


def history(seed, steps, options):
    rng = random.Random(seed)
    world = tiny_server.World(**rng.choice(scenarios.WORLDS))
    server = tiny_server.start(world)
    devices = [Device(server.url, options) for _ in range(2)]
    typed = 0
    titles, deleted = set(), set()
    for _ in range(steps):
        d = rng.choice(devices)
        things = d("read")["result"]["things"]
        action = rng.random()
        if action < 0.3:
            typed += 1
            titles.add(f"n{typed}")
            d("create", title=f"n{typed}", tags=rng.choice(["", "a", "a b"]), html="h")
        elif action < 0.45 and things:
            t = rng.choice(things)
            d("change", ref=t["ref"], tags=rng.choice(["a", "b", ""]), archived=rng.random() < 0.3)
        elif action < 0.5 and things:
            t = rng.choice(things)
            deleted.add(t["title"])
            d("delete", ref=t["ref"])
        elif action < 0.55:
            d("set-tag", name=rng.choice("ab"), settings={"todo": rng.random() < 0.5, "favorite": True})
        elif action < 0.6:
            world.revoke_access()
        elif action < 0.7:
            how = rng.choice([{"drop": True}, {"cut": 50}, {"status": 503}])
            world.script.append({"op": "sync", "times": rng.choice([1, 5]), "upload": rng.random() < 0.7, **how})
        elif action < 0.8:
            d.send("sync")
            if rng.random() < 0.7:
                try:
                    d.process.wait(rng.random() * 0.03)
                except subprocess.TimeoutExpired:
                    pass
            d.kill()
            d.start()
        else:
            d("sync")
    world.script.clear()
    for d in devices * 3:
        answer = d("sync")
        assert "result" in answer, answer
    devices.append(Device(server.url, []))
    devices[-1]("sync")
    held = []
    for d in devices:
        state = d("state")["result"]
        assert state["pending"] == 0, state
        r = d("read")["result"]
        things = sorted(json.dumps({k: v for k, v in t.items() if k != "ref"}, sort_keys=True) for t in r["things"])
        held.append((things, {n: s for n, s in r["tags"].items() if any(s.values())}))
    for d in devices:
        d.process.stdin.close()
        d.process.wait(5)
    assert held[0] == held[2], ("first device", held[0], held[2])
    assert held[1] == held[2], ("second device", held[1], held[2])
    present = [json.loads(t)["title"] for t in held[2][0]]
    assert len(present) == len(set(present)), ("twice", sorted(present))
    assert titles - deleted <= set(present), ("lost", titles - deleted - set(present))
    server.shutdown()
    return len(present)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    options = arguments[arguments.index("--fault") :] if "--fault" in arguments else []
    numbers = [int(a) for a in arguments if a.isdigit()]
    first, rounds = (numbers + [1, 5][len(numbers) :])[:2]
    for seed in range(first, first + rounds):
        print("seed", seed, history(seed, 60, options), "things", flush=True)
