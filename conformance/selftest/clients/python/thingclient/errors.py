"""The one exception of the client."""

from .switches import fault


class ClientError(Exception):
    """kind: rejected, signed_out, network, unexpected_response, unsupported (see the adapter protocol)."""

    def __init__(self, kind, message, status=None, code=None, retry_after=None):
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.status = status
        self.code = code
        self.retry_after = retry_after

    def as_object(self):
        result = {"kind": self.kind, "message": self.message}
        if fault("error-code-lost"):
            return result
        if self.status is not None:
            result["status"] = self.status
        if self.code is not None:
            result["code"] = self.code
        return result


def network(message):
    return ClientError("network", message)


def unexpected(message, status=None):
    return ClientError("unexpected_response", message, status)
