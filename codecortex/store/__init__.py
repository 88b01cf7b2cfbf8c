"""Codecs, path names, configuration and the local cache."""
