"""Speaking and recognising: voices, sound, recognisers, and utterances as they were heard."""
