"""Posting JSON to a server: time-outs, retries with growing pauses, and respect for Retry-After."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from mondegreen.errors import ModelError

_TOO_MANY_REQUESTS, _SERVER_ERROR, _OK = 429, 500, 200
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 8.0  # seconds, doubling
_LONGEST_WAIT = 600.0  # seconds that a server may ask us to wait


class StatusError(ModelError):
    """A status that no retry will change."""

    def __init__(self, message: str, status: int, content: bytes) -> None:
        super().__init__(message)
        self.status, self.content = status, content


class Poster:
    """Posts JSON to one address; threads may share it.

    Refused connections, time-outs, answers that break off, 429 and 5xx are retried: after the
    pause that the server asks for (Retry-After), or one that doubles each time. Any other status
    is an error at once.

    Raises:
        ModelError: if the address has no host.
    """

    def __init__(
        self, url: str, timeout: float, retries: int, headers: Mapping[str, str] | None = None
    ) -> None:
        try:
            parts = urlsplit(url)
            self._port = parts.port
        except ValueError as error:
            raise ModelError(f"{url}: {error}") from None
        if not parts.hostname:
            raise ModelError(f"{url}: the host is missing; write http://HOST:PORT/PATH")
        self.url, self.timeout, self.retries = url, timeout, retries
        self._kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._host = parts.hostname
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._headers = {"Content-Type": "application/json", **(headers or {})}

    def post(self, body: bytes) -> bytes:
        """Return the content of the answer; repeat the post while a temporary error allows it.

        Raises:
            ModelError: if there is no answer after all attempts.
            StatusError: if the status is one that no retry will change.
        """
        pause = _FIRST_PAUSE
        for left in range(self.retries, -1, -1):
            try:
                return self._post(body)
            except _TemporaryError as error:
                if not left or (error.wait or 0) > _LONGEST_WAIT:
                    raise ModelError(
                        f"{self.url}: {error} (attempts: {self.retries - left + 1})"
                    ) from None
                time.sleep(pause if error.wait is None else error.wait)
                pause = min(2 * pause, _LONGEST_PAUSE)
        raise AssertionError("the last attempt returns or raises")

    def _post(self, body: bytes) -> bytes:
        connection: Any = self._kind(self._host, self._port, timeout=self.timeout)
        try:
            connection.request("POST", self._path, body, self._headers)
            response = connection.getresponse()
            content: bytes = response.read()
        except TimeoutError:
            raise _TemporaryError(f"no answer within {self.timeout:g} s") from None
        except (OSError, HTTPException) as error:
            raise _TemporaryError(f"no answer ({type(error).__name__}: {error})") from None
        finally:
            connection.close()
        if response.status == _OK:
            return content
        shown = content[:80].decode(errors="replace")
        problem = f"status {response.status} {response.reason}: {shown!r}"
        if response.status == _TOO_MANY_REQUESTS or response.status >= _SERVER_ERROR:
            raise _TemporaryError(problem, _wait(response.getheader("Retry-After")))
        raise StatusError(f"{self.url}: {problem}", response.status, content)


def _wait(header: str | None) -> float | None:
    """Return the seconds of a Retry-After header, which holds seconds or a date.

    >>> _wait("2.5"), _wait(None), _wait("soon")
    (2.5, None, None)
    """
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None


class _TemporaryError(Exception):
    """An error that a retry may resolve, and how long the server wants us to wait."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait
