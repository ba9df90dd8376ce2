"""What a table is, before anything is protected: a look at it, and a first settings file."""

from coterie.advice.initial import settings_file
from coterie.advice.looking import ColumnLook, Look, look

__all__ = ["ColumnLook", "Look", "look", "settings_file"]
