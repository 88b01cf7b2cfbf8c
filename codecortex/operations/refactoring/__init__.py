"""Edits of sources: located by symbol, judged, told as a patch, applied all at once, taken back."""
