"""Edits of sources located by symbol: ranges of bytes in, new texts and patches out; layout outside of them stays."""
