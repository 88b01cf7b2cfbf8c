"""How a clone is set up: the settings in force, and what is missing or broken."""
