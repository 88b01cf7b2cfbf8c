"""What a job asks a model: sources, past state, changes, dependencies, other notes -> prompt -> answer read."""
