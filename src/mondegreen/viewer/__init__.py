"""The local web app: the report, live, with every utterance behind it."""
