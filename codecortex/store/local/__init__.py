"""Codecs of the files that stay on this machine: JSON documents and logs."""
