"""Words: WER and its relatives, alignments, entities, sounds."""
