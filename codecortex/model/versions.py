"""The versions that generated files and cached facts depend on."""

PARSER_VERSION = "1+tree-sitter-c-sharp-0.23.5"
"""Of facts: raised whenever the same bytes may give other facts."""

OUTLINE_VERSION = 1
"""Of outlines: raised whenever the same type may be written otherwise."""

HASH_VERSION = 1
"""Of hashes: raised whenever the same type may hash otherwise."""

TOKENS_VERSION = 1
"""Of estimates: raised whenever the same text may be estimated to take another number of tokens."""

PACK_VERSION = 1
"""Of packs: raised whenever the same tree may give another text."""
