"""What a table is, before anything is protected: a look at it, and a first settings file."""

from coterie.advice.findings import ColumnLook, Look
from coterie.advice.initial import settings_file
from coterie.advice.looking import look

__all__ = ["ColumnLook", "Look", "look", "settings_file"]
