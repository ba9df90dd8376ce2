"""What a table is, before anything is protected: a first settings file."""

from coterie.advice.initial import settings_file

__all__ = ["settings_file"]
