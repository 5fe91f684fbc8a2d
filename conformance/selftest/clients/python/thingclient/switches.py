"""Which fault or habit is switched on. At most one fault and one habit at a time."""

_on = {"fault": None, "habit": None}


def select(fault_id=None, habit_id=None):
    _on["fault"] = fault_id
    _on["habit"] = habit_id


def fault(name):
    return _on["fault"] == name


def habit(name):
    return _on["habit"] == name
