"""Msbuild."""
