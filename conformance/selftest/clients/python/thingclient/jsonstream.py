"""Reads JSON from an iterator of byte chunks, one value at a time."""

import codecs
import json

from .errors import network, unexpected
from .switches import fault


def _no_constant(text):
    raise ValueError(f"{text} is not JSON")


_decoder = json.JSONDecoder(parse_constant=_no_constant)
_space = " \t\r\n"


def _damage_astral(value):
    if isinstance(value, str):
        return "".join("\ufffd\ufffd" if ord(c) > 0xFFFF else c for c in value)
    if isinstance(value, list):
        return [_damage_astral(v) for v in value]
    if isinstance(value, dict):
        return {k: _damage_astral(v) for k, v in value.items()}
    return value


class Reader:
    """A pull reader. Memory is bounded by the largest single value that value() returns."""

    def __init__(self, chunks, encoding="utf-8"):
        self.chunks = iter(chunks)
        errors = "replace" if fault("utf8-decoded-per-chunk") else "strict"
        self.decoder = codecs.getincrementaldecoder(encoding)(errors)
        self.buffer = ""
        self.at = 0
        self.ended = False

    def _more(self, characters=1):
        """Reads at least so many further characters. False when the input has ended."""
        if self.ended:
            return False
        parts = [self.buffer[self.at :]]
        got = 0
        while got < characters:
            chunk = next(self.chunks, None)
            try:
                if fault("utf8-decoded-per-chunk"):
                    text = "" if chunk is None else chunk.decode("utf-8", "replace")
                else:
                    text = self.decoder.decode(b"" if chunk is None else chunk, chunk is None)
            except UnicodeDecodeError:
                raise unexpected("the response is not UTF-8") from None
            parts.append(text)
            got += len(text)
            if chunk is None:
                self.ended = True
                break
        self.buffer = "".join(parts)
        self.at = 0
        return got > 0

    def peek(self):
        """The next character that is no space, or "" at the end."""
        while True:
            while self.at < len(self.buffer):
                c = self.buffer[self.at]
                if c not in _space:
                    return c
                self.at += 1
            if not self._more():
                return ""

    def take(self, expected):
        c = self.peek()
        if c == "":
            raise network("the response ended too early")
        if c not in expected:
            raise unexpected("the response is not the expected JSON")
        self.at += 1
        return c

    def value(self, raw=False):
        """The next value; with raw, a pair of value and its text."""
        c = self.peek()
        if c == "":
            raise network("the response ended too early")
        if c not in '{["-0123456789tfn':
            raise unexpected("the response is not JSON")
        while True:
            size = len(self.buffer) - self.at
            try:
                value, end = _decoder.raw_decode(self.buffer, self.at)
                may_go_on = isinstance(value, (int, float)) and not isinstance(value, bool)
                if fault("number-cut-at-chunk"):
                    may_go_on = False
                if end < len(self.buffer) or not may_go_on or not self._more():
                    break
            except json.JSONDecodeError as problem:
                if self.ended or not self._more(max(1, size)):
                    if problem.pos >= len(self.buffer) - 1 or "Untermin" in problem.msg:
                        raise network("the response ended too early") from None
                    raise unexpected("the response is not JSON") from None
            except (ValueError, RecursionError):
                raise unexpected("the response is not JSON") from None
        text = self.buffer[self.at : end]
        self.at = end
        if fault("astral-escapes-broken") and "\\ud" in text.lower():
            value = _damage_astral(value)
        return (value, text) if raw else value

    def members(self):
        """Yields the names of an object. The caller reads each value before it goes on."""
        self.take("{")
        if self.peek() == "}":
            self.at += 1
            return
        while True:
            if self.peek() not in ('"', ""):
                raise unexpected("the response is not JSON")
            name = self.value()
            self.take(":")
            yield name
            if self.take(",}") == "}":
                return

    def elements(self):
        """Yields once for each element of an array. The caller reads each value before it goes on."""
        self.take("[")
        if self.peek() == "]":
            self.at += 1
            return
        while True:
            yield
            if self.take(",]") == "]":
                return

    def end(self):
        if self.peek() != "":
            raise unexpected("something follows the JSON of the response")
