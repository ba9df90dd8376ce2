"""Methods that build groups one after another."""
