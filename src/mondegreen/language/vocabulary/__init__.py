"""Words: taggers, thesauri, inflection, frequencies, language models."""
