"""All access to git and to the work tree; reads and writes bytes without interpreting them."""
