"""Who answers prompts: settings of repository and user -> trust -> provider, with its log."""
