"""Reports: a summary as plain data first, then renderers of it: html, json, terminal.

`summary` is of a release, `judged_summary` of any tool's, `comparison_summary` of several; `write`
renders one by the ending of the path, whole or not at all. Names load on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coterie.imports.lazy import lazily

if TYPE_CHECKING:
    from coterie.report.comparison import comparison_summary
    from coterie.report.console import terminal
    from coterie.report.files import ENDINGS, check_path, write
    from coterie.report.judged import judged_summary
    from coterie.report.page import html
    from coterie.report.released import summary

__all__ = [
    "ENDINGS",
    "check_path",
    "comparison_summary",
    "html",
    "judged_summary",
    "summary",
    "terminal",
    "write",
]

__getattr__ = lazily(
    __name__,
    {
        "ENDINGS": "files",
        "check_path": "files",
        "comparison_summary": "comparison",
        "html": "page",
        "judged_summary": "judged",
        "summary": "released",
        "terminal": "console",
        "write": "files",
    },
)
