"""References and hypotheses, paired."""
