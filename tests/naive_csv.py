"""Text files read one character after the other, by the rules that reading in blocks must keep."""

from __future__ import annotations

BREAKS = 5


class Refused(Exception):
    """Why, and on which line."""

    def __init__(self, why, line):
        super().__init__(f"line {line}: {why}")
        self.why, self.line = why, line


def records(text, delimiter=","):
    """Each record as (line, fields, lines by themselves as numbers of fields, breaks by field).

    `lines by themselves` counts the fields of each line as if the quotes around fields that run
    over several lines were not there.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    found, at, line = [], 0, 1
    while at < len(text):
        if text[at] == "\n":  # an empty line is no record
            at, line = at + 1, line + 1
            continue
        first, fields, alone, breaks = line, [], [0], []
        while True:
            field, at, line = _field(text, at, line, delimiter)
            fields.append(field)
            breaks.append(field.count("\n"))
            parts = field.split("\n")
            if len(parts) > 1:
                for i, part in enumerate(parts):
                    alone[-1] += part.count(delimiter)
                    if i < len(parts) - 1:
                        alone.append(0)
            if at < len(text) and text[at] == delimiter:
                alone[-1] += 1
                at += 1
                continue
            break
        found.append((first, fields, [n + 1 for n in alone], breaks))
        at, line = at + 1, line + 1
    return found


def _field(text, at, line, delimiter):
    if at >= len(text) or text[at] != '"':
        end = at
        while end < len(text) and text[end] not in (delimiter, "\n"):
            end += 1
        return text[at:end], end, line
    began, value, at = line, "", at + 1
    while True:
        if at >= len(text):
            raise Refused("never closed", began)
        if text[at] == '"':
            if text[at + 1 : at + 2] != '"':
                break
            at += 1
        line += text[at] == "\n"
        value += text[at]
        at += 1
    at += 1
    if at < len(text) and text[at] not in (delimiter, "\n"):
        raise Refused("text follows", line)
    return value, at, line


def check(text, delimiter=",", *, line_breaks=False):
    """The fields of every record, or `Refused`."""
    found = records(text, delimiter)
    width = len(found[0][1]) if found else 0
    if not line_breaks:
        for line, _, alone, breaks in found:
            if max(breaks) > BREAKS:
                raise Refused("more than", line)
            if len(alone) > 1 and alone[0] == width and width in alone[1:]:
                raise Refused("whole record", line)
    for line, fields, _, _ in found:
        if len(fields) != width:
            raise Refused("fields", line)
    return [fields for _, fields, _, _ in found]
