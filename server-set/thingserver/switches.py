"""The switches: which fault and which legal differences are on."""

FAULTS = set()
LEGAL = set()


def fault(name):
    """Whether this fault is on."""
    return name in FAULTS


def legal(name):
    """Whether this legal difference is on."""
    return name in LEGAL


def any_on():
    """Whether this is another server than the right one."""
    return bool(FAULTS or LEGAL)


def activate(faults, legals):
    FAULTS.update(faults)
    LEGAL.update(legals)
