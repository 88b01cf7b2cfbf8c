"""Codecs of committed and local files, path names, configuration and the local cache."""
