"""What the toolkit knows of languages: scripts, words, keyboards, fillers, synonyms."""
