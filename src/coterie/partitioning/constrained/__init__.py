"""Groups that satisfy constraints beyond their size."""
