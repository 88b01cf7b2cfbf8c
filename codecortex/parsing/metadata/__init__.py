"""Reads .NET assemblies: the bytes of one file in, what it declares out. Nothing of it is ever run."""
