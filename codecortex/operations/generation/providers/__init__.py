"""Connects to a provider: settings of repository and user -> trust -> provider, with its log."""
