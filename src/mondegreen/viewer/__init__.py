"""The local web app: live reports, and a page for every utterance."""
