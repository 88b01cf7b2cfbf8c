"""Makes prompts and reads answers: sources, past state, changes, dependencies, other notes -> prompt -> answer."""
