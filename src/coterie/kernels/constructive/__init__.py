"""Groups built one after another or all at once, and never changed."""
