"""Errors that become responses."""


class ApiError(Exception):
    """status: HTTP status; code: `error`; description: `error_description`."""

    def __init__(self, status, code, description, headers=None):
        super().__init__(description)
        self.status, self.code, self.description, self.headers = status, code, description, headers or {}


def invalid(description):
    return ApiError(400, "parameter_invalid", description)


class DropConnection(Exception):
    """Close the connection without a response (a fault)."""
