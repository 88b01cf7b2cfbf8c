"""The versions that generated files and cached facts depend on; each is part of cache keys or digests."""

PARSER_VERSION = "14+tree-sitter-c-sharp-0.23.5"
"""Version of facts: raised whenever the same bytes may give other facts."""

OUTLINE_VERSION = 2
"""Version of outlines: raised whenever the same type may be written differently."""

HASH_VERSION = 3
"""Version of fingerprints: raised whenever the same type may hash differently."""

TOKENS_VERSION = 1
"""Version of token estimates: raised whenever the same text may get another estimate."""

PACK_VERSION = 1
"""Version of packs: raised whenever the same tree may give another text."""

ASSEMBLIES_VERSION = 3
"""Of what is read from assemblies and how it is indexed; another one reads them again."""

EXTRACT_VERSION = "2"
"""Of extracts: raised when the text for the same sources changes."""

BINDING_VERSION = 19
"""Of bindings: raised whenever the same sources and assemblies may bind otherwise."""
