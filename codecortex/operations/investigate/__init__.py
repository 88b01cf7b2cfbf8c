"""Questions investigated in rounds: by a provider as a run, or by an agent that asks for its prompts."""
