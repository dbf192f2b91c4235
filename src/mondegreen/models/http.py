"""A model behind HTTP: batches are posted as JSON, several at a time, with retries."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from mondegreen.data.answers import predictions_of, unread
from mondegreen.errors import ModelError
from mondegreen.models.protocol import Model
from mondegreen.models.wire import decode_json, question
from mondegreen.types import Prediction, Utterance

_TOO_MANY_REQUESTS, _SERVER_ERROR, _OK = 429, 500, 200
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 8.0  # seconds, doubling


class HttpModel(Model):
    """Posts ``{"utterances": [{"id", "text", "tokens"}, …]}``; reads ``{"predictions": […]}``.

    A plain list of predictions is accepted as well. Refused connections, time-outs, 429 and 5xx
    are retried after a pause that doubles each time; any other status is an error at once.
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
            raise ModelError(f"{url}: {error}") from None
        if not parts.hostname:
            raise ModelError(f"{url}: the host is missing; write http://HOST:PORT/PATH")
        self.signature = url
        self.batch = size * concurrency
        self.timeout, self.retries, self.size = timeout, retries, size
        self._kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._host, self._port = parts.hostname, port
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._pool = ThreadPoolExecutor(concurrency)

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Post a batch to the server.

        Raises:
            ModelError: if there is no answer after all attempts, or if the answer is invalid.
        """
        parts = [batch[start : start + self.size] for start in range(0, len(batch), self.size)]
        return [found for part in self._pool.map(self._ask, parts) for found in part]

    def close(self) -> None:
        """Shut down the threads."""
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
                if not left:
                    raise ModelError(
                        f"{self.signature}: {error} (attempts: {self.retries + 1})"
                    ) from None
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
        raise AssertionError("the last attempt returns or raises")

    def _post(self, body: bytes) -> bytes:
        connection: Any = self._kind(self._host, self._port, timeout=self.timeout)
        try:
            connection.request("POST", self._path, body, {"Content-Type": "application/json"})
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
            raise _TemporaryError(problem)
        raise ModelError(f"{self.signature}: {problem}")


class _TemporaryError(Exception):
    """An error that a retry may resolve."""
