"""Names of columns: plain ones, and those that break what is not careful."""

from __future__ import annotations

from tests.fuzz.chooser import Chooser

PLAIN = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k1", "l1", "m1", "n1"]
ODD = [
    "with space",
    ' "quoted"',
    "it's",
    "*",
    "^a$",
    "^.*$",
    "a.b",
    "A",  # equal to "a" up to case
    "Ä",
    "a\0b",
    "\u202eabc",  # written from right to left
    "שם",
    "年齢",
    "x" * 300,
    "",
    " ",
    "coterie: unit",
    "coterie: records",
    "count_all",
    "index",
    "__index_level_0__",
    "0",
    "1.5",
    "None",
    "nan",
    "a=b",
    "a,b;c\td|e",
    "line\nbreak",
    "carriage\rreturn",
    "line\u2028separator",
    "$\\frac{x$",
    "<b>&amp;",
    "=1+1",
    "@cmd",
    "\x07bell",
    "🙂",
    "e\u0301",
    "é",
    "class",
    "unit",
    "original_row",
]


def names(choose: Chooser, count: int, *, odd: bool) -> list[str]:
    """So many different names; odd ones among them if asked for."""
    made: list[str] = []
    for place in range(count):
        name = choose.one(ODD) if odd and choose.chance(50) else PLAIN[place % len(PLAIN)]
        while name in made:
            name += str(place)
        made.append(name)
    return made
