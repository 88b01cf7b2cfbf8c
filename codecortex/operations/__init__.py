"""One verb, one module, one public function; composes rooms and returns a frozen result."""
