"""Checks of this folder's own, to see that each switch has an effect over HTTP. They are not the conformance suite."""
