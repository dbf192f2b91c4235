"""A model behind HTTP: batches are posted as JSON, several at a time, with retries."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from mondegreen.data.answers.predictions import predictions_of, unread
from mondegreen.errors import ModelError
from mondegreen.models.partly import gathered
from mondegreen.models.posting import Poster
from mondegreen.models.protocol import Model
from mondegreen.models.wire import question
from mondegreen.types import Prediction, Utterance


class HttpModel(Model):
    """Posts ``{"utterances": [{"id", "text", "tokens"}, …]}``; reads ``{"predictions": […]}``.

    A plain list of predictions is accepted as well. See :class:`Poster` for retries and time-outs.
    The password of an address is nowhere stored or shown.
    """

    size = 32
    batch_is_set = True

    def __init__(
        self, url: str, timeout: float, retries: int, concurrency: int, *, size: int = size
    ) -> None:
        self._poster = Poster(url, timeout, retries)
        self.signature = self._poster.name
        self.batch = size * concurrency
        self.size = size
        self._pool = ThreadPoolExecutor(concurrency)

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        """Post a batch to the server.

        Raises:
            ModelError: if there is no answer after all attempts, or if the answer is invalid.
        """
        parts = [batch[start : start + self.size] for start in range(0, len(batch), self.size)]
        try:
            return gathered(self._pool, self._ask, parts)
        except (KeyboardInterrupt, SystemExit):
            self.close()
            raise

    def close(self) -> None:
        """End the requests under way and shut down the threads, without waiting for answers."""
        self._poster.close()
        self._pool.shutdown(cancel_futures=True)

    def _ask(self, part: Sequence[Utterance]) -> list[Prediction]:
        body = {"utterances": [question(utterance) for utterance in part]}
        answer = self._poster.ask(body, f"{self.signature}: the answer")
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
