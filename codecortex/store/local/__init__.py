"""Codecs of the files that are never committed: JSON documents and logs."""
