"""A simulator of speech recognisers, fitted to pairs of reference and hypothesis."""
