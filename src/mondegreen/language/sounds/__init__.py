"""How words sound: pronunciations, phonology, sound-alikes, mishearing."""
