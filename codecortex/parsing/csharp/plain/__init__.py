"""Reads the skeletons that hold common declarations alone, which nearly all do, without the grammar."""
