"""Posting to a server: time-outs, retries with growing pauses, and respect for Retry-After.

Whatever comes back is masked first: a server may repeat the key or the password, and its answers
are stored, printed and shown.
"""

from __future__ import annotations

import json
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from http.client import (
    HTTPConnection,
    HTTPException,
    HTTPResponse,
    HTTPSConnection,
    IncompleteRead,
)
from socket import SHUT_RDWR, socket
from threading import Event, Timer
from typing import Any
from urllib.parse import SplitResult, quote, unquote, urlsplit

from mondegreen.errors import AnswerError, ModelError
from mondegreen.models.wire import decode_json, without_password

_TOO_MANY_REQUESTS, _SERVER_ERROR, _OK = 429, 500, 200
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 8.0  # seconds, doubling
_LONGEST_WAIT = 600.0  # seconds that a server may ask us to wait
_MOST_BYTES = 64 << 20  # of an answer
_PIECE = 1 << 20
_SHORTEST_SECRET = 4  # characters; shorter ones are in every text
_MASK = "***"


class StatusError(ModelError):
    """A status that no retry will change."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Poster:
    """Posts to one address; threads may share it.

    Refused connections, time-outs, answers that break off, 429 and 5xx are retried: after the
    pause that the server asks for (Retry-After), or one that doubles each time. Any other status
    is an error at once. The time-out holds for the whole of a request. A user name and a password
    in the address are sent as basic authentication; ``name`` is the address without the password.

    Args:
        url: the address.
        timeout: seconds that a request may take.
        retries: how often a failed request is repeated.
        headers: headers to send; the type of the content is JSON by default.
        key: a key to send as a bearer token.

    Raises:
        ModelError: if the address has no host, or if the key cannot be sent.
    """

    def __init__(
        self,
        url: str,
        timeout: float,
        retries: int,
        headers: Mapping[str, str] | None = None,
        key: str = "",
    ) -> None:
        self.name = without_password(url)
        try:
            parts = urlsplit(url)
            self._port = parts.port
        except ValueError as error:  # with an account, it may show a part of the password
            reason = "the address cannot be read" if "@" in url else error
            raise ModelError(f"{self.name}: {reason}") from None
        if not (key.isascii() and key.isprintable()):
            raise ModelError(f"{self.name}: the key has a line break or another odd character")
        if not parts.hostname:
            raise ModelError(f"{self.name}: the host is missing; write http://HOST:PORT/PATH")
        self.timeout, self.retries = timeout, retries
        self._kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._host = parts.hostname
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._headers = {
            "Content-Type": "application/json",
            **_authorization(parts),
            **({"Authorization": f"Bearer {key}"} if key else {}),
            **(headers or {}),
        }
        self._secrets = _spellings(key, unquote(parts.password or ""), parts)
        self._closing = Event()
        self._requests: set[_Request] = set()

    def ask(self, body: Any, name: str) -> Any:
        """Post JSON and return the answer, read as JSON.

        Args:
            body: what is posted.
            name: the answer in messages.

        Raises:
            ModelError: if there is no answer after all attempts, or if it is not JSON.
            StatusError: if the status is one that no retry will change.
        """
        answer = self.post(json.dumps(body).encode(), lambda content: decode_json(content, name))
        return self._masked_all(answer) if self._secrets else answer

    def masked(self, text: str) -> str:
        """Return a text without the key and the password."""
        for secret in self._secrets:
            text = text.replace(secret, _MASK)
        return text

    def _masked_all(self, value: Any) -> Any:
        """Return an answer without the key and the password, however they were escaped."""
        if isinstance(value, str):
            return self.masked(value)
        if isinstance(value, list):
            return [self._masked_all(one) for one in value]
        if isinstance(value, dict):
            return {self.masked(key): self._masked_all(one) for key, one in value.items()}
        return value

    def post(self, body: bytes, read: Callable[[bytes], Any] = bytes) -> Any:
        """Return what is read of the answer; repeat the post while a temporary error allows it.

        An answer that cannot be read is such an error: its body may have been cut off.

        Args:
            body: what is posted.
            read: reads the content of an answer; by default, the content itself is returned.

        Raises:
            ModelError: if there is no answer after all attempts, or if it is too long.
            StatusError: if the status is one that no retry will change.
        """
        pause = _FIRST_PAUSE
        for left in range(self.retries, -1, -1):
            try:
                return read(self._post(body))
            except AnswerError:
                if not left or self._closing.wait(pause):
                    raise
                pause = min(2 * pause, _LONGEST_PAUSE)
            except _TemporaryError as error:
                wait = pause if error.wait is None else error.wait
                if not left or wait > _LONGEST_WAIT or self._closing.wait(wait):
                    raise ModelError(
                        f"{self.name}: {self.masked(str(error))} (attempts: "
                        f"{self.retries - left + 1})"
                    ) from None
                pause = min(2 * pause, _LONGEST_PAUSE)
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        """End the requests under way, without waiting for their answers."""
        self._closing.set()
        for request in tuple(self._requests):
            request.abort()

    def _post(self, body: bytes) -> bytes:
        connection: HTTPConnection = self._kind(self._host, self._port, timeout=self.timeout)
        request = _Request()
        self._requests.add(request)
        timer = Timer(self.timeout, request.abort)
        timer.daemon = True
        timer.start()
        try:
            request.connect(connection)
            connection.request("POST", self._path, body, self._headers)
            with connection.getresponse() as response:
                content = self._read(response)
        except (OSError, HTTPException, ValueError) as error:  # ValueError: closed while it reads
            if request.aborted or isinstance(error, TimeoutError):
                raise _TemporaryError(f"no answer within {self.timeout:g} s") from None
            raise _TemporaryError(f"no answer ({type(error).__name__}: {error})") from None
        finally:
            timer.cancel()
            self._requests.discard(request)
            connection.close()
        if request.aborted:  # what was read may be a part
            raise _TemporaryError(f"no answer within {self.timeout:g} s")
        for secret in self._secrets:
            content = content.replace(secret.encode(), _MASK.encode())
        if response.status == _OK:
            return content
        shown = content[:80].decode(errors="replace")
        problem = self.masked(f"status {response.status} {response.reason:.80}: {shown!r}")
        if response.status == _TOO_MANY_REQUESTS or response.status >= _SERVER_ERROR:
            raise _TemporaryError(problem, _wait(response.getheader("Retry-After")))
        raise StatusError(f"{self.name}: {problem}", response.status)

    def _read(self, response: HTTPResponse) -> bytes:
        content = bytearray()
        while piece := response.read(_PIECE):
            content += piece
            if len(content) > _MOST_BYTES:
                raise ModelError(
                    f"{self.name}: the answer is longer than {_MOST_BYTES >> 20} MiB; answer with "
                    "what was asked for and nothing else"
                )
        if response.length:  # it says that there is more
            raise IncompleteRead(bytes(content), response.length)
        return bytes(content)


class _Request:
    """A request under way, which another thread can end."""

    def __init__(self) -> None:
        self._socket: socket | None = None  # the connection forgets it when the answer begins
        self.aborted = False

    def connect(self, connection: HTTPConnection) -> None:
        """Connect.

        Raises:
            TimeoutError: if the request was ended meanwhile.
        """
        connection.connect()
        self._socket = connection.sock
        if self.aborted:
            raise TimeoutError

    def abort(self) -> None:
        """End the connection: whoever reads from it gets an error, or the end."""
        self.aborted = True
        if self._socket is not None:
            with suppress(OSError):  # it is closed already
                self._socket.shutdown(SHUT_RDWR)


def _authorization(parts: SplitResult) -> dict[str, str]:
    """Return the header of the user name and password of an address, if it has them."""
    if parts.username is None:
        return {}
    account = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return {"Authorization": f"Basic {b64encode(account.encode()).decode()}"}


def _spellings(key: str, password: str, parts: SplitResult) -> list[str]:
    """Return the secrets as they may be written in an answer, the longest first."""
    account = _authorization(parts).get("Authorization", "").removeprefix("Basic ")
    found = {account}
    for secret in (key, password, parts.password or ""):
        escaped = json.dumps(secret)[1:-1]
        found |= {secret, quote(secret, safe=""), escaped, escaped.replace("/", "\\/")}
    return sorted((one for one in found if len(one) >= _SHORTEST_SECRET), key=len, reverse=True)


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
    except (ValueError, OverflowError, OSError):  # no date, or one that no clock can show
        return None


class _TemporaryError(Exception):
    """An error that a retry may resolve, and how long the server wants us to wait."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait
