"""The use cases: one verb, one module, one public function that returns a frozen result."""
