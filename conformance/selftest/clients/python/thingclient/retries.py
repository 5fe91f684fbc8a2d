"""When a request is sent again, and after how long."""

import random
import time
from email.utils import parsedate_to_datetime

from .switches import fault, habit

LONGEST_WAIT = 30.0
SCALE = 1.0  # the self-test shortens the pauses


def pause(seconds):
    time.sleep(seconds * SCALE)


def wait_of(header):
    """Seconds that a Retry-After header asks for, or None."""
    if not header or fault("retry-after-ignored"):
        return None
    if fault("retry-after-date-crash"):
        return float(int(header))
    if fault("retry-after-milliseconds"):
        return float(header) / 1000 if header.strip().isdigit() else None
    if header.strip().isdigit():
        return float(header)
    if fault("retry-after-date-ignored"):
        return None
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, TypeError, AttributeError):
        return None


def delay(problem, attempt, safe):
    """Seconds before attempt + 1, or None when the error stands. `safe`: may run twice without harm."""
    most = 6 if habit("retries-six") else 3
    if habit("no-retries"):
        most = 0
    if fault("retry-without-limit"):
        most = 40
    if attempt >= most:
        return None
    backoff = 0.4 * 2**attempt * (1 + random.random() / 4)
    if habit("backoff-steady"):
        backoff = 1.0
    if fault("retry-without-backoff"):
        backoff = 0.0
    if fault("retry-client-errors") and problem.kind == "rejected" and problem.code != "invalid_grant":
        return backoff
    if problem.status in (429, 503):
        if fault("retry-429-at-once"):
            return 0.0
        wait = problem.retry_after
        if wait is not None and wait > LONGEST_WAIT:
            return None
        return backoff if wait is None else max(wait, 0.05 if wait else backoff)
    if problem.status in (502, 504) and safe:
        return backoff
    if problem.kind == "network" and (safe or fault("retry-unsafe")):
        return backoff
    return None
