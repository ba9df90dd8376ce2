"""The pages, one file a step: what each shows, and what its forms do."""
