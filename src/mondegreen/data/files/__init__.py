"""Files: compressed, in shards, written whole or not at all."""
