"""Linguistic resources: pronunciations, inflection, synonyms, fillers, keyboards and more."""
