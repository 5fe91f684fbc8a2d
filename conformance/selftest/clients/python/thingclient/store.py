"""The folder of a replica: a snapshot and a journal of changes behind it.

A journal line is one transaction: a list of puts [kind, key, value]. Puts are absolute, so a line that is
replayed on a newer snapshot does no harm. A last line that a kill cut off is ignored and removed.
"""

import json
import os

from .switches import fault

_EMPTY = {"thing": {}, "tag": {}, "meta": {}}
COMPACT_ABOVE = 4 << 20


class Store:
    def __init__(self, folder):
        self.snapshot = os.path.join(folder, "snapshot.json")
        self.path = os.path.join(folder, "journal")
        self.kinds = {k: {} for k in _EMPTY}
        if os.path.exists(self.snapshot):
            with open(self.snapshot, encoding="utf-8") as file:
                self.kinds = json.load(file)
        whole = 0
        lines = 0
        if os.path.exists(self.path):
            with open(self.path, "rb") as file:
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    self._put(json.loads(line))
                    whole += len(line)
                    lines += 1
        self.file = open(self.path, "ab")
        self.file.truncate(whole)
        self.size = whole
        if lines:
            self.compact()

    def _put(self, operations):
        for kind, key, value in operations:
            if value is None:
                self.kinds[kind].pop(key, None)
            else:
                self.kinds[kind][key] = value

    def commit(self, operations, durable=True):
        """Makes the puts durable as one step. durable=False is used by faults only."""
        if not operations:
            return
        self._put(operations)
        if not durable:
            return
        if len(operations) > 20_000 or self.size > COMPACT_ABOVE:
            return self.compact()
        line = json.dumps(operations, separators=(",", ":")).encode() + b"\n"
        self.file.write(line)
        self.size += len(line)
        if fault("journal-left-in-buffer"):
            return
        self.file.flush()
        os.fsync(self.file.fileno())

    def compact(self):
        """Writes everything into a new snapshot, and empties the journal."""
        kinds = self.kinds
        if fault("compaction-forgets-deletes"):
            things = {k: {**v, "gone": False} for k, v in kinds["thing"].items()}
            kinds = {**kinds, "thing": things}
        if fault("compaction-forgets-upload"):
            kinds = {**kinds, "meta": {k: v for k, v in kinds["meta"].items() if k != "upload"}}
        write(self.snapshot, kinds)
        self.file.truncate(0)
        os.fsync(self.file.fileno())
        self.size = 0

    def close(self):
        self.file.close()


def write(path, value):
    """Replaces a file in one step; readable by its owner only."""
    passing = path + ".new"
    with open(os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(value, file, separators=(",", ":"))
        file.flush()
        os.fsync(file.fileno())
    os.replace(passing, path)
    directory = os.open(os.path.dirname(path), os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def read(path):
    """The value of a file, or None when there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None
