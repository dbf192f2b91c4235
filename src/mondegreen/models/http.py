"""A model behind HTTP: batches are posted as JSON, several at a time, with retries."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from socket import SHUT_RDWR, socket
from threading import Event, Timer
from urllib.parse import SplitResult, unquote, urlsplit

from mondegreen.data.answers import predictions_of, unread
from mondegreen.errors import ModelError
from mondegreen.models.protocol import Model
from mondegreen.models.wire import decode_json, question, without_password
from mondegreen.types import Prediction, Utterance

_TOO_MANY_REQUESTS, _SERVER_ERROR, _OK = 429, 500, 200
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 8.0  # seconds, doubling
_MOST_BYTES = 64 << 20  # of an answer
_PIECE = 1 << 20


class HttpModel(Model):
    """Posts ``{"utterances": [{"id", "text", "tokens"}, …]}``; reads ``{"predictions": […]}``.

    A plain list of predictions is accepted as well. Refused connections, time-outs, 429 and 5xx
    are retried after a pause that doubles each time; any other status is an error at once. The
    time-out holds for the whole of a request. A user name and a password in the address are sent
    as basic authentication; the password is nowhere stored or shown.
    """

    size = 32
    batch_is_set = True

    def __init__(
        self, url: str, timeout: float, retries: int, concurrency: int, *, size: int = size
    ) -> None:
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise ModelError(f"{without_password(url)}: {error}") from None
        self.signature = without_password(url)
        if not parts.hostname:
            raise ModelError(f"{self.signature}: the host is missing; write http://HOST:PORT/PATH")
        self.batch = size * concurrency
        self.timeout, self.retries, self.size = timeout, retries, size
        self._kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._host, self._port = parts.hostname, port
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._headers = {"Content-Type": "application/json"} | _authorization(parts)
        self._pool = ThreadPoolExecutor(concurrency)
        self._closing = Event()
        self._requests: set[_Request] = set()

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Post a batch to the server.

        Raises:
            ModelError: if there is no answer after all attempts, or if the answer is invalid.
        """
        parts = [batch[start : start + self.size] for start in range(0, len(batch), self.size)]
        try:
            return [found for part in self._pool.map(self._ask, parts) for found in part]
        except (KeyboardInterrupt, SystemExit):
            self.close()
            raise

    def close(self) -> None:
        """End the requests under way and shut down the threads, without waiting for answers."""
        self._closing.set()
        for request in tuple(self._requests):
            request.abort()
        self._pool.shutdown(cancel_futures=True)

    def _ask(self, part: Sequence[Utterance]) -> list[Prediction]:
        body = json.dumps({"utterances": [question(utterance) for utterance in part]}).encode()
        answer = decode_json(self._post_with_retries(body), f"{self.signature}: the answer")
        if isinstance(answer, dict):
            if "predictions" not in answer:
                keys = ", ".join(answer) or "none"
                raise ModelError(
                    f"{self.signature}: the answer has no key 'predictions' (its keys: {keys}); "
                    'answer {"predictions": […]}, or a list'
                )
            answer = answer["predictions"]
        if isinstance(answer, list) and answer:
            self.unread = unread(answer[0])
        return predictions_of(answer, part)

    def _post_with_retries(self, body: bytes) -> bytes:
        """Return the content of the answer; repeat the post while a temporary error allows it."""
        pause = _FIRST_PAUSE
        for left in range(self.retries, -1, -1):
            try:
                return self._post(body)
            except _TemporaryError as error:
                if not left or self._closing.wait(pause):
                    raise ModelError(
                        f"{self.signature}: {error} (attempts: {self.retries + 1})"
                    ) from None
                pause = min(2 * pause, _LONGEST_PAUSE)
        raise AssertionError("the last attempt returns or raises")

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
            response = connection.getresponse()
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
        if response.status == _OK:
            return content
        shown = content[:80].decode(errors="replace")
        problem = f"status {response.status} {response.reason}: {shown!r}"
        if response.status == _TOO_MANY_REQUESTS or response.status >= _SERVER_ERROR:
            raise _TemporaryError(problem)
        raise ModelError(f"{self.signature}: {problem}")

    def _read(self, response: HTTPResponse) -> bytes:
        content = bytearray()
        while piece := response.read(_PIECE):
            content += piece
            if len(content) > _MOST_BYTES:
                raise ModelError(
                    f"{self.signature}: the answer is longer than {_MOST_BYTES >> 20} MiB; answer "
                    "with one prediction per utterance and nothing else"
                )
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


class _TemporaryError(Exception):
    """An error that a retry may resolve."""
