"""What `look` says about tables that nobody here has made, and what that costs."""
