"""How people hesitate, repeat and correct themselves."""
