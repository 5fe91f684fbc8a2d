"""Write faults.json and legal.json from the two tables and the sentences of protocol.md."""

import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PROTOCOL = sys.argv[1] if len(sys.argv) > 1 else "/work/main/docs/reference/protocol.md"


def requirements(text):
    """Map from requirement ID to its sentences."""
    found = {}
    for ident, body in re.findall(r'^- (?:<a id="[^"]*"></a>)*<a id="([ck]-[\w.-]+)"></a>(.*?) <sub>', text, re.M):
        body = re.sub(r"^\*Full:\* ", "", body)
        key = ident[0].upper() + ident[1:]
        found[key] = re.split(r"(?<=[.?!]) (?=[A-Z`\"*])", body)
    return found


def main():
    with open(PROTOCOL, encoding="utf-8") as file:
        text = file.read()
    flat = re.sub(r"\s+", " ", text)
    known, faults, legals, group = requirements(text), [], [], ""
    with open(os.path.join(HERE, "faults.txt"), encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("=="):
                group = line[3:]
            elif line and not line.startswith("#"):
                ident, requirement, what = line.split(" | ", 2)
                what, _, also = what.partition(" ~ ")
                name, _, number = requirement.partition("#")
                sentences = known[name]
                entry = {"id": ident, "class": re.sub("^full: ", "", group), "profile": "core" if name[0] == "C" else "full",
                         "section": name, "sentence": sentences[int(number) - 1] if number else " ".join(sentences), "what": what}
                if group.startswith("full: other") or ident == "token-get":
                    entry["profile"] = "full"
                if also:
                    assert also in flat or also in text, also
                    entry["also"] = also
                faults.append(entry)
    with open(os.path.join(HERE, "legal.txt"), encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line and not line.startswith("#"):
                ident, profile, what, why = line.split(" | ")
                assert why in flat or why in text, why
                legals.append({"id": ident, "profile": profile, "what": what, "why": why})
    for name, entries in (("faults.json", faults), ("legal.json", legals)):
        assert len({e["id"] for e in entries}) == len(entries), name
        with open(os.path.join(HERE, "..", name), "w", encoding="utf-8") as file:
            json.dump(entries, file, indent=1, ensure_ascii=False)
            file.write("\n")
    print(len(faults), "faults,", len([f for f in faults if f["profile"] == "core"]), "in the core;", len(legals), "legal")


main()
